import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queueMail } from '../../domain/mails/index.ts';
import type { MailRequest } from '../../domain/mails/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const PATH = '/api/v1/mails';
const STATUS = statement(`update mails set status = $2 where dedupe_key = $1`);

let api: ApiFixture;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  await queue(api.acme, { dedupeKey: 'first', text: 'Grüße\n' });
  await queue(api.acme, { dedupeKey: 'second', kind: 'webhook_recovered', subject: 'Works again' });
  await queue(api.acme, { dedupeKey: 'third', to: 'nobody' });
  await queue(api.rival, { dedupeKey: 'theirs' });
  await api.services.system.query(STATUS, ['first', 'kept']);
});
afterAll(() => api.close());

const queue = (tenant: ApiTenant, mail: Partial<MailRequest>) =>
  api.services.tenants.transaction(tenant.clientId, (tx) =>
    queueMail(tx, tenant.clientId, {
      kind: 'dlq_alert',
      to: 'thandi@acme.example',
      subject: 'Dead letters',
      text: 'Hello\n',
      dedupeKey: 'x',
      ...mail,
    }),
  );
const get = (path: string, bearer: string) => api.http().get(path).set('Authorization', `Bearer ${bearer}`);
const list = async (query = '', tenant = api.acme) => (await get(`${PATH}${query}`, await tenant.token())).body;
const subjects = (body: { data: { subject: string }[] }) => body.data.map(({ subject }) => subject);

describe('GET /api/v1/mails', () => {
  it('lists the own mails, newest first, without their text', async () => {
    const body = await list();
    expect(body.data).toHaveLength(3);
    expect(body.data[1]).toEqual({
      mail_id: expect.any(String),
      kind: 'webhook_recovered',
      to_address: 'thandi@acme.example',
      subject: 'Works again',
      status: 'queued',
      attempts: 0,
      last_error: null,
      created_at: expect.any(String),
      sent_at: null,
    });
    expect(body.data[0]).toMatchObject({ to_address: 'nobody', status: 'failed' });
    expect(body.meta.pagination).toEqual({ total: 3, limit: 50, offset: 0 });
    expect((await list('', api.rival)).data).toHaveLength(1);
  });

  it('filters by status and kind, and pages', async () => {
    expect(subjects(await list('?status=kept'))).toEqual(['Dead letters']);
    expect(subjects(await list('?kind=webhook_recovered'))).toEqual(['Works again']);
    expect(subjects(await list('?kind=webhook_recovered&status=sent'))).toEqual([]);
    const page = await list('?limit=1&offset=1');
    expect(subjects(page)).toEqual(['Works again']);
    expect(page.meta.pagination).toEqual({ total: 3, limit: 1, offset: 1 });
    expectRefusal(await get(`${PATH}?status=lost`, await api.acme.token()), 400, 'VALIDATION_ERROR');
  });

  it.each(['member', 'auditor'] as const)('is not for a %s', async (role) => {
    const token = await api.acme.token(role);
    expectRefusal(await get(PATH, token), 403, 'FORBIDDEN');
    const [{ mail_id: id }] = (await list()).data;
    expectRefusal(await get(`${PATH}/${String(id)}`, token), 403, 'FORBIDDEN');
  });

  it('is for an admin', async () => {
    expect((await get(PATH, await api.acme.token('admin'))).status).toBe(200);
  });
});

describe('GET /api/v1/mails/{mail_id}', () => {
  it('has the text', async () => {
    const [{ mail_id: id }] = (await list('?status=kept')).data;
    const answer = await get(`${PATH}/${String(id)}`, await api.acme.token());
    expect(answer.body.data).toMatchObject({ mail_id: id, status: 'kept', text_body: 'Grüße\n' });
  });

  it('answers 404 for another client’s and for none', async () => {
    const [{ mail_id: id }] = (await list()).data;
    expectRefusal(await get(`${PATH}/${String(id)}`, await api.rival.token()), 404, 'NOT_FOUND');
    const unknown = '6f1c2a4e-3b7d-4c6a-9d0e-5a8b7c6d5e4f';
    expectRefusal(await get(`${PATH}/${unknown}`, await api.acme.token()), 404, 'NOT_FOUND');
  });
});
