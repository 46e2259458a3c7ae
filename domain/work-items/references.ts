import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { CreateWorkItemInput, WorkItemWithPeople } from '../contracts/work-items.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { joinStructure } from './structure.ts';

/** The fields of an input that name other records. */
export interface Pointers {
  assigned_to?: number | null | undefined;
  assigned_users?: readonly number[] | undefined;
  assigned_team?: string | null | undefined;
  assigned_contractors?: readonly number[] | undefined;
  contact_id?: number | null | undefined;
  reporter_id?: number | null | undefined;
  parent_id?: string | undefined;
  project_id?: string | undefined;
}

interface ItemRow extends Record<string, unknown> {
  id: number;
  work_item_id: string;
  item_type: string;
}

/** Those of the records that exist. */
export interface Known {
  users: ReadonlySet<number>;
  activeUsers: ReadonlySet<number>;
  contacts: ReadonlySet<number>;
  activeTeams: ReadonlySet<string>;
  items: readonly ItemRow[];
}

const KNOWN_USERS = statement(`select id, is_active from users where client_id = $1 and id = any($2::int[])`);
const KNOWN_CONTACTS = statement(`
  select id from contacts where client_id = $1 and id = any($2::int[]) and deleted_at is null`);
const KNOWN_TEAM = statement(`select team_id from teams where client_id = $1 and team_id = $2 and is_active`);
const KNOWN_ITEMS = statement(`
  select id, work_item_id, item_type from work_items
  where client_id = $1 and work_item_id = any($2::uuid[]) and deleted_at is null`);

/**
 * Looks up every record the input names, in one round trip; an input that names none costs none. A record of another
 * client is as unknown as one that never was.
 */
export async function lookUp(tx: TenantTransaction, input: Pointers): Promise<Known> {
  const people = given([input.assigned_to, input.reporter_id, ...(input.assigned_users ?? [])]);
  const companies = given([input.contact_id, ...(input.assigned_contractors ?? [])]);
  const parents = given([input.parent_id, input.project_id]);
  const team = input.assigned_team ?? null;
  if (parents.length > 0) joinStructure(tx);
  const [users, contacts, teams, items] = await Promise.all([
    people.length === 0 ? [] : tx.query<UserRow>(KNOWN_USERS, [tx.clientId, people]),
    companies.length === 0 ? [] : tx.query<{ id: number }>(KNOWN_CONTACTS, [tx.clientId, companies]),
    team === null ? [] : tx.query<{ team_id: string }>(KNOWN_TEAM, [tx.clientId, team]),
    parents.length === 0 ? [] : tx.query<ItemRow>(KNOWN_ITEMS, [tx.clientId, parents]),
  ]);
  return {
    users: idsOf(users),
    activeUsers: idsOf(users.filter((user) => user.is_active)),
    contacts: idsOf(contacts),
    activeTeams: new Set(teams.map((row) => row.team_id)),
    items,
  };
}

/** The records of the same client that a new work item points to. */
export interface References {
  primaryAssignee: number | null;
  assignees: number[];
  contractors: number[];
  /** Integer ids of the items that the new one is `child_of`. */
  parents: number[];
}

/** The references of a new item, all of them known. */
export async function checkReferences(tx: TenantTransaction, input: CreateWorkItemInput): Promise<References> {
  const known = await lookUp(tx, input);
  refuseUnknown(input, known);
  return {
    primaryAssignee: input.assigned_to ?? input.assigned_users?.[0] ?? null,
    assignees: given([input.assigned_to, ...(input.assigned_users ?? [])]),
    contractors: given(input.assigned_contractors ?? []),
    parents: known.items.map((item) => item.id),
  };
}

/** An issue for each record that the input names and that is not there; for drafts of inputs to come. */
export async function issuesOfReferences(tx: TenantTransaction, input: Pointers): Promise<FieldIssue[]> {
  return unknownIn(input, await lookUp(tx, input));
}

export function refuseUnknown(input: Pointers, known: Known, before?: WorkItemWithPeople): void {
  const issues = unknownIn(input, known, before);
  if (issues.length > 0) throw ApiError.ofFields(issues);
}

/** What stands in `before` already is not asked about: a record read, changed and sent back whole is taken. */
function unknownIn(input: Pointers, known: Known, before?: WorkItemWithPeople): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const need = <T>(
    field: string,
    id: T | null | undefined,
    kept: T | null | undefined,
    of: [ReadonlySet<T>, string],
  ) => {
    if (id === undefined || id === null || id === kept || of[0].has(id)) return;
    issues.push({ field, issue: `there is no ${of[1]} ${String(id)}` });
  };
  const needEach = (
    field: string,
    ids: readonly number[] = [],
    kept: readonly number[] = [],
    of: [ReadonlySet<number>, string],
  ) => {
    ids.forEach((id, index) => {
      need(
        `${field}[${String(index)}]`,
        id,
        kept.find((present) => present === id),
        of,
      );
    });
  };
  const active: [ReadonlySet<number>, string] = [known.activeUsers, 'active user'];
  const contact: [ReadonlySet<number>, string] = [known.contacts, 'contact'];
  need('assigned_to', input.assigned_to, before?.assigned_to, active);
  needEach('assigned_users', input.assigned_users, before?.assigned_users, active);
  need('reporter_id', input.reporter_id, before?.reporter_id, [known.users, 'user']);
  need('assigned_team', input.assigned_team?.toLowerCase(), before?.assigned_team, [known.activeTeams, 'active team']);
  need('contact_id', input.contact_id, before?.contact_id, contact);
  needEach('assigned_contractors', input.assigned_contractors, before?.assigned_contractors, contact);
  return [...issues, ...parentIssues(input, known.items)];
}

function parentIssues(input: Pointers, items: readonly ItemRow[]): FieldIssue[] {
  return (['parent_id', 'project_id'] as const).flatMap((field) => {
    const id = input[field]?.toLowerCase();
    if (id === undefined) return [];
    const item = items.find((candidate) => candidate.work_item_id === id);
    if (item === undefined) return [{ field, issue: `there is no work item ${id}` }];
    if (field === 'project_id' && item.item_type !== 'project') {
      return [{ field, issue: `${id} is a ${item.item_type}, not a project` }];
    }
    return [];
  });
}

interface UserRow extends Record<string, unknown> {
  id: number;
  is_active: boolean;
}

function idsOf(rows: readonly { id: number }[]): ReadonlySet<number> {
  return new Set(rows.map((row) => row.id));
}

/** What there is of it, each once. */
function given<T>(values: readonly (T | null | undefined)[]): T[] {
  return [...new Set(values)].filter((value) => value !== null && value !== undefined);
}
