import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from 'express';
import { setContext } from '../../api/http/request-context.ts';
import { CURRENT_VERSION } from '../../api/versions.ts';
import { AnswerValidator } from '../support/answer-validator.ts';

const ID = '0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11';
const meta = { api_version: CURRENT_VERSION, request_id: ID };
const user = {
  id: 1,
  client_id: 1,
  email: 'thandi@example.com',
  name: 'Thandi',
  given_name: null,
  family_name: null,
  picture: null,
  email_verified: true,
  role: 'owner',
  is_active: true,
};
const me = { success: true, data: user, meta };
const error = (code: string) => ({
  success: false,
  error: { code, message: 'No.', request_id: ID, documentation_url: `https://api.business.test/docs/errors/${code}` },
  meta,
});

interface Given {
  method?: string;
  route?: string;
  status?: number;
  version?: string;
  headers?: Record<string, string>;
  body: unknown;
  action?: string;
}

function judged({ body, headers, action, ...given }: Given): readonly string[] {
  const validator = new AnswerValidator();
  validator.check({
    method: 'GET',
    route: '/api/v1/auth/me',
    status: 200,
    version: CURRENT_VERSION,
    ...given,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': ID,
      'x-api-version': CURRENT_VERSION,
      ...headers,
    },
    body: body === undefined ? '' : JSON.stringify(body),
    action,
  });
  return validator.violations;
}

const list = { pagination: { total: 0, limit: 50, offset: 0 } };

describe('the validator of answers', () => {
  it('accepts answers as documented, refusals and HEAD included', () => {
    expect(judged({ body: me })).toEqual([]);
    expect(judged({ body: undefined, method: 'HEAD' })).toEqual([]);
    expect(judged({ body: error('TOKEN_EXPIRED'), status: 401, headers: { 'www-authenticate': 'Bearer' } })).toEqual(
      [],
    );
    expect(judged({ body: error('NOT_FOUND'), status: 404, route: 'unmatched' })).toEqual([]);
    expect(judged({ body: error('METHOD_NOT_ALLOWED'), status: 405, method: 'PUT' })).toEqual([]);
  });

  it.each<[string, Given, string]>([
    ['a field that is not documented', { body: { ...me, data: { ...user, password_hash: 'x' } } }, 'password_hash'],
    ['a field beside the envelope', { body: { ...me, extra: 1 } }, 'extra'],
    ['a missing field', { body: { ...me, data: { ...user, email: undefined } } }, 'email'],
    ['a field of another type', { body: { ...me, data: { ...user, id: '1' } } }, '/data/id must be integer'],
    ['an undocumented status', { body: me, status: 201 }, 'the status is not documented'],
    ['a code that the operation does not declare', { body: error('GONE'), status: 401 }, '/error/code'],
    ['a refusal without the envelope', { body: { error: 'no' }, status: 401 }, 'success'],
    ['a path that is not documented', { body: me, route: '/api/v1/secret' }, 'the path is not documented'],
    ['a method that is not documented', { body: me, method: 'PUT' }, 'the method is not documented'],
    ['a header that is not documented', { body: me, headers: { 'retry-after': '1' } }, 'Retry-After'],
    ['another content type', { body: me, headers: { 'content-type': 'text/html' } }, 'text/html'],
  ])('finds %s', (_what, given, found) => {
    expect(judged(given).join('\n')).toContain(found);
  });

  it('finds a missing X-Request-Id', () => {
    const validator = new AnswerValidator();
    const headers = { 'content-type': 'application/json', 'x-api-version': CURRENT_VERSION };
    const route = '/api/v1/auth/me';
    const answer = { method: 'GET', route, status: 200, version: CURRENT_VERSION, headers, action: undefined };
    validator.check({ ...answer, body: JSON.stringify(me) });
    expect(() => {
      validator.expectNone();
    }).toThrow('GET /api/v1/auth/me 200: the header X-Request-Id is missing');
  });

  it('holds an answer of the action endpoint against the action that was called', () => {
    const route = '/api/v1/public/data';
    const body = { success: true, data: { work_items: [] }, meta: { ...meta, ...list } };
    expect(judged({ method: 'POST', route, body, action: 'list-work-items' })).toEqual([]);
    expect(judged({ method: 'POST', route, body, action: 'get-work-item' })).not.toEqual([]);
  });
});

describe('an answer of a server', () => {
  let server: Server;
  const answers: Record<string, unknown> = {
    '/good': me,
    '/bad': { ...me, extra: 'ü' },
    '/action': { success: true, data: { work_items: [] }, meta: { ...meta, ...list } },
  };
  const validator = new AnswerValidator();
  beforeAll(async () => {
    server = createServer((req, res) => {
      validator.watch(req, res);
      const route = req.url === '/action' ? '/api/v1/public/data' : '/api/v1/auth/me';
      setContext(req as Request, { requestId: ID, version: CURRENT_VERSION, startedAt: 0, route });
      req.resume().once('end', () => {
        res.setHeader('Content-Type', 'application/json');
        res.setHeader('X-Request-Id', ID);
        res.setHeader('X-API-Version', CURRENT_VERSION);
        const text = JSON.stringify(answers[req.url ?? '']);
        res.write(text.slice(0, 20));
        res.end(Buffer.from(text.slice(20)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const get = async (path: string): Promise<unknown> => {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${String(port)}${path}`)).json();
  };

  it('is read as it leaves, in pieces, and not changed', async () => {
    expect(await get('/good')).toEqual(me);
    expect(validator.violations).toEqual([]);
    expect(await get('/bad')).toEqual({ ...me, extra: 'ü' });
    expect(validator.violations).toEqual([
      'GET /api/v1/auth/me 200: / must NOT have additional properties {"additionalProperty":"extra"}',
    ]);
  });

  it('is held against the action that its request named, read along as the server reads it', async () => {
    const { port } = server.address() as AddressInfo;
    const before = validator.violations.length;
    for (const [action, expected] of [
      ['list-work-items', 0],
      ['get-work-item', 1],
    ] as const) {
      const body = JSON.stringify({ action });
      const answer = await fetch(`http://127.0.0.1:${String(port)}/action`, { method: 'POST', body });
      await answer.text();
      expect(validator.violations.slice(before).filter((text) => text.includes('assigned_contractors'))).toHaveLength(
        expected,
      );
    }
  });
});
