import type { IndustrySolution } from '../contracts/industry-solutions.ts';
import type { TemplateStepInput } from '../contracts/workflow-templates.ts';

type Solution = Omit<IndustrySolution, 'is_active' | 'applied_at'>;
type Workflow = Solution['workflows'][number];

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

/** Steps that need somebody in charge are left out where nobody is. */
function ifAssigned(...steps: TemplateStepInput[]): TemplateStepInput {
  return { type: 'branch', if: { 'work_item.assigned_to': { $exists: true } }, then: steps };
}

/** A message to whoever is in charge of the item. */
function tellAssignee(subject: string, body: string): TemplateStepInput {
  return ifAssigned({ type: 'notify', user_ids: ['{{ work_item.assigned_to }}'], subject, body });
}

function comment(body: string): TemplateStepInput {
  return { type: 'comment', body, is_internal: true };
}

function childTask(title: string, priority = 'medium'): TemplateStepInput {
  const assignee = '{{ work_item.assigned_to }}';
  return {
    type: 'branch',
    if: { 'work_item.assigned_to': { $exists: true } },
    then: [
      { type: 'create_item', item: { item_type: 'task', title, priority, assigned_to: assignee }, is_child: true },
    ],
    else: [{ type: 'create_item', item: { item_type: 'task', title, priority }, is_child: true }],
  };
}

/** Looks again after a time, and acts if the item is still open. */
function whileOpenAfter(seconds: number, ...steps: TemplateStepInput[]): TemplateStepInput[] {
  return [
    { type: 'wait', seconds },
    {
      type: 'branch',
      if: { 'work_item.status': { $in: ['open', 'scheduled', 'in_progress', 'on_hold'] } },
      then: steps,
    },
  ];
}

function onEvent(
  event: string,
  {
    condition,
    ...facts
  }: Pick<Workflow, 'name' | 'description' | 'module' | 'type'> & {
    condition?: Record<string, unknown>;
  },
  ...steps: TemplateStepInput[]
): Workflow {
  return {
    ...facts,
    trigger_type: 'event',
    config: { event, ...(condition === undefined ? {} : { condition }), steps },
  };
}

