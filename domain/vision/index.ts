export { book, OutOfCreditsError } from './credits.service.ts';
export { completeRequest, failRequest, recordPageRead, startRequest } from './progress.service.ts';
export { failureOf, getVisionRequest, openExtraction, tooManySyncPages } from './requests.service.ts';
export type { VisionOptions, VisionRequestRow } from './requests.service.ts';
