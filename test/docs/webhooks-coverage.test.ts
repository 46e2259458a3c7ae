import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';

const DOCS = new URL('../../docs/', import.meta.url);
const PAGE = readFileSync(new URL('webhooks-coverage.md', DOCS), 'utf8');

/** Where the references of the page lead: `[relay]: ../test/worker/relay.test.ts`. */
const FILES = new Map([...PAGE.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, name = '', path = '']) => [name, path]));

/** The cells of each row. */
const ROWS = PAGE.split('\n')
  .filter((line) => /^\| (?!sentence|---)/.test(line))
  .map((line) => {
    const [sentence = '', shown = ''] = line.replaceAll('\\|', '¦').split('|').slice(1, -1);
    return [sentence.trim(), shown.trim()] as const;
  });

/** `[relay] “a title”, “another”; [dlq] “a third”`, as pairs of a reference and a title. */
function testsOf(shown: string): { reference: string; titles: string[] }[] {
  return [...shown.matchAll(/\[([\w-]+)\]((?:,? “[^”]+”)+)/g)].map(([, reference = '', quoted = '']) => ({
    reference,
    titles: [...quoted.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
  }));
}

/** A title stands in its file as a whole string: a part of another would hold when the test is gone. */
function isTitleIn(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
}

describe('docs/webhooks-coverage.md', () => {
  it('has the sections that the specification and the decisions have', () => {
    const sections = [...PAGE.matchAll(/^## (.+?)(?: \(.*)?$/gm)].map(([, title]) => title);
    expect(sections).toEqual([
      'The outbound webhook',
      'The delivery record',
      'The inbound webhook',
      'States',
      'Endpoints of outbound webhooks',
      'Endpoints of inbound webhooks',
      'Events',
      'Decisions §7',
      'Decisions §8',
      'Issue 7 beside these',
    ]);
    expect(ROWS.length).toBeGreaterThan(100);
  });

  it.each(ROWS)('%s: names tests that there are', (_sentence, shown) => {
    const tests = testsOf(shown);
    // What no test shows says why, or what else does.
    if (tests.length === 0) expect(shown).toMatch(/^(Not yet: |`npm run bench )/);
    for (const { reference, titles } of tests) {
      const file = new URL(FILES.get(reference) ?? 'none', DOCS);
      expect({ reference, exists: existsSync(file) }).toEqual({ reference, exists: true });
      const source = readFileSync(file, 'utf8');
      expect(titles.filter((title) => !isTitleIn(source, title))).toEqual([]);
    }
  });

  it('uses every file that it lists', () => {
    const used = new Set(ROWS.flatMap(([, shown]) => testsOf(shown).map(({ reference }) => reference)));
    expect([...FILES.keys()].filter((name) => !used.has(name))).toEqual([]);
  });
});
