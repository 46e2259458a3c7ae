import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigningSecret, serviceSignature, signatureHeaders, signingKey } from '../../domain/webhooks/signing.ts';
import { codeBlock } from './code-blocks.ts';

/** What the guides tell customers to run is run here, against signatures that the product makes. */
const GUIDE = 'docs/guides/webhooks.md';
const BODY = JSON.stringify({ event: 'job.created', data: { work_item: { title: 'Kühlraum – pump №4' } } });
const now = Math.floor(Date.now() / 1000);
const secret = createSigningSecret();
const previous = createSigningSecret();
const message = { id: 'evt_0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10', timestamp: now, body: BODY };
const signed = (secrets: string[], timestamp = now): Record<string, string> => {
  const keys = secrets.map((text, index) =>
    signingKey(secrets.length - index, text, index === 0 ? null : (now + 60) * 1000),
  );
  const headers = signatureHeaders(keys, { ...message, timestamp });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
};

const genuine = signed([secret]);
const cases: [string, { headers: Record<string, string>; body?: string; secret?: string }, boolean][] = [
  ['a genuine send', { headers: genuine }, true],
  ['one signed by two keys, to who has the new one', { headers: signed([secret, previous]) }, true],
  ['one signed by two keys, to who still has the old one', { headers: signed([previous, secret]) }, true],
  ['a changed body', { headers: genuine, body: `${BODY} ` }, false],
  ['another secret', { headers: signed([previous]) }, false],
  ['an old one', { headers: signed([secret], now - 301) }, false],
  ['another time than was signed', { headers: { ...genuine, 'webhook-timestamp': String(now - 1) } }, false],
  ['another id than was signed', { headers: { ...genuine, 'webhook-id': 'evt_other' } }, false],
  ['no signature', { headers: { ...genuine, 'webhook-signature': '' } }, false],
  ['no headers at all', { headers: {} }, false],
  ['a broken signature', { headers: { ...genuine, 'webhook-signature': 'v1,%%% v2,é v1,' } }, false],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guide-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'is-genuine.js'), codeBlock(GUIDE, 'js', 'export function isGenuine'));
  writeFileSync(join(folder, 'server.js'), codeBlock(GUIDE, 'js', 'createServer'));
  writeFileSync(join(folder, 'is_genuine.py'), codeBlock(GUIDE, 'python', 'def is_genuine'));
  writeFileSync(join(folder, 'callback.js'), codeBlock('docs/guides/document-ai.md', 'js', 'isOurCallback'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(command: string, args: string[], environment: Record<string, string> = {}): string {
  const done = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...environment } });
  if (done.status !== 0) throw new Error(`${command} failed: ${done.error?.message ?? done.stderr}`);
  return done.stdout.trim();
}

const asInput = cases.map(([, { headers, body = BODY, secret: given = secret }]) => ({ headers, body, secret: given }));
const verdicts = cases.map(([name, , verdict]) => [name, verdict]);
const named = (answers: boolean[]): unknown => cases.map(([name], index) => [name, answers[index]]);

describe('the code of the webhook guide', () => {
  it('in Node takes what is genuine and refuses the rest', () => {
    const script = `import { isGenuine } from './is-genuine.js';
      const cases = JSON.parse(process.env.CASES);
      console.log(JSON.stringify(cases.map(({ headers, body, secret }) => isGenuine(headers, Buffer.from(body), secret))));`;
    const answers = run(process.execPath, ['--input-type=module', '-e', script], { CASES: JSON.stringify(asInput) });
    expect(named(JSON.parse(answers) as boolean[])).toEqual(verdicts);
  });

  it('in Python takes what is genuine and refuses the rest', () => {
    const script = `import json, os; from is_genuine import is_genuine
print(json.dumps([is_genuine(c["headers"], c["body"].encode(), c["secret"]) for c in json.loads(os.environ["CASES"])]))`;
    const answers = run('python3', ['-B', '-c', script], { CASES: JSON.stringify(asInput) });
    expect(named(JSON.parse(answers) as boolean[])).toEqual(verdicts);
  });

  it('in a shell tells genuine from forged', () => {
    writeFileSync(join(folder, 'body.json'), BODY);
    const script = codeBlock(GUIDE, 'sh', 'EXPECTED=');
    const environment = { SECRET: secret, SIGNATURE: genuine['x-service-signature'] ?? '' };
    expect(run('bash', ['-c', script], environment)).toBe('genuine');
    expect(run('bash', ['-c', script], { ...environment, SECRET: previous })).toBe('forged');
  });

  it('as a server answers 204 to genuine sends, handles each once, and 401 to forged ones', async () => {
    const port = await freePort();
    const server = spawn(process.execPath, ['server.js'], {
      cwd: folder,
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    });
    let output = '';
    server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    try {
      const post = (headers: Record<string, string>): Promise<globalThis.Response> =>
        fetch(`http://127.0.0.1:${String(port)}/hook`, { method: 'POST', headers, body: BODY });
      await untilListening(() => post(genuine), server);
      expect((await post(genuine)).status).toBe(204);
      expect((await post({ ...genuine, 'webhook-id': 'evt_other' })).status).toBe(401);
      expect(output.match(/job\.created/g)).toHaveLength(1);
      const sample = codeBlock(GUIDE, 'sh', 'ID=evt_mine');
      const here = sample.replace('https://erp.example.com', `-w '%{http_code}' http://127.0.0.1:${String(port)}`);
      expect(run('bash', ['-c', here], { SECRET: secret })).toBe('204');
    } finally {
      server.kill();
    }
  });
});

describe('the code of the Document AI guide', () => {
  it('knows a callback that was signed with the API key', () => {
    const apiKey = 'svc_sk_example';
    const header = serviceSignature(apiKey, BODY);
    const script = `import { isOurCallback } from './callback.js';
      const { header, body, apiKey } = JSON.parse(process.env.CASE);
      const given = { 'x-service-signature': header };
      console.log(isOurCallback(given, body, apiKey), isOurCallback(given, body + ' ', apiKey), isOurCallback({}, body, apiKey));`;
    const environment = { CASE: JSON.stringify({ header, body: BODY, apiKey }) };
    expect(run(process.execPath, ['--input-type=module', '-e', script], environment)).toBe('true false false');
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function untilListening(attempt: () => Promise<unknown>, process: ChildProcess): Promise<void> {
  for (;;) {
    if (process.exitCode !== null) throw new Error('the server of the guide ended');
    const answered = await attempt().then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
