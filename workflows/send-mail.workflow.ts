import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { MailActivities, MailEnd } from '../activities/mails.ts';
import type { SendMailInput } from '../domain/contracts/workflows.ts';

/** Longer than a send may take. A mail that is refused fails at once; all else is tried for three days. */
const { handOverMail } = proxyActivities<Pick<MailActivities, 'handOverMail'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '1 hour' },
});
const { recordMail, giveUpMail } = proxyActivities<Pick<MailActivities, 'recordMail' | 'giveUpMail'>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** One mail, from its row to the mail server. Carries no address and no text: an operator's UI shows workflow inputs. */
export async function sendMail(input: SendMailInput): Promise<{ status: 'sent' | 'kept' | 'failed' | 'ended' }> {
  let status: Awaited<ReturnType<typeof handOverMail>>;
  try {
    status = await handOverMail(input);
  } catch (error) {
    // Also when an operator has cancelled the workflow: a mail must not look as if it still waited.
    await CancellationScope.nonCancellable(() => giveUpMail(input, endOf(error)));
    if (isCancellation(error)) throw error;
    return { status: 'failed' };
  }
  if (status !== 'ended') await recordMail(input, status);
  return { status };
}

function endOf(error: unknown): MailEnd {
  if (isCancellation(error)) return 'cancelled';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true ? 'refused' : 'expired';
}
