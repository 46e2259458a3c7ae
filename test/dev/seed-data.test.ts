import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { DEMO_FORM } from '../../dev/seed-data.ts';

it('the demo has no form that the samples of the guide make', () => {
  const guide = readFileSync('docs/guides/forms.md', 'utf8');
  const made = [...guide.matchAll(/"form_key": "([^"]+)"/g)].map(([, key]) => key);
  expect(made).not.toEqual([]);
  expect(made).not.toContain(DEMO_FORM.form_key);
});
