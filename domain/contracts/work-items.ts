import { z } from 'zod';
import {
  dateOrMomentField as dateOrMoment,
  emptiable,
  idField as id,
  Moment,
  textField as text,
  windowFields,
  emailField,
} from './common.ts';

export const ITEM_TYPES = ['job', 'task', 'ticket', 'project', 'milestone'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

/** Priorities a new item may have; updates also know `critical` (spec, "Work item parameters"). */
export const CREATE_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
/** From the least urgent to the most. */
export const UPDATE_PRIORITIES = [...CREATE_PRIORITIES, 'critical'] as const;

/** Statuses that end a work item (decisions §5). */
export const CLOSURE_STATUSES = ['completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled'] as const;

/** Every status there is; which of them an item can have depends on its type. */
const STATUSES = [
  'open',
  'scheduled',
  'in_progress',
  'on_hold',
  'planning',
  'active',
  'pending',
  ...CLOSURE_STATUSES,
] as const;
const STATUS_RULE =
  'planning and active are for projects, pending is for milestones, scheduled is for all but milestones';

const Coordinates = z
  .strictObject({
    lat: z.number().min(-90).max(90).describe('Latitude in degrees'),
    lng: z.number().min(-180).max(180).describe('Longitude in degrees'),
  })
  .describe('Where the work is done')
  .meta({ example: { lat: -25.47, lng: 30.97 } });

/** Fields that a new item may have and that an update may set or, with null, empty. */
const EMPTIABLE = {
  description: text(20_000, 'What is to be done'),
  module_context: text(100, 'Workflow template key; new jobs have service-operations unless told otherwise'),
  contact_id: id('Contact the work is for (list-contacts)'),
  contact_name: text(200, 'Name of the contact, when it is not a record'),
  contact_email: emailField('E-mail of the contact'),
  contact_phone: text(40, 'Phone number of the contact'),
  location_id: id('Id of the location in your own records; kept as it is'),
  location_name: text(200, 'Name of the location'),
  location_address: text(500, 'Address of the location'),
  location_coordinates: Coordinates,
  contact_person_id: id('Id of the contact person in your own records; kept as it is'),
  contact_person: text(200, 'Name of the contact person'),
  assigned_to: id('User id of the primary assignee (get-active-users)'),
  assigned_team: z.uuid().describe('UUID of the team (list-teams)'),
  scheduled_start: dateOrMoment('Planned start').meta({ example: '2026-12-01T08:00:00+02:00' }),
  scheduled_end: dateOrMoment('Planned end; not before scheduled_start'),
  start_date: dateOrMoment('First day'),
  due_date: dateOrMoment('Last day').meta({ example: '2026-12-05' }),
  estimated_hours: z.number().min(0).max(100_000).describe('Estimated effort in hours'),
  notes: text(20_000, 'Internal notes'),
};

/** Lists and objects: emptied by an empty one. */
const COLLECTIONS = {
  assigned_users: z.array(id('User id')).max(100).describe('User ids of all assignees').optional(),
  assigned_contractors: z.array(id('Contact id')).max(100).describe('Contact ids of outside contractors').optional(),
  tags: z
    .array(text(60, 'Label'))
    .max(50)
    .describe('Free labels')
    .optional()
    .meta({ example: ['pumps'] }),
  custom_fields: z.record(z.string(), z.unknown()).describe('Any JSON of your own, at most 16 KiB').optional(),
};

export const CreateWorkItem = z.strictObject({
  item_type: z.enum(ITEM_TYPES).describe('Kind of work item').meta({ example: 'job' }),
  title: text(500, 'Short name of the work').meta({ example: 'Replace the pump at the north gate' }),
  status: z
    .enum(STATUSES)
    .describe(`Initial status. Left out: open; a project planning, a milestone pending. ${capital(STATUS_RULE)}`)
    .optional(),
  priority: z.enum(CREATE_PRIORITIES).default('medium').describe('Urgency'),
  ...z.object(EMPTIABLE).partial().shape,
  parent_id: z.uuid().describe('UUID of the parent work item; creates a child_of relationship').optional(),
  project_id: z.uuid().describe('UUID of the project; creates a child_of relationship').optional(),
  ...COLLECTIONS,
});
export type CreateWorkItemInput = z.output<typeof CreateWorkItem>;

// No flags: a pattern in JSON Schema has none. Short: it stands at each parameter that names a work item.
const WORK_ITEM_REF = /^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[1-9]\d{0,14}|[A-Za-z]{3,9}-\d{1,15})$/;

