import { ApplicationFailure, heartbeat } from '@temporalio/activity';
import { ApiError } from '../domain/contracts/errors.ts';
import type { TemplateStepInput } from '../domain/contracts/workflow-templates.ts';
import { RUN_CANCELLED } from '../domain/contracts/workflows.ts';
import type { CancelTemplateRunInput, RunTemplateInput } from '../domain/contracts/workflows.ts';
import {
  beginRun,
  branchHolds,
  finishRun,
  performStep,
  RunCancelled,
  startScheduledRuns,
} from '../domain/workflow-templates/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';

interface TemplateActivityDeps {
  system: SystemDatabase;
  tenants: TenantDatabase;
  clock: Clock;
}

export type TemplateActivities = ReturnType<typeof createTemplateActivities>;

/** Transactions of one activity, each for up to a hundred templates. */
const MAX_ROUNDS = 50;

/** The steps of `runTemplate`. Each is one transaction that notes what it did: run twice, it does it once. */
export function createTemplateActivities({ system, tenants, clock }: TemplateActivityDeps) {
  return {
    /** Marks the run as begun and answers its steps, as they were when it was asked for. */
    beginRun({ client_id, run_id }: RunTemplateInput): Promise<readonly TemplateStepInput[]> {
      return refusable(() => tenants.transaction(client_id, (tx) => beginRun(tx, run_id)));
    },

    async performStep({ client_id, run_id }: RunTemplateInput, path: string): Promise<void> {
      await refusable(() => tenants.transaction(client_id, (tx) => performStep(tx, run_id, path)));
    },

    decideBranch({ client_id, run_id }: RunTemplateInput, path: string): Promise<boolean> {
      return refusable(() => tenants.transaction(client_id, (tx) => branchHolds(tx, run_id, path)));
    },

    async finishRun(
      { client_id, run_id }: Pick<CancelTemplateRunInput, 'client_id' | 'run_id'>,
      status: 'completed' | 'failed' | 'cancelled',
      error: string | null,
    ): Promise<void> {
      await tenants.transaction(client_id, (tx) => finishRun(tx, run_id, status, error));
    },

    /** With `is_more` others are due; the workflow asks again, so that no activity lasts long. */
    async startDueTemplates(): Promise<{ started: number; is_more: boolean }> {
      let total = 0;
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const { started, handled } = await startScheduledRuns(system, clock.now());
        total += started;
        if (handled === 0) return { started: total, is_more: false };
        heartbeat();
      }
      return { started: total, is_more: true };
    },
  };
}

/** What the rules refuse they refuse again: it ends the run instead of being tried for good. */
async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunCancelled) throw ApplicationFailure.nonRetryable(error.message, RUN_CANCELLED);
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw ApplicationFailure.nonRetryable(error.message, error.code);
  }
}
