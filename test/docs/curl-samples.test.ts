import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAGE_GROUPS } from '../../api/docs/pages.ts';
import { PASSWORD, startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { codeBlocks } from './code-blocks.ts';

/** The shell samples of the guides are run here, in the order in which a reader pastes them, against the API. */
let api: ApiFixture;
let environment: Record<string, string>;
/** Where the reader has put a receipt. */
let folder: string;

beforeAll(async () => {
  api = await startApi();
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
  await writeFile(join(folder, 'receipt.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  environment = {
    API: api.url,
    EMAIL: api.acme.users.owner.email,
    TOKEN: await api.acme.token(),
    KEY: await api.acme.key(),
  };
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  /** Of each call in the block. */
  statuses: number[];
  output: string;
}

/** Runs a block with a curl that tells its status on stderr. */
async function run(code: string): Promise<Ran> {
  const script = `curl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }\n${code}`;
  const shell = spawn('bash', ['-c', script], { cwd: folder, env: { ...process.env, ...environment } });
  let output = '';
  let statuses = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (statuses += chunk.toString()));
  await new Promise((resolve) => shell.on('close', resolve));
  return { output, statuses: statuses.trim().split('\n').map(Number) };
}

/** What a reader fills in. Documents for which a call waits are read in the tests of Document AI, where there is a worker. */
function blocksOf(file: string): string[] {
  return codeBlocks(file)
    .filter(({ language, code }) => language === 'sh' && code.includes('"$API/') && !waitsForWorker(code))
    .map(({ code }) => code.replaceAll('owner@demo.example', environment['EMAIL']!))
    .map((code) => code.replace(/("password\\?": ?\\?")…/, `$1${PASSWORD}`));
}

function waitsForWorker(code: string): boolean {
  return code.includes('/vision/extract"') && !code.includes('"async"');
}

/** Where a sample names a record or token that only the reader can have, the call must get as far as looking for it. */
function mayMiss(code: string): number | undefined {
  if (/svc_(rt|in)_…/.test(code)) return 401;
  return /\/(rotate|deliveries|results|train)\b/.test(code) ? 404 : undefined;
}

describe('the shell samples', () => {
  it.each(PAGE_GROUPS.flatMap(({ pages }) => pages.map(({ file }) => file)))('of %s work as printed', async (file) => {
    const unexpected: unknown[] = [];
    for (const code of blocksOf(file)) {
      const { statuses, output } = await run(code);
      const fine = (status: number): boolean => (status >= 200 && status < 300) || status === mayMiss(code);
      if (!statuses.every(fine)) unexpected.push({ code, statuses, output });
    }
    expect(unexpected).toEqual([]);
  });

  it('of the quick start lead from the password to a list that has the new work item once', async () => {
    const [signIn, makeKey, create, list] = blocksOf('docs/guides/quick-start.md');
    const answer = async (code = '') => JSON.parse((await run(code)).output);
    environment = { API: api.url, EMAIL: (await api.tenant('starter')).users.owner.email };
    environment['TOKEN'] = (await answer(signIn)).data.access_token;
    environment['KEY'] = (await answer(makeKey)).api_key;
    const created = await answer(create);
    expect((await answer(create)).data).toEqual(created.data);
    const { data, meta } = await answer(list);
    expect(data.work_items).toMatchObject([
      { work_item_id: created.data.work_item_id, title: 'Repair the cold store' },
    ]);
    expect(meta.pagination.total).toBe(1);
  });
});
