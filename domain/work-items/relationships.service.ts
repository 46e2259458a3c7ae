import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import type { Page, Window } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type {
  AddedWorkItemRelationship,
  AddWorkItemRelationshipInput,
  RelationshipType,
  WorkItemRelationshipView,
} from '../contracts/work-item-relationships.ts';
import type { ItemType, WorkItem } from '../contracts/work-items.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { findWorkItem, namedWorkItem } from './find.ts';
import { lockStructure } from './structure.ts';

/** What a chain of these must never come back to: an item can't be a part of itself, nor wait for itself. */
const ACYCLIC: ReadonlySet<RelationshipType> = new Set(['child_of', 'blocks']);

const OF_ITEM = `
  from (
    select related_id as other_id, relationship_type, created_at, true as is_outgoing
    from work_item_relationships where client_id = $1 and work_item_id = $2
    union all
    select work_item_id, relationship_type, created_at, false
    from work_item_relationships where client_id = $1 and related_id = $2
  ) r join work_items o on o.id = r.other_id and o.client_id = $1 and o.deleted_at is null`;
const LIST = statement(`
  select r.relationship_type, r.is_outgoing, r.created_at, o.id, o.work_item_id, o.item_number, o.item_type, o.title,
    o.status, o.priority ${OF_ITEM}
  order by r.created_at desc, o.id desc, r.relationship_type limit $3 offset $4`);
const COUNT = statement(`select count(*) as total ${OF_ITEM}`);
const LEADS_BACK = statement(`
  with recursive beyond(id) as (
    select $3::bigint
    union
    select r.related_id from beyond b
    join work_item_relationships r on r.work_item_id = b.id and r.relationship_type = $4 and r.client_id = $1
    join work_items w on w.id = r.related_id and w.client_id = $1 and w.deleted_at is null)
  select 1 as found from beyond where id = $2 limit 1`);
const ADD = statement(`
  insert into work_item_relationships (client_id, work_item_id, related_id, relationship_type) values ($1, $2, $3, $4)
  on conflict do nothing returning created_at`);
const FIND = statement(`
  select created_at from work_item_relationships
  where client_id = $1 and work_item_id = $2 and related_id = $3 and relationship_type = $4`);
const REMOVE = statement(`
  delete from work_item_relationships
  where client_id = $1 and work_item_id = $2 and related_id = $3 and relationship_type = $4 returning created_at`);

interface RelationshipRow extends Record<string, unknown> {
  relationship_type: RelationshipType;
  is_outgoing: boolean;
  created_at: Date;
  id: number;
  work_item_id: string;
  item_number: string;
  item_type: ItemType;
  title: string;
  status: string;
  priority: string;
}

/** Newest first; relationships to deleted items don't show. */
export async function listRelationships(
  tx: TenantTransaction,
  ref: string,
  window: Window,
): Promise<{ relationships: WorkItemRelationshipView[]; pagination: Page }> {
  const { id } = await findWorkItem(tx, ref);
  const [rows, [count]] = await Promise.all([
    tx.query<RelationshipRow>(LIST, [tx.clientId, id, window.limit, window.offset]),
    tx.query<{ total: number }>(COUNT, [tx.clientId, id]),
  ]);
  const pagination = { total: count?.total ?? 0, limit: window.limit, offset: window.offset };
  return {
    relationships: rows.map((row) => viewOf(row.relationship_type, row.is_outgoing, row.created_at, row)),
    pagination,
  };
}

/** Adding what is there already succeeds and changes nothing. */
export async function addRelationship(
  tx: TenantTransaction,
  caller: Caller,
  input: AddWorkItemRelationshipInput,
): Promise<AddedWorkItemRelationship> {
  const type = input.relationship_type;
  if (ACYCLIC.has(type)) lockStructure(tx);
  const { item, related } = await bothItems(tx, input);
  if (item.id === related.id) throw ApiError.unprocessable("A work item can't be related to itself.");
  if (ACYCLIC.has(type)) await refuseCycle(tx, { item, related, type });
  const key = keyOf(tx, { item, related, type });
  const [added] = await tx.query<{ created_at: Date }>(ADD, key);
  const [row] = added === undefined ? await tx.query<{ created_at: Date }>(FIND, key) : [added];
  // Removed between the two statements: the caller's next try finds its place free.
  if (row === undefined) throw new ApiError('CONFLICT', 'The relationship is being changed by another call.');
  if (added !== undefined) record(tx, caller, { item, related, type, isAdded: true });
  return { ...viewOf(type, true, row.created_at, related), already_existed: added === undefined };
}

