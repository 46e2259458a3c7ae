import { z } from 'zod';
import { Moment, windowFields } from './common.ts';
import { ITEM_TYPES, WorkItemRef } from './work-items.ts';

export const RELATIONSHIP_TYPES = ['child_of', 'blocks', 'relates_to', 'duplicates'] as const;
export type RelationshipType = (typeof RELATIONSHIP_TYPES)[number];

const LINK = {
  work_item_id: WorkItemRef,
  relationship_type: z
    .enum(RELATIONSHIP_TYPES)
    .describe(
      'How work_item_id stands to related_work_item_id: child_of (it is a part of the other), blocks (the other must wait for it), relates_to (both ways), duplicates (it repeats the other)',
    )
    .meta({ example: 'child_of' }),
  related_work_item_id: WorkItemRef.describe(
    'UUID of the other work item; its integer id and its item number are understood too',
  ),
};

export const AddWorkItemRelationship = z.strictObject(LINK);
export type AddWorkItemRelationshipInput = z.output<typeof AddWorkItemRelationship>;

export const RemoveWorkItemRelationship = z.strictObject(LINK);

export const ListWorkItemRelationships = z.strictObject({ work_item_id: WorkItemRef, ...windowFields() });

/** A relationship as one of its two items sees it. */
export const WorkItemRelationshipView = z
  .object({
    relationship_type: z.enum(RELATIONSHIP_TYPES),
    direction: z
      .enum(['outgoing', 'incoming', 'both'])
      .describe('outgoing: the item is child_of, blocks or duplicates the related one; incoming: the other way round'),
    related_item: z
      .object({
        id: z.int(),
        work_item_id: z.uuid(),
        item_number: z.string().meta({ example: 'JOB-000001' }),
        item_type: z.enum(ITEM_TYPES),
        title: z.string(),
        status: z.string().meta({ example: 'open' }),
        priority: z.string().meta({ example: 'medium' }),
      })
      .describe('The item at the other end'),
    created_at: Moment,
  })
  .meta({ id: 'WorkItemRelationship' });
export type WorkItemRelationshipView = z.output<typeof WorkItemRelationshipView>;

export const WorkItemRelationshipList = z.object({ relationships: z.array(WorkItemRelationshipView) });

export const AddedWorkItemRelationship = WorkItemRelationshipView.extend({
  already_existed: z.boolean().describe('True when the relationship was there before this call'),
}).meta({ id: 'AddedWorkItemRelationship' });
export type AddedWorkItemRelationship = z.output<typeof AddedWorkItemRelationship>;

export const RemovedWorkItemRelationship = z
  .object({ removed: z.literal(true) })
  .meta({ id: 'RemovedWorkItemRelationship' });
