import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { book } from '../../domain/vision/index.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { createdItem, PlatformProcesses } from './platform-processes.ts';
import type { Answer } from './platform-processes.ts';

let platform: PlatformProcesses;
let apis: SpawnedProcess[];
let superuser: pg.Client;
beforeAll(async () => {
  platform = await PlatformProcesses.create({ RATE_LIMIT_DISABLED: 'true' });
  apis = await Promise.all([platform.startApi(), platform.startApi()]);
  superuser = new pg.Client({ connectionString: platform.database.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await platform.close();
});

function create(api: SpawnedProcess, title: string, key: string): Promise<Answer> {
  return platform.createWorkItem(api, title, { 'Idempotency-Key': key });
}

async function itemsTitled(title: string): Promise<number> {
  const { rows } = await superuser.query<{ items: string }>(
    `select count(*) as items from work_items where title = $1`,
    [title],
  );
  return Number(rows[0]?.items);
}

describe('one Idempotency-Key at two API processes', () => {
  it('50 requests at once have one effect: one 2xx, the rest 409 and then replays', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create(apis[index % 2]!, 'shared', 'shared')),
    );
    const firsts = answers.filter(({ status, isReplay }) => status === 200 && !isReplay);
    expect(firsts).toHaveLength(1);
    expect(answers.every(({ status, isReplay }) => status === 409 || isReplay || status === 200)).toBe(true);
    for (const api of apis) {
      const replay = await create(api, 'shared', 'shared');
      expect(replay.isReplay).toBe(true);
      expect(createdItem(replay)).toBe(createdItem(firsts[0]!));
    }
    expect(await itemsTitled('shared')).toBe(1);
  });

  it('is held while the first request runs, and told so at the other process', async () => {
    await slowEffects(0.5);
    const first = create(apis[0]!, 'slow', 'slow');
    await sleep(150);
    const second = await create(apis[1]!, 'slow', 'slow');
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect((await first).status).toBe(200);
    expect((await create(apis[1]!, 'slow', 'slow')).isReplay).toBe(true);
    await quickEffects();
  });
});

describe('kill -9 of the API between effect and record', () => {
  it('leaves both or neither: the retry at another process makes it one effect', async () => {
    for (const [index, after] of [50, 250].entries()) {
      const title = `killed ${String(index)}`;
      // The work item is inserted, its record waits in the trigger when the process dies.
      await slowRecords(0.2);
      const dying = await platform.startApi();
      const lost = create(dying, title, title).catch(() => undefined);
      await sleep(after);
      await dying.kill9();
      await lost;
      await quickRecords();
      const retry = await untilSettled(() => create(apis[0]!, title, title));
      expect(retry.status).toBe(200);
      expect(await itemsTitled(title)).toBe(1);
    }
  });
});

describe('Document AI', () => {
  it('binds the key to the request: a retry at another process joins the run, charged once', async () => {
    const { clientId, system } = platform.tenant;
    await system.transaction((tx) => book(tx, { clientId, reference: 'test', step: 'grant', amount: 10 }));
    const worker = await platform.startWorker('documents');
    const file = readFileSync(new URL('../fixtures/documents/invoice-text-layer.pdf', import.meta.url));
    const extract = (api: SpawnedProcess): Promise<Answer> =>
      platform.post(
        api,
        '/api/v1/vision/extract',
        { file_base64: file.toString('base64'), document_type: 'invoice' },
        { 'Idempotency-Key': 'one extraction' },
      );
    const [first, second] = await Promise.all([extract(apis[0]!), extract(apis[1]!)]);
    const again = await extract(apis[1]!);
    for (const answer of [first, second].filter(({ status }) => status !== 409)) {
      expect(answer.status).toBe(200);
      expect(answer.body['request_id']).toBe(again.body['request_id']);
    }
    expect(again).toMatchObject({ status: 200, isReplay: true });
    const { rows } = await superuser.query<{ spent: string; requests: string }>(
      `select (select count(*) from vision_requests) as requests,
         (select -sum(amount) from credit_entries where reference = $1) as spent`,
      [again.body['request_id']],
    );
    expect(rows[0]).toEqual({ requests: 1, spent: expect.stringMatching(/^1(\.0+)?$/) });
    await worker.stop();
  });
});

async function untilSettled(attempt: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt();
    if (answer.status !== 409 || tries > 40) return answer;
    await sleep(100);
  }
}

const slowEffects = (seconds: number): Promise<unknown> => slowed('work_items', seconds);
const quickEffects = (): Promise<unknown> => superuser.query('drop trigger slow on work_items');
const slowRecords = (seconds: number): Promise<unknown> => slowed('idempotency_records', seconds);
const quickRecords = (): Promise<unknown> => superuser.query('drop trigger slow on idempotency_records');

/** Makes each insert into a table take so long. */
function slowed(table: string, seconds: number): Promise<unknown> {
  return superuser.query(`
    create or replace function slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(${String(seconds)}); return new; end $$;
    create trigger slow before insert on ${table} for each row execute function slow()`);
}
