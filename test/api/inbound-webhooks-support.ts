import { createHmac } from 'node:crypto';
import type { Response } from 'supertest';
import type { ApiFixture, ApiTenant } from './support.ts';

export const PATH = '/api/v1/integrations/inbound-webhooks';

export interface MadeWebhook {
  id: string;
  receivePath: string;
  /** The API key or the signing secret; '' where there is none. */
  secret: string;
}

/** Makes an inbound webhook through the API. */
export async function makeInbound(
  api: ApiFixture,
  tenant: ApiTenant,
  input: Record<string, unknown> = {},
): Promise<MadeWebhook> {
  const answer = await api
    .http()
    .post(PATH)
    .auth(await tenant.token(), { type: 'bearer' })
    .send({ name: 'Alarms', webhook_type: 'custom', ...input });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const body = answer.body as { data: { id: string; receive_path: string }; api_key?: string; secret_key?: string };
  const { id, receive_path: receivePath } = body.data;
  return { id, receivePath, secret: body.api_key ?? body.secret_key ?? '' };
}

/** Posts to an inbound webhook; a text is sent as it is. */
export function post(
  api: ApiFixture,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return Promise.resolve(api.http().post(path).set('Content-Type', 'application/json').set(headers).send(text));
}

export function serviceSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** The receipts of a webhook, newest first. */
export async function receiptsOf(
  api: ApiFixture,
  tenant: ApiTenant,
  id: string,
  query = '',
): Promise<Record<string, unknown>[]> {
  const answer = await api
    .http()
    .get(`${PATH}/${id}/receipts${query}`)
    .auth(await tenant.token(), { type: 'bearer' });
  return (answer.body as { data: Record<string, unknown>[] }).data;
}
