export { claimKey, keepAnswer, KEPT_MS, releaseKey, takeKey, whileLeased } from './records.service.ts';
export type { KeptAnswer, KeyedRequest } from './records.service.ts';