export async function removeRelationship(
  tx: TenantTransaction,
  caller: Caller,
  input: AddWorkItemRelationshipInput,
): Promise<void> {
  const type = input.relationship_type;
  const [item, related] = await Promise.all([
    findWorkItem(tx, input.work_item_id),
    findWorkItem(tx, input.related_work_item_id),
  ]);
  const [removed] = await tx.query(REMOVE, keyOf(tx, { item, related, type }));
  if (removed === undefined) {
    throw ApiError.notFound(`relationship ${type} of work item ${input.work_item_id} to`, input.related_work_item_id);
  }
  record(tx, caller, { item, related, type, isAdded: false });
}

interface Link {
  item: WorkItem;
  related: WorkItem;
  type: RelationshipType;
}

async function bothItems(
  tx: TenantTransaction,
  { work_item_id, related_work_item_id }: AddWorkItemRelationshipInput,
): Promise<{ item: WorkItem; related: WorkItem }> {
  const [item, related] = await Promise.all([
    findWorkItem(tx, work_item_id),
    namedWorkItem(tx, 'related_work_item_id', related_work_item_id),
  ]);
  return { item, related };
}

/** What an item of each type of relationship does to the other. */
const VERBS: Record<RelationshipType, string> = {
  child_of: 'be a child of',
  blocks: 'block',
  relates_to: 'relate to',
  duplicates: 'duplicate',
};

async function refuseCycle(tx: TenantTransaction, { item, related, type }: Link): Promise<void> {
  const [found] = await tx.query(LEADS_BACK, [tx.clientId, item.id, related.id, type]);
  if (found === undefined) return;
  throw ApiError.unprocessable(
    `${item.item_number} can't ${VERBS[type]} ${related.item_number}: the chain would lead back to it.`,
  );
}

/** `relates_to` holds both ways: it is kept once, from the older item to the newer one. */
function keyOf(tx: TenantTransaction, { item, related, type }: Link): [number, number, number, string] {
  const isTurned = type === 'relates_to' && item.id > related.id;
  return isTurned ? [tx.clientId, related.id, item.id, type] : [tx.clientId, item.id, related.id, type];
}

function viewOf(
  type: RelationshipType,
  isOutgoing: boolean,
  createdAt: Date,
  other: Omit<RelationshipRow, 'created_at'> | WorkItem,
): WorkItemRelationshipView {
  const { id, work_item_id, item_number, item_type, title, status, priority } = other as WorkItem;
  return {
    relationship_type: type,
    direction: type === 'relates_to' ? 'both' : isOutgoing ? 'outgoing' : 'incoming',
    related_item: { id, work_item_id, item_number, item_type, title, status, priority },
    created_at: isoMoment(createdAt),
  };
}

/** Both items' activity shows it; the event is of the item that the call was about. */
function record(
  tx: TenantTransaction,
  caller: Caller,
  { item, related, type, isAdded }: Link & { isAdded: boolean },
): void {
  const change = (other: WorkItem): Record<string, { from: unknown; to: unknown }> => {
    const link = { relationship_type: type, work_item_id: other.work_item_id };
    return { relationship: isAdded ? { from: null, to: link } : { from: link, to: null } };
  };
  const action = `work_item.relationship_${isAdded ? 'added' : 'removed'}`;
  for (const [subject, other, direction] of [
    [item, related, 'outgoing'],
    [related, item, 'incoming'],
  ] as const) {
    const details = { changes: change(other), direction: type === 'relates_to' ? 'both' : direction };
    audit(tx, caller, { action, subjectType: 'work_item', subjectId: subject.work_item_id, details });
  }
  const data = { work_item: item, changes: change(related) };
  recordEvent(tx, { name: `${item.item_type}.updated`, data, workItemId: item.id });
}
