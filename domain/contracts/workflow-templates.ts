import { z } from 'zod';
import { idField, MAX_ID, Moment, textField, windowFields } from './common.ts';
import { WorkItemRef } from './work-items.ts';

/** Decisions §6. */
export const TEMPLATE_TYPES = ['automation', 'approval', 'lifecycle', 'sla'] as const;
export const TRIGGER_TYPES = ['manual', 'event', 'schedule', 'webhook'] as const;
export const TEMPLATE_STATUSES = ['draft', 'active', 'archived'] as const;
export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

/** Most steps of a template, those of branches included, and how deep branches may lie in one another. */
export const MAX_STEPS = 50;
export const MAX_BRANCH_DEPTH = 5;
/** A wait may last a year. */
const MAX_WAIT_SECONDS = 31_536_000;

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lower-case letters, digits and _')
  .describe('Name by which later steps read what this one made: {{ steps.<name>.work_item_id }}')
  .optional();
const target = z
  .string()
  .min(1)
  .max(200)
  .describe('The work item: its id or item number, or a placeholder; left out: the item that started the run')
  .meta({ example: '{{ steps.inspection.work_item_id }}' })
  .optional();
const userId = z.union([z.int().positive().max(MAX_ID), z.string().min(1).max(200)]);

const CreateItemStep = z
  .strictObject({
    type: z.literal('create_item'),
    name,
    item: z
      .record(z.string(), z.unknown())
      .describe('The fields of create-work-item; texts may hold {{ placeholders }}')
      .meta({ example: { item_type: 'task', title: 'Call {{ work_item.contact_name }}' } }),
    is_child: z
      .boolean()
      .describe('Whether it becomes child_of the item that started the run; false when left out')
      .optional(),
  })
  .describe('Creates a work item')
  .meta({ id: 'CreateItemStep' });
const AssignStep = z
  .strictObject({
    type: z.literal('assign'),
    name,
    work_item: target,
    assigned_to: userId.describe('User id of the primary assignee, or a placeholder').optional(),
    assigned_users: z.array(userId).max(100).describe('User ids of all assignees').optional(),
    assigned_team: z.string().max(200).describe('UUID of the team').optional(),
  })
  .describe('Assigns a work item')
  .meta({ id: 'AssignStep', example: { type: 'assign', assigned_to: 7 } });
const CommentStep = z
  .strictObject({
    type: z.literal('comment'),
    name,
    work_item: target,
    body: textField(10_000, 'What is written').meta({ example: 'Handed over by {{ template.name }}.' }),
    is_internal: z.boolean().describe('Whether only your own people see it; true when left out').optional(),
  })
  .describe('Writes a comment on a work item')
  .meta({ id: 'CommentStep' });
const NotifyStep = z
  .strictObject({
    type: z.literal('notify'),
    name,
    user_ids: z.array(userId).min(1).max(50).describe('Users who receive the message'),
    subject: textField(200, 'Subject of the message').meta({ example: 'New urgent job' }),
    body: textField(10_000, 'The message').meta({ example: '{{ work_item.item_number }}: {{ work_item.title }}' }),
  })
  .describe('Sends a message to users, in a thread of its own')
  .meta({
    id: 'NotifyStep',
    example: { type: 'notify', user_ids: [7], subject: 'New urgent job', body: 'See {{ work_item.title }}' },
  });
/** What a notify step must come to when its placeholders are filled in. */
export const NotifyMessage = z.strictObject({
  user_ids: z.array(idField('User id')).min(1).max(50),
  subject: z.string().min(1).max(200),
  body: z.string().min(1).max(10_000),
});

const WaitStep = z
  .strictObject({
    type: z.literal('wait'),
    name,
    seconds: z.int().min(1).max(MAX_WAIT_SECONDS).describe('How long; up to a year').meta({ example: 3600 }),
  })
  .describe('Waits; restarts of any process do not disturb it')
  .meta({ id: 'WaitStep' });

/** One thing that a template does. Branches hold steps of their own. */
export const TemplateStep = z
  .discriminatedUnion('type', [
    CreateItemStep,
    AssignStep,
    CommentStep,
    NotifyStep,
    WaitStep,
    z
      .strictObject({
        type: z.literal('branch'),
        name,
        if: z
          .record(z.string(), z.unknown())
          .describe('Condition on the run’s data, the work item as it is by then')
          .meta({ example: { 'work_item.priority': { $in: ['high', 'urgent'] } } }),
        get then() {
          return z.array(TemplateStep).max(MAX_STEPS).describe('Steps where it holds');
        },
        get else() {
          return z.array(TemplateStep).max(MAX_STEPS).describe('Steps where it does not').optional();
        },
      })
      .describe('Goes one of two ways')
      .meta({
        id: 'BranchStep',
        example: {
          type: 'branch',
          if: { 'work_item.priority': 'urgent' },
          then: [{ type: 'notify', user_ids: [7], subject: 'Urgent', body: '{{ work_item.title }}' }],
        },
      }),
  ])
  .meta({ id: 'TemplateStep', example: { type: 'comment', body: 'Welcome.' } });
export type TemplateStepInput = z.output<typeof TemplateStep>;

