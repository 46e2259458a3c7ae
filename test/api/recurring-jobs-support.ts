import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const EVENTS = statement(`
  select name, data from events where client_id = $1 and data -> 'recurring_job' ->> 'recurring_job_id' = $2 order by id`);
const AUDITS = statement(`
  select actor_type, action, details from audit_entries where client_id = $1 and subject_id = $2 order by id`);
const STARTS = statement(`
  select workflow_id, workflow_type, input from workflow_starts where workflow_id like $1 order by id`);

const WEEKLY = { frequency: 'weekly', days_of_week: ['monday', 'thursday'], time: '08:00', timezone: 'UTC' };

/** The fields that tests name; matchers look at the rest. */
export interface JobAnswer extends Record<string, unknown> {
  recurring_job_id: string;
  title: string;
  end_date: string | null;
  next_occurrence_at: string;
  next_occurrences: string[];
  schedule: Record<string, unknown>;
}

export interface RecurringApi {
  api: ApiFixture;
  act(action: string, input: Record<string, unknown>, apiKey?: string): Promise<Response>;
  /** create-recurring-job, Mondays and Thursdays at eight unless said otherwise. */
  create(input?: Record<string, unknown>, apiKey?: string): Promise<Response>;
  created(input?: Record<string, unknown>): Promise<JobAnswer>;
  get(id: string): Promise<JobAnswer>;
  events(id: string): Promise<{ name: string; data: Record<string, unknown> }[]>;
  audits(id: string): Promise<{ actor_type: string; action: string; details: unknown }[]>;
  /** Workflows that the job's changes have asked for. */
  syncs(id: string): Promise<Record<string, unknown>[]>;
}

export async function startRecurringApi(): Promise<RecurringApi> {
  const api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  const key = await api.acme.key(['recurring:read', 'recurring:write']);
  const { system } = api.services;
  const act: RecurringApi['act'] = (action, input, apiKey = key) => api.act(apiKey, { action, ...input });
  const create: RecurringApi['create'] = (input = {}, apiKey = key) =>
    act('create-recurring-job', { title: 'Inspect the pump', schedule: WEEKLY, ...input }, apiKey);
  return {
    api,
    act,
    create,
    created: async (input) => (await create(input)).body.data as JobAnswer,
    get: async (recurring_job_id) => (await act('get-recurring-job', { recurring_job_id })).body.data as JobAnswer,
    events: (id) => system.query(EVENTS, [api.acme.clientId, id]),
    audits: (id) => system.query(AUDITS, [api.acme.clientId, id]),
    syncs: (id) => system.query(STARTS, [`recurring-sync/${id}/%`]),
  };
}
