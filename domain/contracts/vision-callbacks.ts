import { z } from 'zod';
import { bigIdField } from './common.ts';
import { DeliveryView, ReplayAnswer, ReplayDeadLetters } from './deliveries.ts';

/** A callback of a Document AI call on its way, or in the dead-letter queue. */
export const CallbackView = DeliveryView.omit({ work_item_id: true, is_test: true })
  .extend({
    url: z.string().describe('The webhook_url of the call'),
    request_id: z.uuid().nullable().describe('The call that it tells of; null once its event is gone'),
  })
  .meta({ id: 'VisionCallback' });
export type CallbackView = z.output<typeof CallbackView>;

export const DeadCallbacks = z.object({ callbacks: z.array(CallbackView) });

export const ReplayCallback = z.strictObject({ callback_id: bigIdField('Id of the callback').meta({ example: 1 }) });
export const ReplayedCallback = z.object({ callback: CallbackView });

export const ReplayCallbacks = ReplayDeadLetters;
export const ReplayedCallbacks = ReplayAnswer.omit({ recovery_id: true })
  .extend({ remaining: z.int().describe('Of a range, those that are still in the queue: call again') })
  .meta({ id: 'VisionCallbackReplay' });
export type ReplayedCallbacks = z.output<typeof ReplayedCallbacks>;
