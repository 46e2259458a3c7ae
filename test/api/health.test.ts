import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import supertest from 'supertest';
import { createApp } from '../../api/app.ts';
import { closeServices, createServices } from '../../api/services.ts';
import { loadConfig } from '../../platform/config.ts';
import { createLogger } from '../../platform/log.ts';
import { processEnvironment, startReceiver } from '../support/stack.ts';
import type { Receiver } from '../support/stack.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let upstream: Receiver;
beforeAll(async () => {
  upstream = await startReceiver(200);
  api = await startApi({
    HEALTH_WEBSOCKET_URL: upstream.url,
    HEALTH_WHATSAPP_URL: 'http://127.0.0.1:1/',
  });
});
afterAll(async () => {
  await api.close();
  await upstream.close();
});

describe('GET /api/v1/health', () => {
  it('answers the platform without authentication', async () => {
    const answer = await api.http().get('/api/v1/health');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'healthy',
      service: 'platform',
      latency_ms: expect.any(Number),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  it.each([
    ['api-gateway', 'disabled'],
    ['websocket', 'healthy'],
    ['cloud-storage', 'healthy'],
    ['whatsapp', 'down'],
    ['firewall', 'disabled'],
    ['freeswitch', 'disabled'],
  ])('/%s is %s, with 200', async (service, status) => {
    const answer = await api.http().get(`/api/v1/health/${service}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ service, status });
  });

  it('/all sums up; a down service leaves the whole degraded', async () => {
    const { status, body } = await api.http().get('/api/v1/health/all');
    expect(status).toBe(200);
    expect(body.status).toBe('degraded');
    const states = Object.fromEntries(
      body.services.map((report: { service: string; status: string }) => [report.service, report.status]),
    );
    expect(states).toMatchObject({ platform: 'healthy', temporal: 'healthy', 'worker-platform': 'down' });
    const { total, ...counts } = body.summary;
    expect(total).toBe(body.services.length);
    expect(Object.keys(counts).sort()).toEqual(['degraded', 'disabled', 'down', 'healthy']);
    expect(Object.values<number>(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
  });
});

describe('GET /metrics', () => {
  it('counts authentications by kind of credential and result', async () => {
    await api.http().get('/api/v1/public/data').set('X-API-Key', 'svc_sk_typo');
    const { text } = await api.http().get('/metrics');
    expect(text).toMatch(/authentication_total\{method="api_key",result="invalid_api_key"\} [1-9]/);
  });

  it('counts requests by route template, never by what was asked for', async () => {
    const key = await api.acme.key();
    await api.act(key, { action: 'list-work-items' });
    await api.http().get('/api/v1/work-items/webhooks/424242');
    await api.http().get('/made-up-path-777');
    const answer = await api.http().get('/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.text).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/public\/data",status="200"\} \d/,
    );
    expect(answer.text).toContain('route="/api/v1/work-items/webhooks/{id}",status="401"');
    expect(answer.text).toContain('database_pool_connections{pool="app",state="idle"}');
    expect(answer.text).toContain('process_cpu_seconds_total');
    for (const secret of ['424242', 'made-up-path', 'acme', key]) expect(answer.text).not.toContain(secret);
  });
});

describe('with the database away', () => {
  it('answers 200 with status down to health, and 503 with Retry-After to calls', async () => {
    const key = await api.acme.key();
    // The connections that are open stay open; a process that starts now gets none (SQLSTATE 53300).
    await asSuperuser(`alter database ${api.database.name} connection limit 0`);
    const config = loadConfig(processEnvironment(api.database));
    const services = await createServices(config, createLogger('api', 'silent'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    server.on('request', createApp(services, url) as (...args: unknown[]) => void);
    try {
      const health = await supertest(url).get('/api/v1/health');
      expect({ status: health.status, state: health.body.status }).toEqual({ status: 200, state: 'down' });
      const answer = await supertest(url).get('/api/v1/public/data').set('X-API-Key', key);
      expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.text).not.toMatch(/too many|postgres|database/i);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await closeServices(services);
    }
  });
});

async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: api.database.superuserUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}