/** When a template starts and what it then does. */
export const TemplateConfig = z
  .strictObject({
    event: textField(100, 'trigger_type event: the event that starts a run')
      .meta({ example: 'job.created' })
      .optional(),
    inbound_webhook_id: z
      .uuid()
      .describe('trigger_type webhook: the inbound webhook whose calls start a run')
      .optional(),
    cron: textField(100, 'trigger_type schedule: cron expression of five fields')
      .meta({ example: '0 7 * * 1' })
      .optional(),
    timezone: textField(64, 'trigger_type schedule: IANA zone; the client’s when left out').optional(),
    condition: z
      .record(z.string(), z.unknown())
      .describe('trigger_type event and webhook: only data that meets it starts a run')
      .meta({ example: { 'work_item.priority': 'urgent' } })
      .optional(),
    steps: z.array(TemplateStep).max(MAX_STEPS).describe('What is done, in order'),
  })
  .describe('When the template starts, and what it then does')
  .meta({
    id: 'WorkflowTemplateConfig',
    example: {
      event: 'job.created',
      condition: { 'work_item.priority': 'urgent' },
      steps: [
        { type: 'create_item', name: 'visit', item: { item_type: 'task', title: 'Inspect {{ work_item.title }}' } },
      ],
    },
  });
export type TemplateConfigInput = z.output<typeof TemplateConfig>;

const key = (description: string) =>
  z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
    .describe(description);

const fields = {
  name: textField(200, 'Name of the template').meta({ example: 'Urgent jobs' }),
  description: textField(2_000, 'What it is for').nullable(),
  module: key('Module it belongs to').meta({ example: 'service-operations' }),
  type: z.enum(TEMPLATE_TYPES).describe('Kind of template'),
  trigger_type: z.enum(TRIGGER_TYPES).describe('What starts it'),
  status: z.enum(TEMPLATE_STATUSES).describe('Only active templates run'),
};

export const CreateWorkflowTemplate = z.strictObject({
  ...fields,
  description: fields.description.optional(),
  type: fields.type.default('automation'),
  trigger_type: fields.trigger_type.default('manual'),
  status: fields.status.default('draft'),
  config: TemplateConfig,
});
export type CreateWorkflowTemplateInput = z.output<typeof CreateWorkflowTemplate>;

export const WorkflowTemplateId = idField('Id of the workflow template');

export const UpdateWorkflowTemplate = z.strictObject({ ...fields, config: TemplateConfig }).partial();
export type UpdateWorkflowTemplateInput = z.output<typeof UpdateWorkflowTemplate>;

export const ListWorkflowTemplates = z.strictObject({
  module: z.string().min(1).max(63).describe('Only templates of this module').optional(),
  type: fields.type.describe('Only templates of this kind').optional(),
  status: fields.status.describe('Only templates with this status').optional(),
  trigger_type: fields.trigger_type.describe('Only templates that are started this way').optional(),
  ...windowFields(),
});
export type ListWorkflowTemplatesInput = z.output<typeof ListWorkflowTemplates>;

export const WorkflowTemplateView = z
  .object({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Urgent jobs' }),
    description: z.string().nullable(),
    module: z.string().meta({ example: 'service-operations' }),
    type: z.enum(TEMPLATE_TYPES),
    trigger_type: z.enum(TRIGGER_TYPES),
    status: z.enum(TEMPLATE_STATUSES),
    config: TemplateConfig,
    solution_key: z.string().nullable().describe('The industry solution that installed it'),
    client_id: z.int(),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'WorkflowTemplate' });
export type WorkflowTemplate = z.output<typeof WorkflowTemplateView>;

export const RunWorkflowTemplate = z.strictObject({
  work_item_id: WorkItemRef.describe('Work item that the run is about: its UUID, integer id or item number').optional(),
  data: z
    .record(z.string(), z.unknown())
    .describe('Values for placeholders: {{ data.<name> }}; at most 16 KiB')
    .optional(),
});
export type RunWorkflowTemplateInput = z.output<typeof RunWorkflowTemplate>;

export const ListWorkflowRuns = z.strictObject({
  status: z.enum(RUN_STATUSES).describe('Only runs with this status').optional(),
  ...windowFields(),
});
export type ListWorkflowRunsInput = z.output<typeof ListWorkflowRuns>;

export const WorkflowRunView = z
  .object({
    run_id: z.uuid(),
    workflow_id: z.int().describe('The template'),
    status: z.enum(RUN_STATUSES),
    trigger: z.string().describe('What started it').meta({ example: 'event job.created' }),
    work_item_id: z.uuid().nullable(),
    error: z.string().nullable().describe('Why it failed'),
    cancel_requested_at: Moment.nullable().describe('Since when no further step begins'),
    started_at: Moment.nullable(),
    finished_at: Moment.nullable(),
    created_at: Moment,
  })
  .meta({ id: 'WorkflowRun' });
export type WorkflowRun = z.output<typeof WorkflowRunView>;

export const WorkflowRunDetail = WorkflowRunView.extend({
  steps: z
    .array(
      z.object({
        path: z.string().describe('Where in the template').meta({ example: '1.then.0' }),
        type: z.string(),
        name: z.string().nullable(),
        result: z.record(z.string(), z.unknown()).describe('What the step made; of a branch the way it went'),
        at: Moment,
      }),
    )
    .describe('The steps that were done, waits and branches among them, in the order in which they ended'),
}).meta({ id: 'WorkflowRunDetail' });
export type WorkflowRunWithSteps = z.output<typeof WorkflowRunDetail>;
