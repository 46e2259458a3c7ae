import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import type { Role } from '../../domain/contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

export const WEBHOOKS = '/api/v1/work-items/webhooks';

interface As {
  tenant?: ApiTenant;
  role?: Role;
}

/** The webhook endpoints, called as a user of acme (its owner, unless said otherwise). */
export function webhooksOf(api: ApiFixture) {
  const send = async (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, as: As = {}) => {
    const token = await (as.tenant ?? api.acme).token(as.role ?? 'owner');
    const request = api.http()[method](`${WEBHOOKS}${path}`).set('Authorization', `Bearer ${token}`);
    return (body === undefined ? request : request.send(body)) as Promise<Response>;
  };
  const create = (input: object = {}, as: As = {}): Promise<Response> =>
    send('post', '', { name: 'ERP', endpoint_url: 'https://erp.example/hooks', events: ['job.created'], ...input }, as);
  return {
    /** Any call below the webhooks. */
    call: send,
    create,
    /** The id of a webhook that was made. */
    made: async (input: object = {}, as: As = {}): Promise<number> => {
      const answer = await create(input, as);
      if (answer.status !== 201) throw new Error(`not made: ${answer.text}`);
      return answer.body.data.id as number;
    },
    list: (as: As = {}) => send('get', '', undefined, as),
    get: (id: number, as: As = {}) => send('get', `/${String(id)}`, undefined, as),
    patch: (id: number, body: object, as: As = {}) => send('patch', `/${String(id)}`, body, as),
    remove: (id: number, as: As = {}) => send('delete', `/${String(id)}`, undefined, as),
    test: (id: number, body: object = {}, as: As = {}) => send('post', `/${String(id)}/test`, body, as),
    rows: <R extends Record<string, unknown>>(sql: string, values: readonly unknown[] = []): Promise<R[]> =>
      api.services.system.query<R>(statement(sql), values),
  };
}

export type Webhooks = ReturnType<typeof webhooksOf>;

export interface Received {
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on this machine that keeps what arrives. */
export async function receiver(answer: (response: ServerResponse, received: Received) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const one = { method: request.method ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
