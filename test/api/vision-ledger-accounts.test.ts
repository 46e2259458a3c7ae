import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

let api: ApiFixture;
let owner: ApiTenant;
let key: string;
beforeAll(async () => {
  api = await startApi();
  owner = await api.tenant('ledger', { tier: 'enterprise' });
  key = await owner.key(['vision:models']);
});
afterAll(() => api.close());

async function call(method: 'get' | 'put', path: string, body?: object, as = key) {
  const asked = api.http()[method](`/api/v1/vision/${path}`).set('Authorization', `Bearer ${as}`);
  const answer = await (body === undefined ? asked : asked.send(body));
  return { status: answer.status, body: answer.body as Record<string, unknown> };
}

/** Status and the first field that is named. */
function refusal({ status, body }: { status: number; body: Record<string, unknown> }) {
  const { details } = body['error'] as { details?: { field: string }[] };
  return { status, field: details?.[0]?.field };
}

describe('ledger accounts', () => {
  const chart = {
    accounts: [
      { gl_code: '6200', gl_name: 'Office', keywords: ['paper'] },
      { gl_code: '1000.1', gl_name: 'Other', is_active: false },
    ],
  };

  it('are the built-in chart until the client puts its own, in its order; an empty list brings the first back', async () => {
    const own = await (await api.tenant('bookkeeper', { tier: 'business' })).key(['vision:models']);
    const builtIn = await call('get', 'ledger-accounts', undefined, own);
    expect(builtIn.body).toMatchObject({ success: true, is_default: true });
    expect(await call('put', 'ledger-accounts', chart, own)).toMatchObject({
      status: 200,
      body: { is_default: false },
    });
    expect((await call('get', 'ledger-accounts', undefined, own)).body['accounts']).toEqual([
      { gl_code: '6200', gl_name: 'Office', keywords: ['paper'], is_active: true },
      { gl_code: '1000.1', gl_name: 'Other', keywords: [], is_active: false },
    ]);
    expect((await call('get', 'ledger-accounts')).body).toMatchObject({ is_default: true });
    await call('put', 'ledger-accounts', { accounts: [] }, own);
    expect((await call('get', 'ledger-accounts', undefined, own)).body['accounts']).toEqual(builtIn.body['accounts']);
  });

  it('are kept by owners and admins who are signed in too, not by members', async () => {
    for (const [role, status] of [
      ['owner', 200],
      ['admin', 200],
      ['member', 403],
      ['auditor', 403],
    ] as const) {
      expect(await call('put', 'ledger-accounts', chart, await owner.token(role))).toMatchObject({ status });
    }
    await call('put', 'ledger-accounts', { accounts: [] });
  });

  it.each([
    ['a code twice', [chart.accounts[0], chart.accounts[0]], 'accounts[1].gl_code'],
    ['a code with spaces', [{ gl_code: '6 200', gl_name: 'x' }], 'accounts[0].gl_code'],
    ['no name', [{ gl_code: '6200' }], 'accounts[0].gl_name'],
    ['too many', Array.from({ length: 1_001 }, (_, n) => ({ gl_code: String(n), gl_name: 'x' })), 'accounts'],
  ])('refuse %s', async (_, accounts, field) => {
    expect(refusal(await call('put', 'ledger-accounts', { accounts }))).toMatchObject({ status: 400, field });
  });
});
