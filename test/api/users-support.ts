import type { Response, Test } from 'supertest';
import type { Role } from '../../domain/contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const OWNERS = statement(`select id from users where client_id = $1 and role = 'owner' and is_active`);

type Headers = Readonly<Record<string, string>>;

/** Requests of a signed-in user. */
export interface UserRequests {
  get(path: string): Promise<Response>;
  post(path: string, body: object, headers?: Headers): Promise<Response>;
  patch(path: string, body: object): Promise<Response>;
}

export function actingAs(api: ApiFixture, tenant: ApiTenant, role: Role = 'owner'): UserRequests {
  const send = async (test: Test, body?: object, headers: Headers = {}): Promise<Response> => {
    void test.set('Authorization', `Bearer ${await tenant.token(role)}`).set(headers);
    return body === undefined ? test : test.send(body);
  };
  return {
    get: (path) => send(api.http().get(path)),
    post: (path, body, headers) => send(api.http().post(path), body, headers),
    patch: (path, body) => send(api.http().patch(path), body),
  };
}

/** How many owners a client has who may sign in. */
export async function activeOwners(api: ApiFixture, { clientId }: ApiTenant): Promise<number> {
  return (await api.services.system.query(OWNERS, [clientId])).length;
}
