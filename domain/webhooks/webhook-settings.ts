import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { AuthType, CreateWebhookInput } from '../contracts/webhooks.ts';
import { addressIssue } from './address.ts';
import { filterIssues } from './subscription.ts';
import { templateIssues } from './template-issues.ts';
import { customHeaderIssues, eventBeyondTier, unknownEventIssues } from './webhook.rules.ts';

/** What of a webhook its owner can set at any time, but for the credentials, which are sealed apart. */
export type WebhookSettings = Omit<
  CreateWebhookInput,
  'require_verification' | 'auth_credentials' | 'item_type_filter'
> & {
  /** Of an older webhook: any text. */
  item_type_filter: string | null;
};

/** The columns of {@link WebhookSettings}, in the order of {@link settingValues}. */
export const SETTING_COLUMNS = [
  'name',
  'description',
  'endpoint_url',
  'http_method',
  'events',
  'auth_type',
  'custom_headers',
  'item_type_filter',
  'item_subtype_filter',
  'status_filter',
  'filter',
  'ordering',
  'rate_limit_per_second',
  'retry_count',
  'retry_delay_seconds',
  'timeout_seconds',
  'is_active',
  'payload_version',
  'payload_template',
  'ed25519_enabled',
  'dlq_alert_enabled',
  'dlq_alert_threshold',
  'dlq_alert_email',
] as const satisfies readonly (keyof WebhookSettings)[];

/** What the request of a send is made of, beside its event: a change of these is a new `WebhookRevision`. */
const REQUEST_COLUMNS: ReadonlySet<string> = new Set([
  'endpoint_url',
  'http_method',
  'custom_headers',
  'auth_type',
  'payload_version',
  'payload_template',
]);

const MAX_FILTER_BYTES = 16_384;

/** The settings as the columns take them. */
export function settingValues(settings: WebhookSettings): unknown[] {
  return SETTING_COLUMNS.map((column) => {
    const value = settings[column];
    const isJson = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isJson ? JSON.stringify(value) : value;
  });
}

/** Whether requests look different after a change of these fields. */
export function changesRequests(changed: readonly string[]): boolean {
  return changed.some((field) => REQUEST_COLUMNS.has(field));
}

export type Change = { from: unknown; to: unknown } | 'changed';

/** What differs, for the audit trail. Headers may hold a secret of the receiver's: of them only that they changed. */
export function settingChanges(before: WebhookSettings, after: WebhookSettings): Record<string, Change> {
  const differ = SETTING_COLUMNS.filter((column) => !isDeepStrictEqual(before[column], after[column]));
  return Object.fromEntries(
    differ.map((column) => [
      column,
      column === 'custom_headers' ? 'changed' : { from: before[column], to: after[column] },
    ]),
  );
}

/**
 * Refuses settings that don't fit, each field by its name. `given` are those that the caller sent: what is stored already
 * isn't held against it, except where it no longer goes with what is sent.
 */
export function checkSettings(
  caller: Caller,
  settings: { given: Partial<WebhookSettings>; authType: AuthType; customHeaders: Readonly<Record<string, string>> },
  { allowPrivateTargets, credentials }: { allowPrivateTargets: boolean; credentials: readonly FieldIssue[] },
): void {
  const { given, authType, customHeaders } = settings;
  const details: FieldIssue[] = [
    ...(given.endpoint_url === undefined ? [] : urlIssues(given.endpoint_url, allowPrivateTargets)),
    ...unknownEventIssues(given.events ?? []),
    ...credentials,
    ...customHeaderIssues(customHeaders, authType),
    ...termIssues(given.filter ?? null),
    ...(given.payload_template ? templateIssues(given.payload_template) : []),
  ];
  if (details.length > 0) throw ApiError.ofFields(details);
  const beyond = eventBeyondTier(given.events ?? [], caller.client.finance_tier);
  if (beyond !== undefined) throw beyondTier(beyond, caller);
}

export function beyondTier(event: string, caller: Caller): ApiError {
  return ApiError.tierRestricted(`The event ${event} needs a higher finance tier than ${caller.client.finance_tier}.`);
}

function urlIssues(url: string, allowPrivateTargets: boolean): FieldIssue[] {
  const issue = addressIssue(url, allowPrivateTargets);
  return issue === undefined ? [] : [{ field: 'endpoint_url', issue }];
}

/** Each term of the condition by itself, so that the issue says which one is meant; then all of them together. */
function termIssues(filter: Readonly<Record<string, unknown>> | null): FieldIssue[] {
  if (filter === null) return [];
  if (Buffer.byteLength(JSON.stringify(filter)) > MAX_FILTER_BYTES) {
    return [{ field: 'filter', issue: `must not exceed ${String(MAX_FILTER_BYTES)} bytes of JSON` }];
  }
  const ofTerms = Object.entries(filter).flatMap(([term, wanted]) =>
    filterIssues({ [term]: wanted }, `filter.${term.slice(0, 100)}`),
  );
  return ofTerms.length > 0 ? ofTerms : filterIssues(filter);
}
