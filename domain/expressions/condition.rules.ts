import { isPath, valueAt } from './paths.rules.ts';

/**
 * A condition on JSON data (decisions §7, `filter`): dot paths with a value or with operators, all of which must hold:
 * `{"work_item.priority": "urgent", "work_item.estimated_hours": {"$gte": 8}, "$or": […]}`.
 */
export type Condition = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 5;
const MAX_TERMS = 50;

const COMPARISONS: Readonly<Record<string, (actual: unknown, wanted: unknown) => boolean>> = {
  $eq: equal,
  $ne: (actual, wanted) => !equal(actual, wanted),
  $in: (actual, wanted) => (wanted as unknown[]).some((one) => equal(actual, one)),
  $gt: (actual, wanted) => ordered(actual, wanted, (order) => order > 0),
  $gte: (actual, wanted) => ordered(actual, wanted, (order) => order >= 0),
  $lt: (actual, wanted) => ordered(actual, wanted, (order) => order < 0),
  $lte: (actual, wanted) => ordered(actual, wanted, (order) => order <= 0),
  $exists: (actual, wanted) => (actual !== undefined && actual !== null) === wanted,
};

/** Whether data meets a condition that {@link conditionIssues} found nothing wrong with. */
export function meets(data: unknown, condition: Condition): boolean {
  return Object.entries(condition).every(([key, wanted]) => {
    if (key === '$and') return (wanted as Condition[]).every((one) => meets(data, one));
    if (key === '$or') return (wanted as Condition[]).some((one) => meets(data, one));
    if (key === '$not') return !meets(data, wanted as Condition);
    const actual = valueAt(data, key);
    if (!isOperators(wanted)) return equal(actual, wanted);
    return Object.entries(wanted).every(([operator, value]) => COMPARISONS[operator]?.(actual, value) === true);
  });
}

/** What is wrong with a condition, in words; empty for a good one. */
export function conditionIssues(condition: unknown): string[] {
  const terms = { left: MAX_TERMS };
  const issues = issuesOf(condition, 1, terms);
  return terms.left < 0 ? [`must have no more than ${String(MAX_TERMS)} terms`] : issues;
}

/** Every path that a condition without issues looks at. */
export function conditionPaths(condition: Condition): string[] {
  return Object.entries(condition).flatMap(([key, wanted]) => {
    if (key === '$and' || key === '$or') return (wanted as Condition[]).flatMap(conditionPaths);
    return key === '$not' ? conditionPaths(wanted as Condition) : [key];
  });
}

function issuesOf(condition: unknown, depth: number, terms: { left: number }): string[] {
  if (!isObject(condition)) return ['a condition must be an object'];
  if (depth > MAX_DEPTH) return [`must not be nested deeper than ${String(MAX_DEPTH)}`];
  return Object.entries(condition).flatMap(([key, wanted]) => {
    terms.left -= 1;
    if (terms.left < 0) return [];
    if (key === '$and' || key === '$or') {
      if (!Array.isArray(wanted) || wanted.length === 0) return [`${key} must be a list of conditions`];
      return wanted.flatMap((one) => issuesOf(one, depth + 1, terms));
    }
    if (key === '$not') return issuesOf(wanted, depth + 1, terms);
    if (!isPath(key)) return [`${JSON.stringify(key.slice(0, 100))} is neither a path nor one of $and, $or, $not`];
    return isOperators(wanted) ? Object.entries(wanted).flatMap(([name, value]) => operatorIssues(name, value)) : [];
  });
}

function operatorIssues(name: string, value: unknown): string[] {
  if (!Object.hasOwn(COMPARISONS, name)) {
    return [`${name.slice(0, 40)} is not an operator; known: ${Object.keys(COMPARISONS).join(', ')}`];
  }
  if (name === '$in' && !Array.isArray(value)) return ['$in must be a list of values'];
  if (name === '$exists' && typeof value !== 'boolean') return ['$exists must be true or false'];
  const isOrder = name.startsWith('$g') || name.startsWith('$l');
  if (isOrder && typeof value !== 'number' && typeof value !== 'string') return [`${name} must be a number or a text`];
  return [];
}

/** An object whose keys begin with `$`; any other object is a value to compare with. */
function isOperators(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).some((key) => key.startsWith('$'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equal as JSON; null is what is missing. */
function equal(actual: unknown, wanted: unknown): boolean {
  if (actual === undefined || actual === null) return wanted === null;
  if (typeof actual !== 'object' || typeof wanted !== 'object' || wanted === null) return actual === wanted;
  if (Array.isArray(actual) !== Array.isArray(wanted)) return false;
  const [left, right] = [Object.entries(actual), Object.entries(wanted)];
  return (
    left.length === right.length &&
    left.every(([key, value]) => Object.hasOwn(wanted, key) && equal(value, (wanted as Record<string, unknown>)[key]))
  );
}

/** Numbers by size, texts (and so ISO moments) by their characters; values of different types have no order. */
function ordered(actual: unknown, wanted: unknown, holds: (order: number) => boolean): boolean {
  if (typeof actual === 'number' && typeof wanted === 'number') return holds(actual - wanted);
  if (typeof actual === 'string' && typeof wanted === 'string') {
    return holds(actual < wanted ? -1 : Number(actual > wanted));
  }
  return false;
}
