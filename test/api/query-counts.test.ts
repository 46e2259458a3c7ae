import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute } from '../../api/execute.ts';
import type { DetachedOperation, TenantOperation } from '../../api/operation.ts';
import { operations } from '../../api/registry.ts';
import { CURRENT_VERSION } from '../../api/versions.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { asTenant } from '../../platform/db/joint-reads.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

/** A read asks the database so often at most, however much it answers. */
const MAX_STATEMENTS = 4;

const reads = operations.filter(
  (operation): operation is TenantOperation | DetachedOperation =>
    operation.effects === 'read' && operation.unit !== 'open',
);

let api: ApiFixture;
let known: Record<string, unknown>;
let statements: string[] = [];

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  const { tenants, system } = api.services;
  // The one place through which reads go to the database; what signs the caller in isn't theirs.
  for (const database of [tenants, system] as unknown as { send: (steps: readonly [Statement][]) => unknown }[]) {
    const send = database.send.bind(database);
    database.send = (steps) => {
      const [setTenant] = asTenant(1);
      statements.push(...steps.flatMap(([{ text }]) => (text === setTenant.text ? [] : [text])));
      return send(steps);
    };
  }
  const key = await api.acme.key();
  const item = async (): Promise<string> => {
    const input = { action: 'create-work-item', item_type: 'job', title: 'Counted', tags: ['counted'] };
    return (await api.act(key, { ...input, assigned_to: api.acme.users.owner.id })).body.data.work_item_id;
  };
  known = {
    work_item_id: await item(),
    contact_id: await api.acme.contact(),
    user_id: api.acme.users.owner.id,
    event: 'job.created',
    template: {},
  };
  for (let n = 0; n < 20; n += 1) await item();
});
afterAll(() => api.close());

/** What can't be told from the schema: one of two fields is needed, though neither is required. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'get-subordinates': ['user_id'],
  'get-employee-due-tasks': ['user_id'],
  'get-employee-overdue-tasks': ['user_id'],
};

/** The required fields of an operation, each with a value that fits. */
function inputFor({ name, input }: TenantOperation | DetachedOperation): Record<string, unknown> {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const fields = [...required, ...(ALSO[name] ?? [])];
  return Object.fromEntries(fields.map((field) => [field, known[field] ?? sample(properties[field] as Schema)]));
}

interface Schema {
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  default?: unknown;
  minimum?: number;
}

function sample({ type, format, enum: choices, minimum = 1 }: Schema): unknown {
  if (choices !== undefined) return choices[0];
  if (type === 'integer' || type === 'number') return Math.max(1, minimum);
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  if (type === 'object') return {};
  if (format === 'uuid') return randomUUID();
  if (format === 'date') return '2026-01-31';
  return format === 'date-time' ? '2026-01-31T08:00:00Z' : '1';
}

async function run(operation: TenantOperation | DetachedOperation, input: unknown): Promise<string[]> {
  statements = [];
  const request = { requestId: randomUUID(), address: null, version: CURRENT_VERSION, setHeader: () => undefined };
  try {
    await execute(operation, { caller: api.acme.caller, services: api.services, request }, input);
  } catch (error) {
    // What isn't there, or may not be seen, ends the call early; a refused input means that nothing was measured.
    const isMeasured = error instanceof ApiError && !['BAD_REQUEST', 'VALIDATION_ERROR'].includes(error.code);
    if (!isMeasured) throw error;
  }
  return statements;
}

it.each(reads.map((operation) => [operation.name, operation] as const))(
  `%s asks the database ${String(MAX_STATEMENTS)} times at most`,
  async (_name, operation) => {
    const asked = await run(operation, inputFor(operation));
    expect(asked.length <= MAX_STATEMENTS ? [] : asked).toEqual([]);
  },
);

it('list-work-items does so with every filter at once, and for 20 items as for one', async () => {
  const list = reads.find(({ name }) => name === 'list-work-items')!;
  const asked = await run(list, {
    item_type: 'job',
    status: 'open',
    is_open: true,
    priority: 'medium',
    assigned_to: api.acme.users.owner.id,
    assigned_team: randomUUID(),
    contact_id: known['contact_id'],
    contractor_id: known['contact_id'],
    parent_id: known['work_item_id'],
    project_id: known['work_item_id'],
    tags: ['counted'],
    module_context: 'service-operations',
    search: 'counted',
    created_from: '2026-01-01',
    updated_since: '2026-01-01',
    due_to: '2199-01-01',
    scheduled_from: '2026-01-01',
    sort: 'due_date',
  });
  expect(asked.length).toBeLessThanOrEqual(4);
  // Else nothing was counted at all.
  expect(asked.length).toBeGreaterThan(0);
  expect(await run(list, { limit: 1 })).toHaveLength((await run(list, { limit: 20 })).length);
});
