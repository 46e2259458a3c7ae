import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionsTable } from '../../api/docs/actions-table.ts';

/** Tables are padded by prettier; what counts is what stands in them. */
function bare(markdown: string): string {
  return markdown.replaceAll(/[ \n]+/g, ' ').replaceAll(/-{3,}/g, '---');
}

it('docs/actions.md is up to date (if not: npm run docs:actions)', () => {
  const kept = readFileSync(join(import.meta.dirname, '../../docs/actions.md'), 'utf8');
  expect(bare(kept)).toBe(bare(actionsTable()));
});
