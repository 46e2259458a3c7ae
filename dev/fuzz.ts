import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { messageOf, StartError } from './errors.ts';
import { makePrivateFolder, readTextFile, writePrivateFile } from './files.ts';
import { fuzzConfig } from './fuzz-config.ts';
import type { FuzzAccess } from './fuzz-config.ts';
import { findSchemathesis } from './fuzz-runner.ts';
import type { Runner } from './fuzz-runner.ts';
import { withOwnStack } from './own-stack.ts';
import type { Ready } from './own-stack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The fuzzer fails logins by the dozen from its own address; ours come from another (TEST-NET-1, RFC 5737). */
const OUR_ADDRESS = '192.0.2.1';

/** `npm run fuzz`: schemathesis with all its checks against a stack of its own. Further arguments go to schemathesis. */
async function main(args: readonly string[]): Promise<number> {
  const folder = resolve(ROOT, process.env['FUZZ_DIR'] ?? 'var/fuzz');
  makePrivateFolder(folder);
  const runner = await findSchemathesis(folder);
  // A fresh tenant, so that two runs begin alike.
  const varDir = join(folder, 'stack');
  const environment = { RATE_LIMIT_DISABLED: 'true', TRUSTED_PROXIES: '127.0.0.1' };
  return withOwnStack({ root: ROOT, varDir, environment }, (ready) => fuzz(runner, folder, ready, args));
}

async function fuzz(runner: Runner, folder: string, ready: Ready, args: readonly string[]): Promise<number> {
  const { api_url: apiUrl, demo } = ready;
  const accessToken = await signIn(apiUrl, demo);
  const keys = await apiKeys(apiUrl, accessToken);
  const oauthToken = await applicationToken(apiUrl, join(folder, 'stack'));
  const access: FuzzAccess = { accessToken, oauthToken, apiKey: demo.api_key };
  const config = join(folder, 'schemathesis.toml');
  writePrivateFile(config, fuzzConfig(access));
  const given = ['--config-file', config, 'run', `${apiUrl}/openapi.json`, ...args];
  const child = spawn(runner.program, [...runner.args, ...given], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: join(ROOT, 'dev/fuzz-hooks.py'),
      FUZZ_KEPT_KEYS: keys.kept.join(','),
      FUZZ_VICTIM_KEY: String(keys.victim),
      FUZZ_RECEIVER: new URL(ready.receiver_url).host,
    },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function signIn(apiUrl: string, { email, password }: Ready['demo']): Promise<string> {
  const body = JSON.stringify({ email, password });
  const { data } = await call<{ data: { access_token: string } }>('POST', `${apiUrl}/api/v1/auth/login`, { body });
  return data.access_token;
}

/** A token of the demo application, whose credentials the seed has left beside the demo password. */
async function applicationToken(apiUrl: string, varDir: string): Promise<string> {
  const kept = readTextFile(join(varDir, 'secrets', 'demo-application.json'));
  if (kept === undefined) throw new StartError('the demo application is not there');
  const body = JSON.stringify({ grant_type: 'client_credentials', ...(JSON.parse(kept) as object) });
  const { access_token: token } = await call<{ access_token: string }>('POST', `${apiUrl}/api/v1/oauth/token`, {
    body,
  });
  return token;
}

/** The keys that must survive, and one to be deleted, rotated and restricted in their place. */
async function apiKeys(apiUrl: string, token: string): Promise<{ kept: number[]; victim: number }> {
  const url = `${apiUrl}/api/v1/integrations/api-keys`;
  const { data: kept } = await call<{ data: { id: number }[] }>('GET', url, { token });
  const body = JSON.stringify({ key_name: 'Victim of the fuzzer', environment: 'testing' });
  const { data: victim } = await call<{ data: { id: number } }>('POST', url, { token, body });
  return { kept: kept.map((key) => key.id), victim: victim.id };
}

async function call<Answer>(
  method: 'GET' | 'POST',
  url: string,
  { token, body }: { token?: string; body?: string },
): Promise<Answer> {
  const answer = await request(url, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': OUR_ADDRESS,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body ?? null,
  });
  if (answer.statusCode < 300) return (await answer.body.json()) as Answer;
  throw new StartError(`${method} ${url} answered ${String(answer.statusCode)}: ${await answer.body.text()}`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
