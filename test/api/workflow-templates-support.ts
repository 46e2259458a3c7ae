import type { Response } from 'supertest';
import type { Role } from '../../domain/contracts/caller.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

export type Call = (
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  body?: object,
  as?: { tenant?: ApiTenant; role?: Role },
) => Promise<Response>;

/** Calls below /api/v1 with the token of a user, the owner of acme unless told otherwise. */
export function caller(api: ApiFixture): Call {
  return async (method, path, body, as = {}) => {
    const token = await (as.tenant ?? api.acme).token(as.role);
    const request = api.http()[method](`/api/v1${path}`).set('Authorization', `Bearer ${token}`);
    return body === undefined ? request : request.send(body);
  };
}

export const STEPS = [{ type: 'comment', body: 'Seen by {{ template.name }}' }];
export const URGENT_JOBS = {
  name: 'Urgent jobs',
  module: 'service-operations',
  trigger_type: 'event',
  status: 'active',
  config: { event: 'job.created', condition: { 'work_item.priority': 'urgent' }, steps: STEPS },
};

/** A template of the owner's, active unless `fields` say otherwise. */
export async function createdTemplate(call: Call, fields: object = {}): Promise<{ id: number }> {
  const answer = await call('post', '/workflows', { ...URGENT_JOBS, ...fields });
  if (answer.status !== 201) throw new Error(`the template was refused: ${answer.text}`);
  return answer.body.data;
}
