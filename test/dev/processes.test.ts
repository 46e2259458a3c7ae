import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SERVICE_NODE_ARGS } from '../../dev/processes.ts';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
/** Whatever way the file writes a list of words. */
const wordsOf = (text: string): string => text.replaceAll(/[\s"',[\]]+/g, ' ');

describe('how the services are started', () => {
  it('is known to this Node', () => {
    const answer = execFileSync(process.execPath, [...SERVICE_NODE_ARGS, '-p', '1'], { encoding: 'utf8' });
    expect(answer).toBe('1\n');
  });

  it.each([
    ['Dockerfile', 'api/server.ts'],
    ['docker-compose.yml', 'api/server.ts'],
    ['docker-compose.yml', 'worker/main.ts --queue platform'],
  ])('is the same in %s: %s', (file, script) => {
    expect(wordsOf(textOf(file))).toContain(`node ${SERVICE_NODE_ARGS.join(' ')} ${script}`);
  });
});
