export { admitJobs } from './admission.service.ts';
export { book, OutOfCreditsError, shortOfCredits } from './credits.service.ts';
export { completeRequest, failRequest, recordPageRead, startRequest } from './progress.service.ts';
export {
  failureOf,
  findVisionRequest,
  getResultRow,
  getVisionRequest,
  openRequest,
  tooManySyncPages,
} from './requests.service.ts';
export type { NewVisionRequest, VisionRequestRow } from './requests.service.ts';
export { openWithSource } from './source-blob.service.ts';
export { stepsOf, visionWorkflow } from './steps.rules.ts';
export type { VisionJob, VisionWork } from './steps.rules.ts';
export type { Concurrency } from './admission.service.ts';
export { creditAccount, grantTrial, purchaseCredits } from './credit-account.service.ts';
export { usageOf } from './usage.service.ts';
export { eraseRequest, holdResult, purgeResults, visionFolder } from './erase.service.ts';
export { listDeadCallbacks, replayDeadCallback, replayDeadCallbacks } from './callbacks.service.ts';
export { admitWaiting, restartStranded } from './mend.service.ts';
export { listRequests } from './list-requests.service.ts';
export { createModel, deleteModel, modelFolder, rollbackModel } from './models.service.ts';
export { getModel, listModels, servingParameters } from './list-models.service.ts';
export { checkTraining, findTraining, openTraining, sampleFolder, trainingFolder } from './trainings.service.ts';
export type { NewTraining } from './trainings.service.ts';
export {
  completeTraining,
  failTraining,
  fieldsInTraining,
  forgetSamples,
  notePages,
  samplesOf,
  surplusSamples,
} from './training-progress.service.ts';
export type { SampleRow } from './training-progress.service.ts';
export { completedCall, lockUnchanged, storeResult, validationOf } from './corrected-results.service.ts';
export type { CompletedCall } from './corrected-results.service.ts';
export { correctResult } from './corrections.service.ts';
export type { LessonWorkflow } from './corrections.service.ts';
export { checksOf } from './checks.rules.ts';
export { withChosenAccounts } from './corrected-validation.rules.ts';
export { correctionsOf } from './corrections.rules.ts';
export { documentAt, withDocument } from './result-documents.rules.ts';
export type { ResultDocument } from './result-documents.rules.ts';
export { lessonsOf, storeLesson } from './lessons.service.ts';
export type { StoredLesson } from './lessons.service.ts';
export { accountKnowledge, listAccounts, putAccounts } from './ledger-accounts.service.ts';
