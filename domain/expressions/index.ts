export { conditionIssues, conditionPaths, meets } from './condition.rules.ts';
export type { Condition } from './condition.rules.ts';
export { brokenPlaceholders, hasPlaceholder, interpolate, placeholderPaths } from './interpolate.rules.ts';
export { isPath, pathParts, valueAt } from './paths.rules.ts';
