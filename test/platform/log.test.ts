import { describe, expect, it } from '@jest/globals';
import { addLogContext, createLogger, keepingLogContext, withLogContext } from '../../platform/log.ts';

function capture(level = 'info') {
  const lines: string[] = [];
  const log = createLogger('test', level, { write: (line) => void lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

describe('createLogger', () => {
  it('writes a JSON line with service, level by name and ISO time', () => {
    const { log, last } = capture();
    log.info({ route: '/x' }, 'request');
    expect(last()).toMatchObject({ service: 'test', level: 'info', msg: 'request', route: '/x', pid: process.pid });
    expect(last()['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = capture('warn');
    log.info('no');
    log.warn('yes');
    expect(lines).toHaveLength(1);
  });

  it.each([
    'password',
    'api_key',
    'api_key_full',
    'secret_key',
    'client_secret',
    'access_token',
    'refresh_token',
    'authorization',
    'cookie',
    'x-api-key',
    'x-cron-secret',
    'auth_credentials',
    'file_base64',
    'token',
  ])('redacts %s, at the top and up to two levels below', (field) => {
    const { log, lines, last } = capture();
    log.info({ [field]: 'hush', body: { [field]: 'hush' }, req: { headers: { [field]: 'hush' } }, kept: 1 }, 'x');
    expect(lines.join()).not.toContain('hush');
    expect(last()).toMatchObject({ [field]: '[redacted]', body: { [field]: '[redacted]' }, kept: 1 });
  });

  it('writes an error with its stack, causes included', () => {
    const { log, last } = capture();
    log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'unexpected');
    expect(last()['err']).toMatchObject({ message: expect.stringContaining('outer') });
    expect(JSON.stringify(last())).toContain('inner');
  });
});

describe('the log context', () => {
  it('goes with work that is kept for later, whoever runs it', () => {
    const { log, last } = capture();
    const tell = (msg: string): void => log.info(msg);
    const later = withLogContext({ request_id: 'mine' }, () => keepingLogContext(tell));
    withLogContext({ request_id: 'yours' }, () => later('done'));
    expect(last()).toMatchObject({ msg: 'done', request_id: 'mine' });
    keepingLogContext(tell)('outside');
    expect(last()).not.toHaveProperty('request_id');
  });

  it('is on every line of its work, over awaits, and on none outside', async () => {
    const { log, last } = capture();
    await withLogContext({ request_id: 'r1' }, async () => {
      await Promise.resolve();
      addLogContext({ client_id: 7 });
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.info('inside');
      expect(last()).toMatchObject({ request_id: 'r1', client_id: 7 });
      withLogContext({ workflow_id: 'w' }, () => log.info('nested'));
      expect(last()).toMatchObject({ request_id: 'r1', client_id: 7, workflow_id: 'w' });
      log.info('after');
      expect(last()).not.toHaveProperty('workflow_id');
    });
    log.info('outside');
    expect(last()).not.toHaveProperty('request_id');
  });

  it('of requests at the same time do not mix', async () => {
    const { log, lines } = capture();
    await Promise.all(
      [1, 2, 3].map((n) =>
        withLogContext({ request_id: `r${String(n)}` }, async () => {
          addLogContext({ client_id: n });
          await new Promise((resolve) => setTimeout(resolve, 5 - n));
          log.info('x');
        }),
      ),
    );
    const seen = lines.map((line) => JSON.parse(line) as { request_id: string; client_id: number });
    expect(seen.map(({ request_id, client_id }) => `${request_id}/${String(client_id)}`).sort()).toEqual([
      'r1/1',
      'r2/2',
      'r3/3',
    ]);
  });
});
