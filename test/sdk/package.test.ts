import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { codeBlock } from '../docs/code-blocks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BODY, newKey, signed } from './messages.ts';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');
const NAME = '@business-platform/webhooks';
const folder = temporaryFolder();
const app = join(folder, 'app');

function run(command: string, args: string[], cwd = app, env: Record<string, string> = {}): string {
  const path = `${BIN}${delimiter}${process.env['PATH'] ?? ''}`;
  // Not ours: Jest's own options for Node would hide a package that needs some.
  const { NODE_OPTIONS: _options, ...rest } = process.env;
  return execFileSync(command, args, { cwd, encoding: 'utf8', env: { ...rest, PATH: path, ...env } });
}

/** The package as npm would publish it, unpacked where an application finds it. */
let packed: string[];
beforeAll(() => {
  const source = join(folder, 'sdk');
  const installed = join(app, 'node_modules', NAME);
  for (const path of [source, installed]) mkdirSync(path, { recursive: true });
  const files = readdirSync(join(ROOT, 'sdk'), { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of files) copyFileSync(join(ROOT, 'sdk', name), join(source, name));
  const env = { npm_config_cache: join(folder, 'npm'), npm_config_update_notifier: 'false' };
  const output = run('npm', ['pack', '--json', '--pack-destination', folder], source, env);
  const [tarball] = JSON.parse(output.slice(output.indexOf('['))) as { filename: string; files: { path: string }[] }[];
  packed = tarball!.files.map(({ path }) => path).toSorted();
  run('tar', ['-xzf', join(folder, tarball!.filename), '-C', installed, '--strip-components=1']);
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
});

const now = Math.floor(Date.now() / 1_000);
const key = newKey();
const message = JSON.stringify({ headers: signed([key], { timestamp: now }), body: BODY, secret: key.secret });

describe('the published package', () => {
  it('holds the code, its types, and what says how to use it', () => {
    expect(packed).toEqual(['LICENSE', 'README.md', 'dist/verify.d.ts', 'dist/verify.js', 'package.json']);
  });

  it('verifies in a plain Node process, and brings nothing along', () => {
    writeFileSync(
      join(app, 'check.js'),
      `import { verifyWebhook } from '${NAME}';
      const { headers, body: payload, secret } = JSON.parse(process.argv[2]);
      const event = await verifyWebhook({ payload, headers, secret });
      const refusal = await verifyWebhook({ payload: payload + ' ', headers, secret }).catch((error) => error.code);
      console.log(event.event, refusal);`,
    );
    expect(run('node', ['check.js', message]).trim()).toBe('job.created no_matching_signature');
    expect(readdirSync(join(app, 'node_modules'))).toEqual(['@business-platform']);
  });

  it('has types that need neither those of Node nor of a browser', () => {
    writeFileSync(
      join(app, 'typed.ts'),
      `import { verifyWebhook } from '${NAME}';
      import type { WebhookEvent, VerificationFailure } from '${NAME}';
      export const title = async (payload: Uint8Array, headers: Record<string, string | string[] | undefined>): Promise<string> => {
        const event = await verifyWebhook<WebhookEvent<{ title: string }>>({ payload, headers, secret: 'whsec_' });
        return event.data.title;
      };
      export const codes: VerificationFailure[] = ['timestamp_too_old'];
      // @ts-expect-error a parsed body proves nothing
      void verifyWebhook({ payload: {}, headers: {}, secret: '' });`,
    );
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      lib: ['es2022'],
      types: [],
    };
    const modules = { module: 'nodenext', target: 'es2022' };
    const settings = { compilerOptions: { ...compilerOptions, ...modules }, files: ['typed.ts'] };
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(settings));
    expect(spawnSync(join(BIN, 'tsc'), ['-p', app], { encoding: 'utf8' }).stdout).toBe('');
  });

  it('works as its README shows', () => {
    writeFileSync(join(app, 'worker.js'), codeBlock('sdk/README.md', 'js', 'export default'));
    writeFileSync(
      join(app, 'serve.js'),
      `import worker from './worker.js';
      const { headers, body, secret } = JSON.parse(process.argv[2]);
      const post = (body) => worker.fetch(new Request('https://erp.example/', { method: 'POST', headers, body }), { WEBHOOK_SECRET: secret });
      const refused = await post(body + ' ');
      console.log((await post(body)).status, refused.status, await refused.text());`,
    );
    const lines = run('node', ['serve.js', message]).trim().split('\n');
    expect(lines.at(-1)).toBe('204 401 no_matching_signature');
  });
});
