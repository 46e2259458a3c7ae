import { isOpen } from './list.rules.ts';

const OPEN = `"deleted_at" is null and ${isOpen(true)}`;
const OPEN_OF_ONE = `"assigned_to" is not null and ${OPEN}`;
const RANK = `(case "priority" when 'low' then 1 when 'medium' then 2 when 'high' then 3 when 'urgent' then 4 when 'critical' then 5 end)`;

/** Each order and each filter of a list has an index, so that a million items of one client answer as a hundred do. */
export const workItemIndexes = [
  index('client', '("client_id", "id")'),
  index('status', '("client_id", "item_type", "status", "id")'),
  index('created', '("client_id", "created_at", "id")'),
  index('updated', '("client_id", "updated_at", "id")'),
  index('due', '("client_id", "due_date", "id")'),
  index('title', '("client_id", lower("title"), "id")'),
  index('priority', `("client_id", ${RANK}, "id")`),
  index('scheduled', '("client_id", "scheduled_start")', '"deleted_at" is null and "scheduled_start" is not null'),
  index('assigned', '("client_id", "assigned_to", "id")', '"deleted_at" is null and "assigned_to" is not null'),
  index('contact', '("client_id", "contact_id", "id")', '"deleted_at" is null and "contact_id" is not null'),
  index('team', '("client_id", "assigned_team", "id")', '"deleted_at" is null and "assigned_team" is not null'),
  index('open_due', '("client_id", "assigned_to", "due_date", "id")', OPEN_OF_ONE),
  index('open_dates', '("client_id", "due_date", "id")', `"due_date" is not null and ${OPEN}`),
  index('open', '("client_id", "id") include ("due_date", "item_type")', OPEN),
  index('search', 'using gin ("search") with (gin_pending_list_limit = 512)'),
];

function index(name: string, on: string, where = '"deleted_at" is null'): { name: string; expression: string } {
  const full = `work_items_${name}_index`;
  return { name: full, expression: `create index "${full}" on "work_items" ${on} where ${where}` };
}