/** Names a work item: its UUID, its integer id written as text (decisions §6), or its item number. */
export const WorkItemRef = z
  .string()
  .regex(WORK_ITEM_REF, 'must be the UUID, the integer id or the item number (JOB-000012) of a work item')
  .describe('UUID of the work item; its integer id and its item number (JOB-000012) are understood too')
  .meta({ example: '0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10' });

export const GetWorkItem = z.strictObject({ work_item_id: WorkItemRef });

/** Any of these beside work_item_id; at least one. What is left out stays as it is. */
export const UpdateWorkItem = z.strictObject({
  work_item_id: WorkItemRef,
  title: text(500, 'Short name of the work').meta({ example: 'Replace the pump at the north gate' }).optional(),
  status: z
    .enum(STATUSES)
    .describe(
      `New status; any may follow any. ${CLOSURE_STATUSES.join(', ')} end the item (completed_at, closed_at), the others open it again. ${capital(STATUS_RULE)}`,
    )
    .meta({ example: 'in_progress' })
    .optional(),
  priority: z.enum(UPDATE_PRIORITIES).describe('Urgency').optional(),
  item_subtype: emptiable(text(100, 'Kind within the item type, a word of your own')),
  ...emptiableShape(EMPTIABLE),
  assigned_to: emptiable(
    id('User id of the new primary assignee, who takes the place of the present one; the other assignees stay'),
  ),
  reporter_id: emptiable(id('User id of who reported the work (get-active-users)')),
  reporter_name: emptiable(text(200, 'Name of who reported the work, when not a user')),
  reporter_email: emptiable(emailField('E-mail of who reported the work')),
  reporter_phone: emptiable(text(40, 'Phone number of who reported the work')),
  ...COLLECTIONS,
  assigned_users: z
    .array(id('User id'))
    .max(100)
    .describe(
      'User ids of all assignees, in place of the present ones; [] removes all. If the primary assignee is not among them, the first becomes it',
    )
    .optional(),
  assigned_contractors: z
    .array(id('Contact id'))
    .max(100)
    .describe('Contact ids of all contractors, in place of the present ones; [] removes all')
    .optional(),
  tags: COLLECTIONS.tags.describe('All labels, in place of the present ones'),
  custom_fields: COLLECTIONS.custom_fields.describe(
    'Any JSON of your own, at most 16 KiB, in place of the present object as a whole',
  ),
});
export type UpdateWorkItemInput = z.output<typeof UpdateWorkItem>;

export const CloseWorkItem = z.strictObject({
  work_item_id: WorkItemRef,
  closure_status: z.enum(CLOSURE_STATUSES).default('completed').describe('How the work ended'),
  completion_note: text(10_000, 'What was done or why it ended; kept in the activity log')
    .meta({ example: 'Pump replaced and tested.' })
    .optional(),
});
export type CloseWorkItemInput = z.output<typeof CloseWorkItem>;

export const DeleteWorkItem = z.strictObject({ work_item_id: WorkItemRef });

export const ListWorkItemActivity = z.strictObject({ work_item_id: WorkItemRef, ...windowFields() });

const from = (what: string) =>
  dateOrMoment(`Only items ${what} at this time or later; a date alone is its beginning, in UTC`).optional();
const to = (what: string) =>
  dateOrMoment(`Only items ${what} at this time or earlier; a date alone is its end, in UTC`).optional();

/** What a list may be sorted by. */
export const WORK_ITEM_SORTS = ['created_at', 'updated_at', 'due_date', 'priority', 'title'] as const;

