import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { RecurringActivities } from '../activities/recurring.ts';
import type { RecurringJobInput } from '../domain/contracts/workflows.ts';

/** What was due this long before the start is still made up for. */
const CATCH_UP_MS = 24 * 3_600_000;

/** Until it is done: an item that is due is not given up because the database is away. */
const { generateDue } = proxyActivities<Pick<RecurringActivities, 'generateDue'>>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Started by the schedule of a recurring job at each moment at which something may be due; generates what is. Counted
 * back from the start, not from today: a start that waited for a worker has not lost its occurrence.
 */
export async function generateRecurringJob(input: RecurringJobInput): Promise<{ generated: number; failed: number }> {
  const window = { since: workflowInfo().startTime.getTime() - CATCH_UP_MS, until: Date.now() };
  const total = { generated: 0, failed: 0 };
  for (;;) {
    const { generated, failed, is_more } = await generateDue(input, window);
    total.generated += generated;
    total.failed += failed;
    if (!is_more) return total;
  }
}
