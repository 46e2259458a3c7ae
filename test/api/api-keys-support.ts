import type { Response } from 'supertest';
import type { Role } from '../../domain/contracts/caller.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const BASE = '/api/v1/integrations/api-keys';

export interface MadeKey {
  id: number;
  key: string;
}

/** Calls of the key management as a user of one role; `from` is the address the API sees. */
export class KeyManager {
  readonly #api: ApiFixture;
  readonly #tenant: ApiTenant;
  readonly #role: Role;
  static #named = 0;

  constructor(api: ApiFixture, tenant: ApiTenant, role: Role = 'owner') {
    this.#api = api;
    this.#tenant = tenant;
    this.#role = role;
  }

  as(role: Role): KeyManager {
    return new KeyManager(this.#api, this.#tenant, role);
  }

  /** A testing key unless `body` says otherwise. */
  async make(body: Record<string, unknown> = {}): Promise<MadeKey> {
    KeyManager.#named += 1;
    const key_name = `made ${String(KeyManager.#named)}`;
    const answer = await this.create({
      key_name,
      environment: 'testing',
      permissions: { 'work_items:read': true },
      ...body,
    });
    if (answer.status !== 201) throw new Error(`no key was made: ${JSON.stringify(answer.body)}`);
    const { data, api_key } = answer.body as { data: { id: number }; api_key: string };
    return { id: data.id, key: api_key };
  }

  create(body: Record<string, unknown>): Promise<Response> {
    return this.#send('post', '', body);
  }

  list(): Promise<Response> {
    return this.#send('get', '');
  }

  get(id: number): Promise<Response> {
    return this.#send('get', `/${String(id)}`);
  }

  patch(id: number, body: Record<string, unknown>): Promise<Response> {
    return this.#send('patch', `/${String(id)}`, body);
  }

  delete(id: number): Promise<Response> {
    return this.#send('delete', `/${String(id)}`);
  }

  rotate(id: number, body?: Record<string, unknown>): Promise<Response> {
    return this.#send('post', `/${String(id)}/rotate`, body);
  }

  reveal(id: number, password: unknown, from = '198.51.100.9'): Promise<Response> {
    return this.#send('post', `/${String(id)}/reveal`, { password }, { 'X-Forwarded-For': from });
  }

  audit(id: number, query = ''): Promise<Response> {
    return this.#send('get', `/${String(id)}/audit${query}`);
  }

  /** The status of a read with the key. */
  async statusWith(key: string, from = '198.51.100.9'): Promise<number> {
    return (await this.read(key, from)).status;
  }

  /** A read with the key from an address. */
  async read(key: string, from = '198.51.100.9'): Promise<Response> {
    return this.#api
      .http()
      .post('/api/v1/public/data')
      .set({ 'X-API-Key': key, 'X-Forwarded-For': from })
      .send({ action: 'list-work-items' });
  }

  async #send(
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    body?: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const authorization = `Bearer ${await this.#tenant.token(this.#role)}`;
    const http = this.#api.http();
    const request = http[method](`${BASE}${path}`).set({ authorization, ...headers });
    return body === undefined ? request : request.send(body);
  }
}

/** The fields that a refusal names. */
export function fieldsOf(answer: Response): string[] {
  return (answer.body as { error: { details: { field: string }[] } }).error.details.map(({ field }) => field);
}
