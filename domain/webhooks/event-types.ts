import type { Caller } from '../contracts/caller.ts';
import type { Page } from '../contracts/common.ts';
import { pageOf } from '../contracts/common.ts';
import type { EventTypeView, ListEventTypesInput } from '../contracts/event-log.ts';
import { EVENT_DESCRIPTIONS } from '../contracts/event-descriptions.ts';
import { VERIFICATION_EVENT } from '../contracts/event-names.ts';
import { dataSchemaOf, samplePayload } from './event-samples.ts';
import { eventBeyondTier } from './webhook.rules.ts';

/** The catalogue of events, in its order. */
export function listEventTypes(
  caller: Caller,
  input: ListEventTypesInput,
): { types: EventTypeView[]; pagination: Page } {
  const { event, limit, offset } = input;
  const matching = [...EVENT_DESCRIPTIONS].filter(([name]) => event === undefined || name === event);
  return {
    types: matching.slice(offset, offset + limit).map(([name, description]) => ({
      event: name,
      description,
      is_available: name !== VERIFICATION_EVENT && eventBeyondTier([name], caller.client.finance_tier) === undefined,
      schema: dataSchemaOf(name) ?? {},
      sample_payload: samplePayload(name) ?? {},
    })),
    pagination: pageOf(matching.length, input),
  };
}
