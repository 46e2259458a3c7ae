import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { SpawnedProcess } from '../support/stack.ts';
import { PlatformProcesses } from './platform-processes.ts';

let platform: PlatformProcesses;
let api: SpawnedProcess;
beforeAll(async () => {
  platform = await PlatformProcesses.create({ SHUTDOWN_GRACE_SECONDS: '25' });
  api = await platform.startApi();
});
afterAll(() => platform.close());

describe('SIGTERM to an API', () => {
  it('answers what it has begun, and is not held up by a request that does not arrive', async () => {
    const superuser = new pg.Client({ connectionString: platform.database.superuserUrl });
    await superuser.connect();
    await superuser.query(`
      create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(3); return new; end $$;
      create trigger slow before insert on work_items for each row execute function slow()`);
    await superuser.end();
    const { hostname, port } = new URL(api.url);
    const halfSent = connect(Number(port), hostname);
    halfSent.on('error', () => undefined);
    halfSent.write(
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
    );
    const begun = platform.createWorkItem(api, 'begun');
    await sleep(500);
    const startedAt = performance.now();
    await api.stop();
    expect((await begun).status).toBe(200);
    // The begun insert takes 3 s; the grace would be 25.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    halfSent.destroy();
  });
});
