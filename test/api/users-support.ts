import type { Response, Test } from 'supertest';
import type { Role } from '../../domain/contracts/caller.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

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
