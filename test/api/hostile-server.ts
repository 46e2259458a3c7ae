import { expect } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../api/app.ts';
import { createHttpServer, HTTP_LIMITS, serveApp } from '../../api/http/http-server.ts';
import type { HttpLimits } from '../../api/http/http-server.ts';
import type { Services } from '../../api/services.ts';
import type { RawAnswer } from '../support/raw-http.ts';

export interface HostileServer {
  url: string;
  openConnections(): Promise<number>;
  close(): Promise<void>;
}

/** The API behind the very HTTP server of the API process, with limits short enough to be waited for. */
export async function startHostileServer(
  services: Services,
  limits: Partial<HttpLimits> & { bodyTimeoutMs?: number } = {},
): Promise<HostileServer> {
  const server = createHttpServer({ ...HTTP_LIMITS, ...limits });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const app = createApp(services, url);
  if (limits.bodyTimeoutMs !== undefined) app.set('body timeout', limits.bodyTimeoutMs);
  serveApp(server, app as never, { publicUrl: url, log: services.log });
  return {
    url,
    openConnections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The envelope of a refusal, as it came over the wire. */
export function expectRawRefusal(answer: RawAnswer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.error?.code }).toEqual({ status, code });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  expect(answer.body.success).toBe(false);
  expect(answer.body.error.request_id).toBe(answer.headers['x-request-id']);
  expect(answer.body.meta).toMatchObject({ request_id: answer.headers['x-request-id'] });
  expect(answer.body.error.documentation_url).toMatch(new RegExp(`/docs/errors/${code}$`));
  expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts:|\bat \w+ \(/);
}
