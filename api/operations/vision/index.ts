import { classifyOperation } from './classify.ts';
import { correctResultOperation } from './correct-result.ts';
import { createModelOperation } from './create-model.ts';
import { cropOperation } from './crop.ts';
import { deleteModelOperation } from './delete-model.ts';
import { deleteResultOperation } from './delete-result.ts';
import { extractOperation } from './extract.ts';
import { getCreditsOperation } from './get-credits.ts';
import { getLedgerAccountsOperation } from './get-ledger-accounts.ts';
import { getModelOperation } from './get-model.ts';
import { getResultOperation } from './get-result.ts';
import { getUsageOperation } from './get-usage.ts';
import { listDeadCallbacksOperation } from './list-dead-callbacks.ts';
import { listModelsOperation } from './list-models.ts';
import { listResultsOperation } from './list-results.ts';
import { pipelineOperation } from './pipeline.ts';
import { purchaseCreditsOperation } from './purchase-credits.ts';
import { putLedgerAccountsOperation } from './put-ledger-accounts.ts';
import { replayCallbackOperation } from './replay-callback.ts';
import { replayCallbacksOperation } from './replay-callbacks.ts';
import { rollbackModelOperation } from './rollback-model.ts';
import { splitOperation } from './split.ts';
import { trainModelOperation } from './train-model.ts';
import type { Operation } from '../../operation.ts';

export const visionOperations: readonly Operation[] = [
  extractOperation,
  classifyOperation,
  splitOperation,
  cropOperation,
  pipelineOperation,
  listResultsOperation,
  getResultOperation,
  correctResultOperation,
  deleteResultOperation,
  listDeadCallbacksOperation,
  replayCallbackOperation,
  replayCallbacksOperation,
  listModelsOperation,
  createModelOperation,
  getModelOperation,
  deleteModelOperation,
  trainModelOperation,
  rollbackModelOperation,
  getLedgerAccountsOperation,
  putLedgerAccountsOperation,
  getCreditsOperation,
  getUsageOperation,
  purchaseCreditsOperation,
];
