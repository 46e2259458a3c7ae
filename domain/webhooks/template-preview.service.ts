import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { PreviewTemplateInput, TemplatePreview } from '../contracts/event-log.ts';
import { PAYLOAD_VERSION } from '../contracts/webhooks.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { getEvent } from './event-log.service.ts';
import { samplePayload } from './event-samples.ts';
import { filterIssues, passesFilter } from './subscription.ts';
import { templateIssues } from './template-issues.ts';
import { renderPayload } from './template.ts';
import type { Payload } from './template.ts';
import { eventBeyondTier } from './webhook.rules.ts';

/** What a template, and a filter, would do to an event: a stored one, or the sample of its kind. */
export async function previewTemplate(
  tx: TenantTransaction,
  caller: Caller,
  input: PreviewTemplateInput,
): Promise<TemplatePreview> {
  const { event, template, filter, event_id: eventId } = input;
  const sample = check(caller, input);
  const payload =
    eventId === undefined ? ofClient(sample, caller) : await storedPayload(tx, caller, { event, eventId });
  const data = payload['data'] as Record<string, unknown>;
  return {
    event,
    sample_payload: payload,
    rendered_payload: renderPayload(payload, template, event),
    matches: filter === null ? null : passesFilter(filter, { name: event, data: () => data }),
  };
}

function check(caller: Caller, { event, template, filter }: PreviewTemplateInput): Payload {
  const sample = samplePayload(event);
  if (sample === undefined || event.includes('*'))
    throw ApiError.invalid('event', `${JSON.stringify(event)} is not an event`);
  const issues = [
    ...(template === null ? [] : templateIssues(template, 'template')),
    ...(filter === null ? [] : filterIssues(filter)),
  ];
  if (issues.length > 0) throw ApiError.ofFields(issues);
  const tier = caller.client.finance_tier;
  if (eventBeyondTier([event], tier) !== undefined) {
    throw ApiError.tierRestricted(`The event ${event} needs a higher finance tier than ${tier}.`);
  }
  return sample;
}

function ofClient(sample: Payload, { clientId }: Caller): Payload {
  return { ...sample, metadata: { ...(sample['metadata'] as Payload), client_id: clientId } };
}

/** The payload as one of the event's webhooks got it, or as one will. */
async function storedPayload(
  tx: TenantTransaction,
  caller: Caller,
  { event, eventId }: { event: string; eventId: string },
): Promise<Payload> {
  const stored = await getEvent(tx, caller, eventId);
  if (stored.event !== event) throw ApiError.invalid('event', `${eventId} is an event of the name ${stored.event}`);
  const delivery = stored.deliveries.find(({ webhook_id: webhookId }) => webhookId !== null);
  return {
    event,
    version: PAYLOAD_VERSION,
    timestamp: stored.occurred_at,
    data: stored.data,
    metadata: {
      client_id: tx.clientId,
      event_id: eventId,
      delivery_id: delivery?.delivery_id ?? 1,
      webhook_id: delivery?.webhook_id ?? 1,
    },
  };
}
