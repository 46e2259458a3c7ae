import type { SeededData } from './data-seed.ts';

/** An action that is measured, with other values in each call. */
export interface DataCase {
  name: string;
  input: (n: number) => Record<string, unknown>;
}

/** The lists, searches and reads whose time must not grow with the client. */
export function dataCases(data: SeededData, itemIds: readonly string[]): DataCase[] {
  const person = (action: string, more: object = {}): DataCase => ({
    name: action,
    input: (n) => ({ action, user_id: pick(data.userIds, n), ...more }),
  });
  return [
    { name: 'get-work-item', input: (n) => ({ action: 'get-work-item', work_item_id: pick(itemIds, n) }) },
    list('all', () => ({})),
    list('all, from the 1,000th on', () => ({ offset: 1_000 })),
    list('item_type + status', (n) => ({ item_type: pick(['job', 'task'], n), status: pick(['open', 'done'], n) })),
    list('status that is rare', () => ({ status: 'scheduled' })),
    list('is_open', () => ({ is_open: true })),
    list('priority that is rare', () => ({ priority: 'critical' })),
    list('assigned_to', (n) => ({ assigned_to: pick(data.userIds, n) })),
    list('assigned_to + is_open, by due date', (n) => ({
      assigned_to: pick(data.userIds, n),
      is_open: true,
      sort: 'due_date',
      sort_order: 'asc',
    })),
    list('contact_id', (n) => ({ contact_id: pick(data.contactIds, n) })),
    list('assigned_team', (n) => ({ assigned_team: pick(data.teamIds, n) })),
    list('tag', (n) => ({ tags: [`t${String((n * 7919) % 10_000)}`] })),
    list('module_context', () => ({ module_context: 'field-service' })),
    list('due in a week', week),
    list('due in a week, is_open', (n) => ({ ...week(n), is_open: true })),
    list('due until a day, is_open, by due date', (n) => ({
      due_to: daysAgo(n % 30),
      is_open: true,
      sort: 'due_date',
      sort_order: 'asc',
    })),
    list('created on a day', () => ({ created_from: daysAgo(30), created_to: daysAgo(30) })),
    list('updated_since yesterday', () => ({ updated_since: daysAgo(1) })),
    list('by title', () => ({ sort: 'title', sort_order: 'asc' })),
    list('by due date', () => ({ sort: 'due_date', sort_order: 'asc' })),
    list('by priority', () => ({ sort: 'priority' })),
    ...searches(),
    person('get-employee-due-tasks'),
    person('get-employee-overdue-tasks'),
    { name: 'get-subordinates of all', input: () => ({ action: 'get-subordinates', ...wholeTree(data) }) },
    { name: 'get-employees', input: (n) => ({ action: 'get-employees', offset: (n * 100) % 50_000 }) },
    {
      name: 'get-employees, search: a rare name',
      input: (n) => ({ action: 'get-employees', search: `last ${String(4_000 + n)}` }),
    },
    { name: 'get-employees, search: all of them', input: () => ({ action: 'get-employees', search: 'last' }) },
    { name: 'get-active-users', input: () => ({ action: 'get-active-users' }) },
  ];
}

function wholeTree({ headId }: SeededData): object {
  return { employee_id: headId, include_descendants: true, limit: 100 };
}

function searches(): DataCase[] {
  const search = (name: string, texts: readonly string[], more: object = {}): DataCase =>
    list(`search: ${name}`, (n) => ({ search: pick(texts, n), ...more }));
  return [
    search('an item number', ['JOB-000070', 'JOB-000077', 'TASK-000037', 'TASK-000107']),
    search('a rare word', ['abcoa', 'bcdob', 'cdeoc', 'defod', 'efgoe']),
    search('a common word', ['pump', 'valve', 'gate', 'meter', 'roof']),
    search('two common words', ['pump harbour', 'valve mill', 'fence tower', 'lift clinic']),
    search('a sentence', ['replace the pump at the harbour', 'inspect the valve at the mill']),
    search('typing errors', ['transfrmer', 'compresor', 'harbuor transformr']),
    search('two words, open, by due date', ['pump harbour', 'valve mill'], { is_open: true, sort: 'due_date' }),
  ];
}

function pick<T>(values: readonly T[], n: number): T {
  return values[(n * 7919) % values.length] as T;
}

function list(name: string, input: (n: number) => object): DataCase {
  return { name: `list ${name}`, input: (n) => ({ action: 'list-work-items', ...input(n) }) };
}

function week(n: number): object {
  const month = `2027-0${String((n % 3) + 1)}`;
  return { due_from: `${month}-01`, due_to: `${month}-07` };
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