/** The six solutions that are offered (decisions §6). Their templates name nobody: they act on who is assigned. */
export const SOLUTIONS: readonly Solution[] = [
  {
    solution_key: 'field-service',
    solution_name: 'Field service',
    description: 'Jobs at customers: urgent ones are pushed, finished ones are followed up.',
    module: 'service-operations',
    workflows: [
      onEvent(
        'job.created',
        {
          name: 'Urgent job response',
          description:
            'Tells the technician of an urgent job at once, and again after an hour in which nothing was finished.',
          module: 'service-operations',
          type: 'sla',
          condition: { 'work_item.priority': { $in: ['urgent', 'critical'] } },
        },
        tellAssignee(
          'Urgent job {{ work_item.item_number }}',
          '{{ work_item.title }}, {{ work_item.location_address }}',
        ),
        ...whileOpenAfter(
          HOUR_SECONDS,
          tellAssignee('Still open: {{ work_item.item_number }}', '{{ work_item.title }} has been open for an hour.'),
          comment('Open for more than an hour although urgent.'),
        ),
      ),
      onEvent(
        'job.completed',
        {
          name: 'Job follow-up',
          description: 'A day after a job is completed, a task to ask the customer whether all is well.',
          module: 'service-operations',
          type: 'lifecycle',
        },
        { type: 'wait', seconds: DAY_SECONDS },
        childTask('Follow up with {{ work_item.contact_name }} on {{ work_item.item_number }}', 'low'),
      ),
    ],
  },
  {
    solution_key: 'retail',
    solution_name: 'Retail',
    description: 'Customer questions that nobody forgets, and a welcome for new customers.',
    module: 'customer-care',
    workflows: [
      onEvent(
        'ticket.created',
        {
          name: 'Unanswered ticket',
          description: 'A ticket that is open after four hours is brought up again.',
          module: 'customer-care',
          type: 'sla',
        },
        ...whileOpenAfter(
          4 * HOUR_SECONDS,
          comment('No solution after four hours.'),
          tellAssignee('Ticket {{ work_item.item_number }} waits', '{{ work_item.title }}'),
        ),
      ),
      onEvent(
        'contact.created',
        {
          name: 'Welcome call',
          description: 'A task to call each new customer.',
          module: 'customer-care',
          type: 'automation',
          condition: { 'contact.contact_type': { $in: ['customer', 'both'] } },
        },
        { type: 'create_item', item: { item_type: 'task', title: 'Welcome {{ contact.name }}' }, is_child: false },
      ),
    ],
  },
  {
    solution_key: 'manufacturing',
    solution_name: 'Manufacturing',
    description: 'Quality checks behind each job, and milestones that start the next step.',
    module: 'production',
    workflows: [
      onEvent(
        'job.completed',
        {
          name: 'Quality check',
          description: 'A quality check for each completed job.',
          module: 'production',
          type: 'approval',
        },
        childTask('Quality check of {{ work_item.item_number }}: {{ work_item.title }}', 'high'),
      ),
      onEvent(
        'milestone.completed',
        {
          name: 'Milestone reached',
          description: 'A review task when a milestone is reached.',
          module: 'production',
          type: 'lifecycle',
        },
        comment('Milestone reached.'),
        childTask('Review after {{ work_item.title }}'),
      ),
    ],
  },
  {
    solution_key: 'logistics',
    solution_name: 'Logistics',
    description: 'Proof of delivery for each job, and late deliveries that come up by themselves.',
    module: 'dispatch',
    workflows: [
      onEvent(
        'job.completed',
        {
          name: 'Proof of delivery',
          description: 'A task to file the proof of delivery.',
          module: 'dispatch',
          type: 'lifecycle',
        },
        childTask('File the proof of delivery of {{ work_item.item_number }}'),
      ),
      onEvent(
        'job.status_changed',
        {
          name: 'Delivery on hold',
          description: 'Tells the driver’s dispatcher of a delivery that is put on hold, and asks again the next day.',
          module: 'dispatch',
          type: 'automation',
          condition: { 'work_item.status': 'on_hold' },
        },
        tellAssignee('{{ work_item.item_number }} is on hold', '{{ work_item.title }}'),
        { type: 'wait', seconds: DAY_SECONDS },
        {
          type: 'branch',
          if: { 'work_item.status': 'on_hold' },
          then: [comment('On hold for a day.'), childTask('Decide on {{ work_item.item_number }}', 'high')],
        },
      ),
    ],
  },
  {
    solution_key: 'professional-services',
    solution_name: 'Professional services',
    description: 'Projects that begin with a kick-off and end with an invoice.',
    module: 'projects',
    workflows: [
      onEvent(
        'project.created',
        {
          name: 'Project kick-off',
          description: 'The first tasks of each new project.',
          module: 'projects',
          type: 'lifecycle',
        },
        childTask('Plan the kick-off of {{ work_item.title }}', 'high'),
        childTask('Agree on the scope of {{ work_item.title }}'),
      ),
      onEvent(
        'project.completed',
        {
          name: 'Project closing',
          description: 'A task to invoice a project that is completed.',
          module: 'projects',
          type: 'lifecycle',
        },
        childTask('Invoice {{ work_item.item_number }}: {{ work_item.title }}', 'high'),
      ),
    ],
  },
  {
    solution_key: 'property',
    solution_name: 'Property management',
    description: 'Maintenance requests that become jobs, and inspections that are not forgotten.',
    module: 'maintenance',
    workflows: [
      onEvent(
        'ticket.created',
        {
          name: 'Maintenance request',
          description: 'A high or urgent ticket becomes a job at once.',
          module: 'maintenance',
          type: 'automation',
          condition: { 'work_item.priority': { $in: ['high', 'urgent', 'critical'] } },
        },
        {
          type: 'create_item',
          name: 'repair',
          item: {
            item_type: 'job',
            title: 'Repair: {{ work_item.title }}',
            priority: 'high',
            description: 'From {{ work_item.item_number }}.',
          },
          is_child: true,
        },
        comment('Became {{ steps.repair.item_number }}.'),
      ),
      onEvent(
        'job.completed',
        {
          name: 'Check of the repair',
          description: 'A week after a repair, a task to look whether it holds.',
          module: 'maintenance',
          type: 'lifecycle',
        },
        { type: 'wait', seconds: 7 * DAY_SECONDS },
        childTask('Check the repair {{ work_item.item_number }}', 'low'),
      ),
    ],
  },
];
