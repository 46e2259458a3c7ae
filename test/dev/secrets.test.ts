import { expect, test } from '@jest/globals';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSecrets, requireSecrets } from '../../dev/secrets.ts';
import { createJwtSigner } from '../../platform/jwt.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

test('the first start makes all three, closed to others, and later ones keep them', () => {
  const varDir = join(folder, 'first');
  const first = ensureSecrets(varDir, {});
  expect(first.made).toEqual(['MASTER_KEY', 'JWT_KEYS', 'CRON_SECRET']);
  expect(statSync(first.folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(first.folder)) expect(statSync(join(first.folder, name)).mode & 0o777).toBe(0o600);
  const second = ensureSecrets(varDir, {});
  expect(second.made).toEqual([]);
  expect(second.secrets).toEqual(first.secrets);
});

test('a folder that stood open is closed', () => {
  const varDir = join(folder, 'open');
  mkdirSync(join(varDir, 'secrets'), { recursive: true, mode: 0o777 });
  const { folder: secrets } = ensureSecrets(varDir, {});
  expect(statSync(secrets).mode & 0o777).toBe(0o700);
});

test('the keys sign and verify tokens', async () => {
  const { secrets } = ensureSecrets(join(folder, 'keys'), {});
  const signer = await createJwtSigner(secrets.JWT_KEYS, 'https://issuer.example');
  const kind = { typ: 'at+jwt', audience: 'api' };
  const token = await signer.sign(kind, { sub: '7' }, 60, Date.now());
  await expect(signer.verify(kind, token, Date.now())).resolves.toMatchObject({ sub: '7' });
  // The one that signs, and the one whose turn comes next.
  expect(new Set(signer.publicKeys().map(({ kid }) => kid)).size).toBe(2);
});

test('the environment goes before the files, and is not written to them', () => {
  const varDir = join(folder, 'given');
  const key = Buffer.alloc(32, 7).toString('base64');
  const { secrets, made } = ensureSecrets(varDir, { MASTER_KEY: key });
  expect(secrets.MASTER_KEY).toBe(key);
  expect(made).not.toContain('MASTER_KEY');
  expect(readdirSync(join(varDir, 'secrets'))).not.toContain('master.key');
});

test('a damaged file is named and left as it is', () => {
  const varDir = join(folder, 'damaged');
  const { folder: secrets } = ensureSecrets(varDir, {});
  writeFileSync(join(secrets, 'jwt-keys.json'), '{"keys": [');
  expect(() => ensureSecrets(varDir, {})).toThrow(/jwt-keys\.json: must be a JSON Web Key set/);
  expect(readFileSync(join(secrets, 'jwt-keys.json'), 'utf8')).toBe('{"keys": [');
});

test('with an external database every missing or wrong secret is named at once', () => {
  const env = { MASTER_KEY: 'c2hvcnQ=' };
  expect(() => requireSecrets(env)).toThrow(
    /MASTER_KEY must be 32 bytes[\s\S]*JWT_KEYS is missing[\s\S]*CRON_SECRET is missing/,
  );
});
