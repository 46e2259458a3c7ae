import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import type { ApiFixture } from './support.ts';

const INSERT_TEAM = statement('insert into teams (team_id, client_id, name) values ($1, $2, $3)');
const EVENTS = statement('select name, data from events where work_item_id = $1 order by id');
const AUDIT = statement(`
  select action, details from audit_entries where subject_type = $1 and subject_id = $2 order by id`);

const PEOPLE = ['assigned_users', 'assigned_contractors'];

/** An item that was answered with its people as events and lists show it. */
export function withoutPeople(item: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([field]) => !PEOPLE.includes(field)));
}

/** The UUID of a new team. */
export async function createTeam(api: ApiFixture, clientId: number): Promise<string> {
  const id = randomUUID();
  await api.services.system.query(INSERT_TEAM, [id, clientId, `Team ${id}`]);
  return id;
}

/** A value for each parameter that a new work item may have, and what reads then show of them. */
export async function everyCreateField(
  api: ApiFixture,
  related: { parent_id: string; project_id: string },
): Promise<{ input: Record<string, unknown>; shown: Record<string, unknown> }> {
  const { owner, member } = api.acme.users;
  const kept = {
    item_type: 'task',
    title: 'Replace the pump',
    description: 'At the north gate',
    module_context: 'field-service',
    status: 'scheduled',
    priority: 'urgent',
    contact_id: await api.acme.contact(),
    contact_name: 'Kruger',
    contact_email: 'office@kruger.example',
    contact_phone: '+27 13 555 0101',
    location_id: 7,
    location_name: 'North gate',
    location_address: '1 Farm Road',
    location_coordinates: { lat: -25.47, lng: 30.97 },
    contact_person_id: 9,
    contact_person: 'Sipho',
    assigned_to: owner.id,
    assigned_team: await createTeam(api, api.acme.clientId),
    assigned_contractors: [await api.acme.contact('Pump Supplies')],
    estimated_hours: 2.5,
    tags: ['pump', 'ünïcode'],
    custom_fields: { nested: { list: [1, 'a', null] } },
    notes: 'Bring a crane',
  };
  const dates = {
    scheduled_start: '2026-12-01T08:00:00+02:00',
    scheduled_end: '2026-12-01T10:00:00',
    start_date: '2026-12-01',
    due_date: '2026-12-05',
  };
  return {
    input: { ...kept, ...dates, ...related, assigned_users: [member.id] },
    shown: {
      ...kept,
      client_id: api.acme.clientId,
      item_number: expect.stringMatching(/^TASK-\d{6}$/),
      scheduled_start: '2026-12-01T06:00:00.000Z',
      scheduled_end: '2026-12-01T10:00:00.000Z',
      start_date: '2026-12-01T00:00:00.000Z',
      due_date: '2026-12-05T00:00:00.000Z',
      assigned_users: [owner.id, member.id].sort((a, b) => a - b),
      relationships_count: 2,
      comments_count: 0,
    },
  };
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
