import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { CreateWorkItemInput } from '../contracts/work-items.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

/** The records of the same client that a new work item points to. */
export interface References {
  primaryAssignee: number | null;
  assignees: number[];
  contractors: number[];
  /** Integer ids of the items that the new one is `child_of`. */
  parents: number[];
}

const KNOWN_USERS = statement(`select id from users where client_id = $1 and is_active and id = any($2::int[])`);
const KNOWN_CONTACTS = statement(`select id from contacts where client_id = $1 and id = any($2::int[])`);
const KNOWN_ITEMS = statement(`
  select id, work_item_id, item_type from work_items
  where client_id = $1 and work_item_id = any($2::uuid[]) and deleted_at is null`);

/**
 * Looks up every record the input names, in one round trip; a request that names none costs none.
 * A record of another client is as unknown as one that never was.
 */
export async function checkReferences(tx: TenantTransaction, input: CreateWorkItemInput): Promise<References> {
  const assignees = unique([
    ...(input.assigned_to === undefined ? [] : [input.assigned_to]),
    ...(input.assigned_users ?? []),
  ]);
  const contractors = unique(input.assigned_contractors ?? []);
  const contacts = unique([...contractors, ...(input.contact_id === undefined ? [] : [input.contact_id])]);
  const parents = unique([input.parent_id, input.project_id].filter((id) => id !== undefined));
  const [users, knownContacts, items] = await Promise.all([
    assignees.length === 0 ? [] : tx.query<{ id: number }>(KNOWN_USERS, [tx.clientId, assignees]),
    contacts.length === 0 ? [] : tx.query<{ id: number }>(KNOWN_CONTACTS, [tx.clientId, contacts]),
    parents.length === 0 ? [] : tx.query<ItemRow>(KNOWN_ITEMS, [tx.clientId, parents]),
  ]);
  const details = issuesOf(input, idsOf(users), idsOf(knownContacts), items);
  if (details.length > 0) throw ApiError.ofFields(details);
  return {
    primaryAssignee: input.assigned_to ?? input.assigned_users?.[0] ?? null,
    assignees,
    contractors,
    parents: items.map((item) => item.id),
  };
}

interface ItemRow extends Record<string, unknown> {
  id: number;
  work_item_id: string;
  item_type: string;
}

function issuesOf(
  input: CreateWorkItemInput,
  users: ReadonlySet<number>,
  contacts: ReadonlySet<number>,
  items: readonly ItemRow[],
): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const need = (field: string, id: number | undefined, known: ReadonlySet<number>, what: string): void => {
    if (id !== undefined && !known.has(id)) issues.push({ field, issue: `there is no ${what} ${String(id)}` });
  };
  need('assigned_to', input.assigned_to, users, 'active user');
  input.assigned_users?.forEach((id, index) => {
    need(`assigned_users[${String(index)}]`, id, users, 'active user');
  });
  need('contact_id', input.contact_id, contacts, 'contact');
  input.assigned_contractors?.forEach((id, index) => {
    need(`assigned_contractors[${String(index)}]`, id, contacts, 'contact');
  });
  for (const field of ['parent_id', 'project_id'] as const) {
    const id = input[field];
    const item = items.find((candidate) => candidate.work_item_id === id);
    if (id !== undefined && item === undefined) issues.push({ field, issue: `there is no work item ${id}` });
    if (field === 'project_id' && item !== undefined && item.item_type !== 'project') {
      issues.push({ field, issue: `${id ?? ''} is a ${item.item_type}, not a project` });
    }
  }
  return issues;
}

function idsOf(rows: readonly { id: number }[]): ReadonlySet<number> {
  return new Set(rows.map((row) => row.id));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
