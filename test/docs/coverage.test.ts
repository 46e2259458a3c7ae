import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';

const DOCS = new URL('../../docs/', import.meta.url);

interface CoveragePage {
  file: string;
  /** Those of the specification, the decisions and the issues. */
  sections: string[];
  minRows: number;
}

const PAGES: CoveragePage[] = [
  {
    file: 'public-data-coverage.md',
    sections: [
      'The Public Data API',
      'Actions and their scopes',
      'Discovery and the tool catalogues',
      'Batch',
      'MCP',
      'OAuth on routes',
      'Issue 6: the surface and its scale',
      'Work items',
      'Managed tasks',
      'States',
      'Comments and their events',
      'Attachments',
      'Appointments, time entries and threads',
      'Finding work items',
      'Issue 6: work items',
      'People',
      'Issue 6: people',
      'Contacts',
      'Forms and submissions',
      'Finance documents',
      'Payments',
      'Conversion',
      'The PDF',
      'The auditor export',
      'Rate-limit tier',
      'Issue 6: finance',
      'Recurring jobs',
      'Workflow templates',
      'Industry solutions',
      'The clock, attendance and timesheets',
      'Issue 6: what Temporal runs',
    ],
    minRows: 400,
  },
  {
    file: 'webhooks-coverage.md',
    sections: [
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
    ],
    minRows: 100,
  },
  {
    file: 'document-ai-coverage.md',
    sections: [
      'Objects',
      'Endpoints',
      'Authentication and scopes',
      'Limits',
      'Decisions §9',
      'Issue 8: the engine',
      'Issue 9: the service',
    ],
    minRows: 80,
  },
];

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

/** The cells of each row of the tables. */
function rowsOf(page: string): (readonly [sentence: string, shown: string])[] {
  return page
    .split('\n')
    .filter((line) => /^\| (?!sentence|---)/.test(line))
    .map((line) => {
      const [sentence = '', shown = ''] = line.replaceAll('\\|', '¦').split('|').slice(1, -1);
      return [sentence.trim(), shown.trim()] as const;
    });
}

describe.each(PAGES)('docs/$file', ({ file: name, sections, minRows }) => {
  const page = readFileSync(new URL(name, DOCS), 'utf8');
  const rows = rowsOf(page);
  /** Where the references of the page lead: `[relay]: ../test/worker/relay.test.ts`. */
  const files = new Map([...page.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, key = '', path = '']) => [key, path]));

  it('has the sections that the specification, the decisions and the issues have', () => {
    expect([...page.matchAll(/^## (.+?)(?: \(.*)?$/gm)].map(([, title]) => title)).toEqual(sections);
    expect(rows.length).toBeGreaterThan(minRows);
  });

  it.each(rows)('%s: names tests that there are', (_sentence, shown) => {
    const tests = testsOf(shown);
    // What no test shows says why, or what else does.
    if (tests.length === 0) expect(shown).toMatch(/^(Not yet: |`npm run bench )/);
    for (const { reference, titles } of tests) {
      const file = new URL(files.get(reference) ?? 'none', DOCS);
      expect({ reference, exists: existsSync(file) }).toEqual({ reference, exists: true });
      const source = readFileSync(file, 'utf8');
      expect(titles.filter((title) => !isTitleIn(source, title))).toEqual([]);
    }
  });

  it('uses every file that it lists', () => {
    const used = new Set(rows.flatMap(([, shown]) => testsOf(shown).map(({ reference }) => reference)));
    expect([...files.keys()].filter((key) => !used.has(key))).toEqual([]);
  });
});
