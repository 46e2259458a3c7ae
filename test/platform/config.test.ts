import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '../../platform/config.ts';

const VALID = {
  DATABASE_APP_URL: 'postgres://app:a@db.example:5432/main',
  DATABASE_SYSTEM_URL: 'postgres://system:s@db.example:5432/main',
  MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  JWT_KEYS: '{"keys":[]}',
};

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n').slice(1);
  }
  return [];
}

describe('loadConfig', () => {
  it('needs four values and has a default for every other', () => {
    expect(loadConfig(VALID)).toMatchObject({
      NODE_ENV: 'development',
      API_HOST: '127.0.0.1',
      API_PORT: 3000,
      TRUSTED_PROXIES: [],
      CORS_ORIGINS: [],
      BLOB_DRIVER: 'fs',
      // What opens something up is off unless it is asked for.
      ALLOW_PRIVATE_TARGETS: false,
      RATE_LIMIT_DISABLED: false,
    });
  });

  it('takes the address of a mail server, and in production wants to know who the sender is', () => {
    const production = { ...VALID, NODE_ENV: 'production' };
    expect(loadConfig({ ...production, SMTP_URL: '' }).SMTP_URL).toBeUndefined();
    expect(problemsOf({ ...production, SMTP_URL: 'smtps://me:secret@mail.example:465' })).toEqual([
      '  - MAIL_FROM: is missing (SMTP_URL is set)',
    ]);
    expect(problemsOf({ ...production, SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Us <us@example.com>' })).toEqual(
      [],
    );
    expect(problemsOf({ ...VALID, SMTP_URL: 'https://mail.example', MAIL_FROM: 'us' })).toEqual([
      '  - SMTP_URL: must be smtp://host:port or smtps://host:port',
      '  - MAIL_FROM: must be an address, or: Name <address>',
    ]);
    expect(problemsOf({ ...VALID, MAIL_FROM: 'Us <us@example.com>\r\nBcc: x@y.example' })).toHaveLength(1);
  });

  it('lists every problem at once, each by the name of its variable', () => {
    const problems = problemsOf({
      API_PORT: '70000',
      LOG_LEVEL: 'loud',
      MASTER_KEY: 'short',
      ALLOW_PRIVATE_TARGETS: 'yes',
      PUBLIC_URL: 'nowhere',
      DATABASE_POOL_SIZE: '0',
    });
    const names = problems.map((line) => /^ {2}- (\w+): ./.exec(line)?.[1]).sort();
    expect(names).toEqual([
      'ALLOW_PRIVATE_TARGETS',
      'API_PORT',
      'DATABASE_APP_URL',
      'DATABASE_POOL_SIZE',
      'DATABASE_SYSTEM_URL',
      'JWT_KEYS',
      'LOG_LEVEL',
      'MASTER_KEY',
      'PUBLIC_URL',
    ]);
    expect(problems).toContain('  - JWT_KEYS: is missing');
    expect(problems).toContain('  - MASTER_KEY: must be 32 bytes in base64');
  });

  it('does not print the value of a secret that does not fit', () => {
    expect(problemsOf({ ...VALID, MASTER_KEY: 'hunter2hunter2' }).join()).not.toContain('hunter2');
  });

  it('needs a bucket for S3', () => {
    expect(problemsOf({ ...VALID, BLOB_DRIVER: 's3' })).toEqual(['  - S3_BUCKET: is missing (BLOB_DRIVER is s3)']);
    expect(problemsOf({ ...VALID, BLOB_DRIVER: 's3', S3_BUCKET: 'documents' })).toEqual([]);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['', false],
  ])('reads the flag %j as %s', (text, value) => {
    expect(loadConfig({ ...VALID, ALLOW_PRIVATE_TARGETS: text }).ALLOW_PRIVATE_TARGETS).toBe(value);
  });

  it('reads lists with commas and spaces, and an empty address as none', () => {
    const config = loadConfig({ ...VALID, CORS_ORIGINS: ' https://a.example, https://b.example,, ', PUBLIC_URL: '' });
    expect(config.CORS_ORIGINS).toEqual(['https://a.example', 'https://b.example']);
    expect(config.PUBLIC_URL).toBeUndefined();
  });

  it("enters an owner's DATABASE_URL as each role, so that row-level security binds it", () => {
    const { DATABASE_APP_URL: _, DATABASE_SYSTEM_URL: __, ...rest } = VALID;
    const config = loadConfig({ ...rest, DATABASE_URL: 'postgres://owner:o@db.example/main?sslmode=require' });
    const options = (url: string) => new URL(url).searchParams.get('options');
    expect(options(config.DATABASE_APP_URL)).toBe('-c role=app');
    expect(options(config.DATABASE_SYSTEM_URL)).toBe('-c role=system');
    expect(new URL(config.DATABASE_APP_URL).searchParams.get('sslmode')).toBe('require');
    expect(loadConfig({ ...VALID, DATABASE_URL: 'postgres://owner@x/y' }).DATABASE_APP_URL).toBe(
      VALID.DATABASE_APP_URL,
    );
  });
});
