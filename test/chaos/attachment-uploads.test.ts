import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeUnclaimed } from '../../domain/attachments/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { processEnvironment, spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';

/** The fixture makes tenants and tokens; the uploads go to an API process of their own on the same database and blobs. */
let api: ApiFixture;
let server: SpawnedProcess;
let token: string;
let path: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  token = await api.acme.token();
  const created = await api.act(await api.acme.key(), { action: 'create-work-item', item_type: 'job', title: 'Pump' });
  path = `/api/v1/work-items/${String(created.body.data.work_item_id)}/attachments`;
  server = await start();
});
afterAll(async () => {
  await server.stop();
  await api.close();
});

const start = (): Promise<SpawnedProcess> =>
  spawnProcess('api/server.ts', processEnvironment(api.database, { RATE_LIMIT_DISABLED: 'true' }));

const MIB = 1_048_576;
const COUNT = statement(`select count(*) as rows from work_item_attachments`);
const UNCLAIMED = statement(`select blob_key from unclaimed_blobs`);

function blobs(): string[] {
  return readdirSync(join(api.services.config.BLOB_DIR, 'attachments', String(api.acme.clientId)));
}

const blobOf = (size: number): Blob => new Blob([new Uint8Array(randomBytes(size))]);

async function upload(bytes: Blob): Promise<{ status: number; path: string }> {
  const form = new FormData();
  form.append('file', bytes, 'big.bin');
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const { data } = (await answer.json()) as { data: { download_path: string } };
  return { status: answer.status, path: data.download_path };
}

async function residentMib(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? Number.NaN) / MIB;
}

describe('an API process', () => {
  it('takes and gives twelve files of 20 MiB at once without holding them in memory', async () => {
    const bytes = blobOf(20 * MIB);
    await upload(blobOf(MIB));
    const before = await residentMib();
    let peak = before;
    const end = new AbortController();
    const watching = (async () => {
      while (!end.signal.aborted) {
        peak = Math.max(peak, await residentMib());
        await sleep(20);
      }
    })();
    const sent = await Promise.all(Array.from({ length: 12 }, () => upload(bytes)));
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 201));
    const sizes = await Promise.all(
      sent.map(async (file) => {
        const answer = await fetch(`${server.url}${file.path}`, { headers: { authorization: `Bearer ${token}` } });
        let size = 0;
        for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) size += chunk.length;
        return size;
      }),
    );
    end.abort();
    await watching;
    expect(sizes).toEqual(sizes.map(() => bytes.size));
    // 240 MiB in and 240 MiB out. What is measured is mostly buffers that the garbage collector is in no hurry to take.
    expect(peak - before).toBeLessThan(140);
  }, 120_000);

  it('killed in the middle of an upload leaves a blob that maintenance finds, and no row', async () => {
    const { system } = api.services;
    const [{ rows: before } = { rows: 0 }] = await system.query<{ rows: number }>(COUNT);
    const boundary = '----cut';
    const sent = request(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    sent.on('error', () => undefined);
    sent.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="cut.bin"\r\n\r\n`);
    sent.write(randomBytes(2 * MIB));
    while (blobs().length === before) await sleep(10);
    await server.kill9();
    sent.destroy();
    expect(blobs()).toHaveLength(before + 1);
    // It might still be on its way.
    expect(await removeUnclaimed(api.services, Date.now())).toEqual({ removed: 0, isDone: true });
    expect(await removeUnclaimed(api.services, Date.now() + 3_700_000)).toEqual({ removed: 1, isDone: true });
    expect(blobs()).toHaveLength(before);
    expect(await system.query(UNCLAIMED)).toEqual([]);
    expect(await system.query(COUNT)).toEqual([{ rows: before }]);
    server = await start();
    expect((await upload(blobOf(MIB))).status).toBe(201);
  }, 60_000);
});
