import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../dev/settings.ts';
import { tourText } from '../../dev/tour.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What differs from one machine to the next, as the README writes it. */
const SHOWN = {
  apiUrl: 'http://127.0.0.1:3000',
  temporalUiUrl: 'http://127.0.0.1:8233',
  receiverUrl: 'http://127.0.0.1:…',
  demo: { email: 'owner@demo.example', password: '…', api_key: 'svc_sk_…' },
  cronSecret: '…',
  postgresPort: undefined,
  pids: {},
};

describe('README.md', () => {
  it('shows the tour in the words of npm start', () => {
    const settings = { root: '/no/clone/here', varDir: 'var' } as Settings;
    const printed = tourText(settings, SHOWN).split('\n');
    const tour = printed.slice(
      printed.findIndex((line) => line.startsWith('API=')),
      -2,
    );
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    expect(tour.length).toBeGreaterThan(10);
    expect(readme).toContain(tour.join('\n'));
  });
});
