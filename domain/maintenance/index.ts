export { PURGEABLE_KINDS, purgeBatch } from './purge.service.ts';
export type { PurgeableKind } from './purge.service.ts';
