export {
  claimKey,
  eraseAnswers,
  keepAnswer,
  KEPT_MS,
  readKept,
  releaseKey,
  takeKey,
  whileLeased,
} from './records.service.ts';
export type { KeptAnswer, KeyedRequest } from './records.service.ts';
