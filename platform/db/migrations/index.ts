import type { MigrationObject } from '@mikro-orm/core';
import { Migration20261121000000_foundation } from './20261121000000_foundation.ts';
import { Migration20261121120000_idempotency } from './20261121120000_idempotency.ts';
import { Migration20261121130000_rate_windows } from './20261121130000_rate_windows.ts';
import { Migration20261121140000_api_key_usage } from './20261121140000_api_key_usage.ts';
import { Migration20261121150000_oauth } from './20261121150000_oauth.ts';
import { Migration20261121160000_owner_roles } from './20261121160000_owner_roles.ts';
import { Migration20261122000000_work_items } from './20261122000000_work_items.ts';
import { Migration20261122010000_people } from './20261122010000_people.ts';
import { Migration20261122010100_work_item_search } from './20261122010100_work_item_search.ts';
import { Migration20261122020000_collaboration } from './20261122020000_collaboration.ts';
import { Migration20261122030000_office } from './20261122030000_office.ts';
import { Migration20261122040000_finance } from './20261122040000_finance.ts';
import { Migration20261122045000_audit_seals } from './20261122045000_audit_seals.ts';
import { Migration20261122050000_recurring_jobs } from './20261122050000_recurring_jobs.ts';
import { Migration20261122060000_workflow_templates } from './20261122060000_workflow_templates.ts';
import { Migration20261122070000_finance_search } from './20261122070000_finance_search.ts';
import { Migration20261122080000_recurring_schedule_error } from './20261122080000_recurring_schedule_error.ts';

/** Every migration, oldest first. A migration that has been released is never edited. */
export const migrations: MigrationObject[] = [
  { name: '20261121000000_foundation', class: Migration20261121000000_foundation },
  { name: '20261121120000_idempotency', class: Migration20261121120000_idempotency },
  { name: '20261121130000_rate_windows', class: Migration20261121130000_rate_windows },
  { name: '20261121140000_api_key_usage', class: Migration20261121140000_api_key_usage },
  { name: '20261121150000_oauth', class: Migration20261121150000_oauth },
  { name: '20261121160000_owner_roles', class: Migration20261121160000_owner_roles },
  { name: '20261122000000_work_items', class: Migration20261122000000_work_items },
  { name: '20261122010000_people', class: Migration20261122010000_people },
  { name: '20261122010100_work_item_search', class: Migration20261122010100_work_item_search },
  { name: '20261122020000_collaboration', class: Migration20261122020000_collaboration },
  { name: '20261122030000_office', class: Migration20261122030000_office },
  { name: '20261122040000_finance', class: Migration20261122040000_finance },
  { name: '20261122045000_audit_seals', class: Migration20261122045000_audit_seals },
  { name: '20261122050000_recurring_jobs', class: Migration20261122050000_recurring_jobs },
  { name: '20261122060000_workflow_templates', class: Migration20261122060000_workflow_templates },
  { name: '20261122070000_finance_search', class: Migration20261122070000_finance_search },
  { name: '20261122080000_recurring_schedule_error', class: Migration20261122080000_recurring_schedule_error },
];
