export { conditionIssues, meets } from './condition.rules.ts';
export type { Condition } from './condition.rules.ts';
export { brokenPlaceholders, hasPlaceholder, interpolate } from './interpolate.rules.ts';
