import type { World } from './world.ts';

/** How to call an action so that it succeeds, and which of its fields name records. */
export interface ActionCase {
  /** Makes what the action needs in this client, and gives an input that succeeds. */
  input: (world: World) => Promise<Record<string, unknown>>;
  /** Fields that name records (`lines[0].x` is `lines.0.x`): another client's are unknown here. */
  ids?: readonly string[];
  /** Fields that narrow a list: another client's ids find nothing. */
  filters?: readonly string[];
}

type Input = ActionCase['input'];

const nothing: Input = () => Promise.resolve({});
const item: Input = async (world) => ({ work_item_id: await world.item() });
const ofItem: ActionCase = { input: item, ids: ['work_item_id'] };
const contact: Input = async (world) => ({ contact_id: await world.contact() });
const thread: Input = async (world) => ({ thread_id: await world.thread() });
const job: Input = async (world) => ({ recurring_job_id: await world.recurringJob() });
const ofJob: ActionCase = { input: job, ids: ['recurring_job_id'] };
const draft: Input = (world) => world.document('invoice');
const issued: Input = (world) => world.issued('invoice');
const payment: Input = async (world) => ({ payment_id: await world.payment() });
const employee: Input = async (world) => ({ employee_id: await world.employee() });
const user: Input = (world) => Promise.resolve({ user_id: world.userId });
const ofEmployee: ActionCase = { input: employee, ids: ['employee_id'] };
const financeList: ActionCase = { input: contact, filters: ['contact_id'] };

/** An input and more fields. */
function and(first: Input, more: (world: World) => Promise<Record<string, unknown>>): Input {
  return async (world) => ({ ...(await first(world)), ...(await more(world)) });
}

const fixed = (fields: Record<string, unknown>) => () => Promise.resolve(fields);

const timeEntry: Input = async (world) => {
  const entry = await world.does('create-time-entry', { ...(await item(world)), duration_minutes: 30 });
  return { time_entry_id: entry['id'] };
};
const appointment: Input = async (world) => {
  const made = await world.does('create-appointment', { title: world.words, scheduled_start: '2027-01-04T08:00:00Z' });
  return { appointment_id: made['id'] };
};

/** Fields of a work item that name other records. */
const links: Input = async (world) => ({
  contact_id: await world.contact(),
  assigned_to: world.userId,
  assigned_users: [world.userId],
  assigned_contractors: [await world.contact()],
});
const LINKS = ['contact_id', 'assigned_to', 'assigned_users.0', 'assigned_contractors.0'];
const parent: Input = async (world) => ({ parent_id: await world.item() });
const two: Input = async (world) => ({
  work_item_id: await world.item(),
  relationship_type: 'blocks',
  related_work_item_id: await world.item(),
});
const related: Input = async (world) => {
  const input = await two(world);
  await world.does('add-work-item-relationship', input);
  return input;
};
const workItemFilters: Input = async (world) => ({
  contact_id: await world.contact(),
  assigned_to: world.userId,
  parent_id: await world.item(),
});
const workItemList: ActionCase = { input: workItemFilters, filters: ['contact_id', 'assigned_to', 'parent_id'] };