/** All given filters must match. */
export const ListWorkItems = z.strictObject({
  item_type: z.enum(ITEM_TYPES).describe('Only items of this kind').meta({ example: 'job' }).optional(),
  status: z.enum(STATUSES).describe('Only items with this status').meta({ example: 'open' }).optional(),
  is_open: z
    .boolean()
    .describe(`true: only items that are not ended; false: only those that are (${CLOSURE_STATUSES.join(', ')})`)
    .optional(),
  priority: z.enum(UPDATE_PRIORITIES).describe('Only items of this priority').optional(),
  assigned_to: id('Only items assigned to this user id, as the primary assignee or as one of several').optional(),
  assigned_team: z.uuid().describe('Only items assigned to this team (list-teams)').optional(),
  contact_id: id('Only items for this contact').optional(),
  contractor_id: id('Only items on which this contact works as an outside contractor').optional(),
  parent_id: z.uuid().describe('Only items that are child_of this work item').optional(),
  project_id: z.uuid().describe('Only items that are child_of this project').optional(),
  tags: z
    .array(z.string().min(1).max(60))
    .max(20)
    .describe('Only items that have all of these tags, spelled as on the item')
    .meta({ example: ['pumps'] })
    .optional(),
  module_context: text(100, 'Only items of this workflow template key').optional(),
  search: text(
    200,
    'Only items in which all of these words occur: in title, description, contact name or item number. Inflected forms match, and words without their accents; if nothing does, beginnings of words are tried, then words that are similar (typing errors) or contain yours',
  )
    .meta({ example: 'pump north gate' })
    .optional(),
  created_from: from('created'),
  created_to: to('created'),
  updated_since: from('changed'),
  due_from: from('due'),
  due_to: to('due'),
  scheduled_from: from('whose scheduled_start lies'),
  scheduled_to: to('whose scheduled_start lies'),
  sort: z
    .enum(WORK_ITEM_SORTS)
    .default('created_at')
    .describe('What to sort by. Items without a due date come last when ascending, first when descending'),
  sort_order: z.enum(['asc', 'desc']).default('desc').describe('desc: newest, latest or most urgent first'),
  ...windowFields(),
});
type ListInput = z.output<typeof ListWorkItems>;
export type ListWorkItemsInput = Omit<ListInput, 'sort' | 'sort_order'> & Partial<ListInput>;

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

const PEOPLE = {
  assigned_users: z.array(z.int()).describe('User ids of all assignees'),
  assigned_contractors: z.array(z.int()).describe('Contact ids of contractors'),
};

/** A changed item and who works on it. */
export const WorkItemWithPeople = WorkItemView.extend(PEOPLE).meta({ id: 'WorkItemWithPeople' });
export type WorkItemWithPeople = z.output<typeof WorkItemWithPeople>;

/** A single read also tells how much hangs on the item. */
export const WorkItemDetail = WorkItemView.extend({
  ...PEOPLE,
  relationships_count: z.int().describe('Relationships to other work items, in either direction'),
  comments_count: z.int().describe('Comments on the item'),
}).meta({ id: 'WorkItemDetail' });
export type WorkItemDetail = z.output<typeof WorkItemDetail>;

export const DeletedWorkItem = z
  .object({
    id: z.int().describe('Integer id'),
    work_item_id: z.uuid().describe('UUID'),
    deleted: z.literal(true),
    deleted_at: Moment,
    deleted_count: z
      .int()
      .describe('Work items deleted by this call, children included; 0 when it was deleted before')
      .meta({ example: 1 }),
  })
  .meta({ id: 'DeletedWorkItem' });
export type DeletedWorkItem = z.output<typeof DeletedWorkItem>;

/** Who did something. */
export const ActorView = z.object({
  type: z.string().describe('user, api_key, oauth_application or system'),
  id: z.string(),
  name: z.string().nullable().describe('Name of the user, API key or application; null for the system'),
});

/** One line of the activity log. */
export const WorkItemActivity = z
  .object({
    id: z.int(),
    at: Moment,
    action: z.string().describe('What was done').meta({ example: 'work_item.status_changed' }),
    actor: ActorView,
    details: z
      .record(z.string(), z.unknown())
      .describe('`changes` has each changed field with from and to; a closure may have a completion_note'),
  })
  .meta({ id: 'WorkItemActivity' });
export type WorkItemActivity = z.output<typeof WorkItemActivity>;

export const WorkItemList = z.object({ work_items: z.array(WorkItemView) });

function emptiableShape<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
): { [Field in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Field]>> } {
  return Object.fromEntries(Object.entries(shape).map(([field, schema]) => [field, emptiable(schema)])) as never;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
