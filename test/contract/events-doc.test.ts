import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsPage } from '../../api/docs/events-page.ts';

/** Tables are padded and JSON is wrapped by prettier; what counts is what stands in them. */
function bare(markdown: string): string {
  return markdown.replaceAll(/[ \n]+/g, '').replaceAll(/-{3,}/g, '---');
}

it('docs/events.md is up to date (if not: node api/docs/write-events.ts && prettier --write docs/events.md)', () => {
  const kept = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8');
  expect(bare(kept)).toBe(bare(eventsPage()));
});
