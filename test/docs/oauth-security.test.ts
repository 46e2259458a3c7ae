import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

const DOCS = new URL('../../docs/', import.meta.url);
const PAGE = readFileSync(new URL('oauth-security.md', DOCS), 'utf8');

interface Row {
  section: string;
  state: string;
  how: string;
  shown: string;
}

/** The rows of all tables of the page. */
const ROWS: Row[] = PAGE.split('\n')
  .filter((line) => /^\| (?!Section|---)/.test(line))
  .map((line) => {
    const [section = '', , state = '', how = '', shown = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { section, state, how, shown };
  });

/** Each test file that a cell links to, with the names quoted after it. */
function namedTests(shown: string): { file: string; names: string[] }[] {
  return shown
    .split('[')
    .slice(1)
    .map((part) => ({
      file: /^[^\]]+\]\(([^)]+)\)/.exec(part)?.[1] ?? '',
      names: [...part.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
    }));
}

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
const SECTIONS = [
  ...['2.1', '2.1.1', '2.1.2', '2.2.1', '2.2.2', '2.3', '2.4', '2.5', '2.6'],
  ...numbers(1, 17).map((n) => `4.${n}`),
];

describe('docs/oauth-security.md', () => {
  it.each(SECTIONS)('has RFC 9700 §%s', (section) => {
    expect(ROWS.some((row) => row.section === section || row.section.startsWith(`${section}.`))).toBe(true);
  });

  it.each(ROWS.map((row) => [row.section, row] as const))('%s names tests that there are', (_, row) => {
    expect(['Met', 'Partly', 'Not offered', 'Client']).toContain(row.state);
    const tests = namedTests(row.shown);
    // Only what is missing altogether can be shown by no test.
    if (tests.length === 0) expect({ state: row.state, shown: row.shown }).toEqual({ state: 'Partly', shown: '—' });
    for (const { file, names } of tests) {
      expect(file).toMatch(/^\.\.\/test\/.+\.test\.ts$/);
      const source = readFileSync(new URL(file, DOCS), 'utf8');
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !source.includes(name))).toEqual([]);
    }
  });

  it('says in bold what each partly met point lacks, and again at the end', () => {
    const [, shortfalls = ''] = PAGE.split('## Where we fall short');
    for (const { section, how } of ROWS.filter(({ state }) => state === 'Partly')) {
      expect(how).toMatch(/\*\*.+\*\*/);
      expect(shortfalls).toContain(section);
    }
  });
});
