import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { Role } from '../../domain/contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
/** One key of each user. */
const keys: Partial<Record<Role, string>> = {};
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  for (const role of ['owner', 'admin', 'member'] as const) keys[role] = await keyOf(role);
});
afterAll(() => api.close());

/** A key that the user made itself, over REST. */
async function keyOf(role: Role, scopes = ['threads:read', 'threads:send_message']): Promise<string> {
  const answer = await api
    .http()
    .post('/api/v1/integrations/api-keys')
    .set('Authorization', `Bearer ${await api.acme.token(role)}`)
    .send({ key_name: randomUUID(), permissions: Object.fromEntries(scopes.map((scope) => [scope, true])) });
  return answer.body.api_key as string;
}

const act = (role: Role, action: string, input: Record<string, unknown> = {}) =>
  api.act(keys[role] ?? '', { action, ...input });
const send = (role: Role, input: Record<string, unknown>) =>
  act(role, 'send-thread-message', { body: 'The spare part has arrived', ...input });
const idOf = (role: Role): number => api.acme.users[role].id;
const threadOf = (answer: Response): string => answer.body.data.thread.thread_id as string;
const bodies = (answer: Response): string[] => answer.body.data.messages.map(({ body }: { body: string }) => body);

describe('send-thread-message', () => {
  it('opens a thread about a subject, with the sender in it, and records the event', async () => {
    const answer = await send('owner', { participant_user_ids: [idOf('member')], subject: 'Pump' });
    expect(answer.status).toBe(200);
    const thread_id = threadOf(answer);
    expect(answer.body.data).toEqual({
      thread: {
        thread_id,
        subject: 'Pump',
        participant_user_ids: [idOf('owner'), idOf('member')].sort((a, b) => a - b),
        last_message_at: expect.any(String),
        last_message_body: 'The spare part has arrived',
        created_at: expect.any(String),
      },
      message: {
        id: expect.any(Number),
        thread_id,
        sender_id: idOf('owner'),
        sender_name: 'owner',
        body: 'The spare part has arrived',
        attachments: [],
        created_at: expect.any(String),
      },
    });
    const EVENT = statement(`select data from events where name = 'thread.message_sent' order by id desc limit 1`);
    expect(await api.services.system.query(EVENT)).toEqual([{ data: answer.body.data }]);
    const TRAIL = statement(
      `select action from audit_entries where subject_type = 'thread' and subject_id = $1 order by id`,
    );
    const trail = await api.services.system.query<{ action: string }>(TRAIL, [thread_id]);
    expect(trail.map(({ action }) => action)).toEqual(['thread.opened', 'thread.message_sent']);
  });

  it('goes on in a thread by its id, and in the direct thread of the same people', async () => {
    const first = await send('owner', { participant_user_ids: [idOf('member'), idOf('admin')] });
    const direct = threadOf(first);
    const others = [
      await send('owner', { participant_user_ids: [idOf('admin'), idOf('member'), idOf('admin')] }),
      await send('member', { participant_user_ids: [idOf('owner'), idOf('admin'), idOf('member')] }),
      await send('admin', { thread_id: direct }),
    ];
    expect(others.map(threadOf)).toEqual([direct, direct, direct]);
    const apart = [
      await send('owner', { participant_user_ids: [idOf('member')] }),
      await send('owner', { participant_user_ids: [idOf('member'), idOf('admin')], subject: 'Another' }),
      await send('owner', { participant_user_ids: [idOf('member'), idOf('admin')], subject: 'Another' }),
    ];
    expect(new Set([direct, ...apart.map(threadOf)]).size).toBe(4);
  });

  it('opens one direct thread, however many write to each other at the same moment', async () => {
    const [a, b] = [idOf('admin'), idOf('member')];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? send('admin', { participant_user_ids: [b], body: `a${String(index)}` })
          : send('member', { participant_user_ids: [a], body: `b${String(index)}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(threadOf)).size).toBe(1);
    const thread_id = threadOf(answers[0]!);
    const read = await act('admin', 'get-thread-messages', { thread_id });
    expect(read.body.meta.pagination.total).toBe(12);
    const listed = (await act('member', 'list-threads', { limit: 1 })).body.data.threads;
    expect(listed).toMatchObject([{ thread_id, last_message_body: bodies(read)[0] }]);
    const found = await api.services.system.query(
      statement(`select count(*) as participants from thread_participants where thread_id = $1`),
      [thread_id],
    );
    expect(found).toEqual([{ participants: 2 }]);
  });

  it('refers to files of work items, which must be there', async () => {
    const all = await api.acme.key();
    const created = await api.act(all, { action: 'create-work-item', item_type: 'job', title: 'Pump' });
    const { work_item_id } = created.body.data;
    const upload = async (name: string) => {
      const file = await api
        .http()
        .post(`/api/v1/work-items/${String(work_item_id)}/attachments`)
        .set('Authorization', `Bearer ${await api.acme.token()}`)
        .attach('file', Buffer.from('hello'), name);
      return file.body.data as { id: number; download_path: string };
    };
    const [other, { id, download_path }] = [await upload('other.txt'), await upload('hello.txt')];
    const participant_user_ids = [idOf('member')];
    const answer = await send('owner', { participant_user_ids, attachments: [id, other.id, id] });
    expect(answer.body.data.message.attachments).toEqual([
      { attachment_id: id, work_item_id, file_name: 'hello.txt', content_type: 'text/plain', size: 5, download_path },
      expect.objectContaining({ attachment_id: other.id, file_name: 'other.txt' }),
    ]);
    const unknown = await send('owner', { participant_user_ids, attachments: [id, 999_999] });
    expectRefusal(unknown, 400, 'VALIDATION_ERROR');
    expect(unknown.body.error.details[0].field).toBe('attachments[1]');
    const rivals = { action: 'send-thread-message', body: 'x', attachments: [id] };
    const theirs = await api.act(await api.rival.key(), {
      ...rivals,
      participant_user_ids: [api.rival.users.member.id],
    });
    expectRefusal(theirs, 400, 'VALIDATION_ERROR');
    await api.act(all, { action: 'delete-work-item', work_item_id });
    const gone = await send('owner', { participant_user_ids, attachments: [id] });
    expectRefusal(gone, 400, 'VALIDATION_ERROR');
  });

  it.each([
    [{}, 'BAD_REQUEST', 'thread_id'],
    [{ participant_user_ids: [1], body: undefined }, 'BAD_REQUEST', 'body'],
    [{ participant_user_ids: [1], body: 'x'.repeat(10_001) }, 'VALIDATION_ERROR', 'body'],
    [{ participant_user_ids: [] }, 'VALIDATION_ERROR', 'participant_user_ids'],
    [{ participant_user_ids: ['1'] }, 'BAD_REQUEST', 'participant_user_ids[0]'],
    [{ participant_user_ids: [999_999] }, 'VALIDATION_ERROR', 'participant_user_ids[0]'],
    [{ thread_id: 'x' }, 'VALIDATION_ERROR', 'thread_id'],
    [{ thread_id: randomUUID(), participant_user_ids: [1] }, 'VALIDATION_ERROR', 'participant_user_ids'],
    [{ thread_id: randomUUID(), subject: 'x' }, 'VALIDATION_ERROR', 'subject'],
  ])('refuses %j', async (input, code, field) => {
    const answer = await send('owner', input);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('writes to nobody else than users of the client, and not to oneself alone', async () => {
    const stranger = await send('owner', { participant_user_ids: [api.rival.users.owner.id] });
    expectRefusal(stranger, 400, 'VALIDATION_ERROR');
    expectRefusal(await send('owner', { participant_user_ids: [idOf('owner')] }), 400, 'VALIDATION_ERROR');
  });

  it('needs threads:send_message', async () => {
    const key = await keyOf('member', ['threads:read']);
    const message = { action: 'send-thread-message', body: 'x', participant_user_ids: [idOf('owner')] };
    expectRefusal(await api.act(key, message), 403, 'SCOPE_REQUIRED');
  });
});

describe('a thread', () => {
  it('is read by its participants only: 404 for an owner or admin who takes no part, and for another client', async () => {
    const thread_id = threadOf(await send('admin', { participant_user_ids: [idOf('member')], subject: 'Private' }));
    for (const role of ['admin', 'member'] as const) {
      expect((await act(role, 'get-thread-messages', { thread_id })).status).toBe(200);
    }
    const rival = await api.rival.key();
    for (const refused of [
      await act('owner', 'get-thread-messages', { thread_id }),
      await send('owner', { thread_id }),
      await api.act(rival, { action: 'get-thread-messages', thread_id }),
      await api.act(rival, { action: 'send-thread-message', thread_id, body: 'x' }),
    ]) {
      expectRefusal(refused, 404, 'NOT_FOUND');
    }
    const mine = await act('owner', 'list-threads');
    expect(mine.body.data.threads.map((thread: { thread_id: string }) => thread.thread_id)).not.toContain(thread_id);
    expect((await api.act(rival, { action: 'list-threads' })).body.data.threads).toEqual([]);
  });

  it('tells its messages newest first, and comes to the top of the list with each', async () => {
    const participant_user_ids = [idOf('owner')];
    const older = threadOf(await send('member', { participant_user_ids, subject: 'Older', body: 'one' }));
    const newer = threadOf(await send('member', { participant_user_ids, subject: 'Newer' }));
    const top = async () => (await act('owner', 'list-threads', { limit: 2 })).body;
    expect((await top()).data.threads).toMatchObject([{ thread_id: newer }, { thread_id: older }]);
    await send('owner', { thread_id: older, body: 'two' });
    await send('member', { thread_id: older, body: 'three' });
    expect((await top()).data.threads).toMatchObject([
      { thread_id: older, subject: 'Older', last_message_body: 'three' },
      { thread_id: newer },
    ]);
    expect((await top()).meta.pagination).toMatchObject({ limit: 2, offset: 0 });
    expect(bodies(await act('owner', 'get-thread-messages', { thread_id: older }))).toEqual(['three', 'two', 'one']);
    const window = await act('owner', 'get-thread-messages', { thread_id: older, limit: 1, offset: 1 });
    expect(bodies(window)).toEqual(['two']);
    expect(window.body.meta.pagination).toEqual({ total: 3, limit: 1, offset: 1 });
  });

  it('needs threads:read, and a UUID', async () => {
    const key = await keyOf('member', ['threads:send_message']);
    expectRefusal(await api.act(key, { action: 'list-threads' }), 403, 'SCOPE_REQUIRED');
    const read = { action: 'get-thread-messages', thread_id: randomUUID() };
    expectRefusal(await api.act(key, read), 403, 'SCOPE_REQUIRED');
    expectRefusal(await act('owner', 'get-thread-messages', { thread_id: randomUUID() }), 404, 'NOT_FOUND');
    expectRefusal(await act('owner', 'get-thread-messages', { thread_id: 7 }), 400, 'BAD_REQUEST');
  });
});
