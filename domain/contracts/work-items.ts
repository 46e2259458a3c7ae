import { z } from 'zod';
import { dateOrMomentField as dateOrMoment, idField as id, Moment, textField as text, windowFields } from './common.ts';

export const ITEM_TYPES = ['job', 'task', 'ticket', 'project', 'milestone'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

/** Priorities a new item may have; updates also know `critical` (spec, "Work item parameters"). */
export const CREATE_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;

const Coordinates = z
  .strictObject({
    lat: z.number().min(-90).max(90).describe('Latitude in degrees'),
    lng: z.number().min(-180).max(180).describe('Longitude in degrees'),
  })
  .describe('Where the work is done');

export const CreateWorkItem = z.strictObject({
  item_type: z.enum(ITEM_TYPES).describe('Kind of work item').meta({ example: 'job' }),
  title: text(500, 'Short name of the work').meta({ example: 'Replace the pump at the north gate' }),
  description: text(20_000, 'What is to be done').optional(),
  module_context: text(100, 'Workflow template key; jobs default to service-operations').optional(),
  status: text(40, 'Initial status; the default depends on item_type').optional(),
  priority: z.enum(CREATE_PRIORITIES).default('medium').describe('Urgency'),
  contact_id: id('Contact the work is for').optional(),
  contact_name: text(200, 'Name of the contact, when it is not a record').optional(),
  contact_email: z.email().max(254).describe('E-mail of the contact').optional(),
  contact_phone: text(40, 'Phone number of the contact').optional(),
  location_id: id('Location of the work').optional(),
  location_name: text(200, 'Name of the location').optional(),
  location_address: text(500, 'Address of the location').optional(),
  location_coordinates: Coordinates.optional(),
  contact_person_id: id('Contact person at the client').optional(),
  contact_person: text(200, 'Name of the contact person').optional(),
  assigned_to: id('User id of the primary assignee').optional(),
  assigned_team: z.uuid().describe('UUID of the team').optional(),
  assigned_users: z.array(id('User id')).max(100).describe('User ids of all assignees').optional(),
  assigned_contractors: z.array(id('Contact id')).max(100).describe('Contact ids of outside contractors').optional(),
  scheduled_start: dateOrMoment('Planned start').optional(),
  scheduled_end: dateOrMoment('Planned end; not before scheduled_start').optional(),
  start_date: dateOrMoment('First day').optional(),
  due_date: dateOrMoment('Last day').optional(),
  estimated_hours: z.number().min(0).max(100_000).describe('Estimated effort in hours').optional(),
  parent_id: z.uuid().describe('UUID of the parent work item').optional(),
  project_id: z.uuid().describe('UUID of the project; creates a child_of relationship').optional(),
  tags: z.array(z.string().min(1).max(60)).max(50).describe('Free labels').optional(),
  custom_fields: z.record(z.string(), z.unknown()).describe('Any JSON of your own, at most 16 KiB').optional(),
  notes: text(20_000, 'Internal notes').optional(),
});
export type CreateWorkItemInput = z.output<typeof CreateWorkItem>;

const UUID_OR_INTEGER = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[1-9]\d{0,14})$/i;

/** Names a work item: its UUID, or its integer id written as text (decisions §6). */
export const WorkItemRef = z
  .string()
  .regex(UUID_OR_INTEGER, 'must be the UUID or the integer id of a work item')
  .describe('UUID of the work item; its integer id is understood too')
  .meta({ example: '0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10' });

export const GetWorkItem = z.strictObject({ work_item_id: WorkItemRef });

export const ListWorkItems = z.strictObject({
  item_type: z.enum(ITEM_TYPES).describe('Only items of this kind').optional(),
  status: text(40, 'Only items with this status').optional(),
  ...windowFields(),
});
export type ListWorkItemsInput = z.output<typeof ListWorkItems>;

const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();

/** A work item as every read shows it: the REST `id` and the Public Data `work_item_id` name the same row. */
export const WorkItemView = z
  .object({
    id: z.int().describe('Integer id').meta({ example: 4711 }),
    work_item_id: z.uuid().describe('UUID'),
    item_number: z
      .string()
      .describe('Number for people, ascending per client and type')
      .meta({ example: 'JOB-000001' }),
    item_type: z.enum(ITEM_TYPES),
    item_subtype: nullable(z.string()),
    module_context: nullable(z.string()).meta({ example: 'service-operations' }),
    title: z.string().meta({ example: 'Replace the pump at the north gate' }),
    description: nullable(z.string()),
    status: z.string().meta({ example: 'open' }),
    priority: z.string().meta({ example: 'medium' }),
    client_id: z.int(),
    contact_id: nullable(z.int()),
    contact_name: nullable(z.string()),
    contact_email: nullable(z.string()),
    contact_phone: nullable(z.string()),
    contact_person_id: nullable(z.int()),
    contact_person: nullable(z.string()),
    location_id: nullable(z.int()),
    location_name: nullable(z.string()),
    location_address: nullable(z.string()),
    location_coordinates: nullable(z.object({ lat: z.number(), lng: z.number() })),
    reporter_id: nullable(z.int()),
    reporter_name: nullable(z.string()),
    reporter_email: nullable(z.string()),
    reporter_phone: nullable(z.string()),
    assigned_to: nullable(z.int()),
    assigned_team: nullable(z.uuid()),
    scheduled_start: nullable(Moment),
    scheduled_end: nullable(Moment),
    start_date: nullable(Moment),
    due_date: nullable(Moment),
    estimated_hours: nullable(z.number()),
    tags: z.array(z.string()).meta({ example: ['pumps'] }),
    custom_fields: z.record(z.string(), z.unknown()),
    notes: nullable(z.string()),
    completed_at: nullable(Moment),
    closed_at: nullable(Moment),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'WorkItem' });
export type WorkItem = z.output<typeof WorkItemView>;

/** A single read also tells who works on the item and how much hangs on it. */
export const WorkItemDetail = WorkItemView.extend({
  assigned_users: z.array(z.int()).describe('User ids of all assignees'),
  assigned_contractors: z.array(z.int()).describe('Contact ids of contractors'),
  relationships_count: z.int(),
}).meta({ id: 'WorkItemDetail' });

export const WorkItemList = z.object({ work_items: z.array(WorkItemView) });
