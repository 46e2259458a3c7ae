import type { z } from 'zod';

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  email: 'must be an e-mail address',
  url: 'must be a URL',
  datetime: 'must be an ISO 8601 date and time such as 2026-11-21T08:30:00Z',
  date: 'must be a date such as 2026-11-21',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
};

/** Types by the names that callers know. */
const WORDS: Readonly<Record<string, string>> = { int: 'integer', record: 'JSON object', object: 'JSON object' };

/** What is wrong with a value, in words for a caller; undefined where the schema itself or zod says it best. */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_big':
      return `must ${sized(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'too_small':
      if (issue.inclusive === false) return `must be greater than ${String(issue.minimum)}`;
      return Number(issue.minimum) === 1 && issue.origin === 'string'
        ? 'must not be empty'
        : `must ${sized(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return FORMATS[issue.format];
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : typeWords(issue.expected);
    case 'invalid_union':
      return unionWords(issue);
    default:
      return undefined;
  }
}

/** What a value of another type should have been. */
export function typeWords(expected: string): string {
  return `must be ${article(expected)}`;
}

type UnionIssue = Extract<z.core.$ZodRawIssue, { code: 'invalid_union' }>;

function unionWords(issue: UnionIssue): string | undefined {
  const options: unknown = issue['options'];
  if (Array.isArray(options)) return `must be one of ${options.map(String).join(', ')}`;
  const types = issue.errors.flatMap(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? [article(first.expected)] : [],
  );
  return types.length > 0 && types.length === issue.errors.length ? `must be ${types.join(' or ')}` : undefined;
}

function article(type: string): string {
  const word = WORDS[type] ?? type;
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
}

function sized(origin: string, bound: 'at most' | 'at least', count: number): string {
  if (origin === 'string') return `have ${bound} ${String(count)} ${count === 1 ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set')
    return `have ${bound} ${String(count)} ${count === 1 ? 'entry' : 'entries'}`;
  return `be ${bound} ${String(count)}`;
}