export const cases: Readonly<Record<string, ActionCase>> = {
  'create-work-item': {
    input: and(and(links, parent), (world) => Promise.resolve({ item_type: 'task', title: world.words })),
    ids: [...LINKS, 'parent_id'],
  },
  'get-work-item': ofItem,
  'list-work-items': workItemList,
  'get-work-items': workItemList,
  'update-work-item': { input: and(item, links), ids: ['work_item_id', ...LINKS] },
  'close-work-item': ofItem,
  'delete-work-item': ofItem,
  'add-work-item-relationship': { input: two, ids: ['work_item_id', 'related_work_item_id'] },
  'remove-work-item-relationship': { input: related, ids: ['work_item_id', 'related_work_item_id'] },
  'get-work-item-relationships': ofItem,
  'create-managed-task': {
    input: async (world) => ({
      title: world.words,
      assigned_to: world.userId,
      assigned_users: [world.userId],
      parent_id: await world.item(),
    }),
    ids: ['assigned_to', 'assigned_users.0', 'parent_id'],
  },
  'add-work-item-to-managed-task': {
    input: and(item, (world) => Promise.resolve({ target_user_id: world.userId })),
    ids: ['work_item_id', 'target_user_id'],
  },
  'get-employee-due-tasks': ofEmployee,
  'get-employee-overdue-tasks': ofEmployee,

  'get-current-user': { input: nothing },
  'get-active-users': { input: nothing },
  'get-employees': { input: nothing },
  'get-user-memberships': { input: user, ids: ['user_id'] },
  'get-subordinates': ofEmployee,
  'list-teams': { input: nothing },
  'list-contacts': { input: nothing },
  'get-contact': { input: contact, ids: ['contact_id'] },
  'create-contact': { input: (world) => Promise.resolve({ name: world.words }) },
  'update-contact': { input: and(contact, fixed({ city: 'Mbombela' })), ids: ['contact_id'] },

  'create-comment': { input: and(item, fixed({ body: 'Done by noon.' })), ids: ['work_item_id'] },
  'get-work-item-comments': ofItem,
  'get-work-item-attachments': ofItem,
  'create-time-entry': {
    input: and(and(item, user), fixed({ duration_minutes: 30 })),
    ids: ['work_item_id', 'user_id'],
  },
  'get-work-item-time-entries': ofItem,
  'update-time-entry': {
    input: and(and(timeEntry, user), fixed({ duration_minutes: 45 })),
    ids: ['time_entry_id', 'user_id'],
  },
  'delete-time-entry': { input: timeEntry, ids: ['time_entry_id'] },
  'create-appointment': {
    input: and(and(item, contact), (world) =>
      Promise.resolve({
        title: world.words,
        scheduled_start: '2027-01-04T08:00:00Z',
        assigned_to: world.userId,
      }),
    ),
    ids: ['work_item_id', 'contact_id', 'assigned_to'],
  },
  'list-appointments': {
    input: and(item, (world) => Promise.resolve({ assigned_to: world.userId })),
    ids: ['work_item_id'],
    filters: ['assigned_to'],
  },
  'update-appointment': {
    input: and(and(appointment, and(item, contact)), (world) => Promise.resolve({ assigned_to: world.userId })),
    ids: ['appointment_id', 'work_item_id', 'contact_id', 'assigned_to'],
  },
  'cancel-appointment': { input: appointment, ids: ['appointment_id'] },
  'send-thread-message': {
    input: (world) => Promise.resolve({ participant_user_ids: [world.userId], body: world.words }),
    ids: ['participant_user_ids.0'],
  },
  'list-threads': { input: nothing },
  'get-thread-messages': { input: thread, ids: ['thread_id'] },
  'get-attendance-logs': { input: user, ids: ['user_id'] },
  'get-timesheets': { input: user, ids: ['user_id'] },

  'create-finance-document': {
    input: and(
      contact,
      fixed({ document_type: 'invoice', lines: [{ description: 'Pump', quantity: 1, unit_price: 99.5 }] }),
    ),
    ids: ['contact_id'],
  },
  'update-finance-document': { input: and(draft, contact), ids: ['document_id', 'contact_id'] },
  'get-finance-document': { input: draft, ids: ['document_id'] },
  'issue-finance-document': { input: draft, ids: ['document_id'] },
  'convert-finance-document': {
    input: async (world) => {
      const { document_id: id } = await world.issued('quote');
      return { source_type: 'quote', source_id: id, target_type: 'invoice' };
    },
    ids: ['source_id'],
  },
  'cancel-finance-document': { input: (world) => world.issued('quote'), ids: ['document_id'] },
  'delete-finance-document': { input: draft, ids: ['document_id'] },
  'list-quotes': financeList,
  'list-invoices': financeList,
  'list-credit-notes': financeList,
  'list-bills': financeList,
  'list-purchase-orders': financeList,
  'list-delivery-notes': financeList,
  'generate-finance-document-pdf': { input: issued, ids: ['document_id'] },
  'record-finance-payment': { input: and(issued, fixed({ amount: 10 })), ids: ['document_id'] },
  'refund-payment': { input: and(payment, fixed({ amount: 1, reason: 'Too much' })), ids: ['payment_id'] },
  'get-payment': { input: payment, ids: ['payment_id'] },
  'list-payments': {
    input: async (world) => ({
      contact_id: await world.contact(),
      document_id: (await world.issued('bill')).document_id,
    }),
    filters: ['contact_id', 'document_id'],
  },

  'list-recurring-jobs': { input: nothing },
  'get-recurring-job': ofJob,
  'create-recurring-job': {
    input: async (world) => ({
      title: world.words,
      schedule: { frequency: 'weekly', days_of_week: ['monday'] },
      template: { contact_id: await world.contact(), assigned_to: world.userId },
    }),
    ids: ['template.contact_id', 'template.assigned_to'],
  },
  'update-recurring-job': { input: and(job, fixed({ title: 'Wednesdays' })), ids: ['recurring_job_id'] },
  'pause-recurring-job': ofJob,
  'resume-recurring-job': {
    input: async (world) => {
      const input = await job(world);
      await world.does('pause-recurring-job', input);
      return input;
    },
    ids: ['recurring_job_id'],
  },
  'generate-recurring-job': ofJob,
  'delete-recurring-job': ofJob,

  'publish-event': {
    input: and(item, fixed({ event: 'custom.order.shipped', data: { order_id: 'ord_1042' } })),
    ids: ['work_item_id'],
  },
};
