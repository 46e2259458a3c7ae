import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import type { ApiFixture } from './support.ts';

const INSERT_TEAM = statement('insert into teams (team_id, client_id, name) values ($1, $2, $3)');
const EVENTS = statement('select name, data from events where work_item_id = $1 order by id');
const AUDIT = statement(`
  select action, details from audit_entries where subject_type = $1 and subject_id = $2 order by id`);

/** The UUID of a new team. */
export async function createTeam(api: ApiFixture, clientId: number): Promise<string> {
  const id = randomUUID();
  await api.services.system.query(INSERT_TEAM, [id, clientId, `Team ${id}`]);
  return id;
}

export interface Recorded {
  name: string;
  data: { work_item: Record<string, unknown>; changes?: Record<string, { from: unknown; to: unknown }> };
}

/** The events of a work item, oldest first. */
export function eventsOf(api: ApiFixture, id: number): Promise<Recorded[]> {
  return api.services.system.query<Recorded & Record<string, unknown>>(EVENTS, [id]);
}

/** The audit entries of a record, oldest first. */
export function auditOf(
  api: ApiFixture,
  subjectId: string,
  subjectType = 'work_item',
): Promise<{ action: string; details: Record<string, unknown> | null }[]> {
  return api.services.system.query(AUDIT, [subjectType, subjectId]);
}

/** Calls actions with one key. */
export function actor(api: ApiFixture, key: string) {
  const act = (action: string, input: Record<string, unknown>): Promise<Response> => api.act(key, { action, ...input });
  return {
    act,
    /** The `data` of a success. */
    async done(action: string, input: Record<string, unknown>) {
      const { status, body } = await act(action, input);
      expect({ action, status, error: body.error }).toEqual({ action, status: 200, error: undefined });
      return body.data;
    },
    /** A new work item. */
    async item(input: Record<string, unknown> = {}) {
      return this.done('create-work-item', { item_type: 'job', title: 'Service the pump', ...input });
    },
  };
}
