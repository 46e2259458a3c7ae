import type { MigrationObject } from '@mikro-orm/core';
import { Migration20261121000000_foundation } from './20261121000000_foundation.ts';
import { Migration20261121120000_idempotency } from './20261121120000_idempotency.ts';
import { Migration20261121130000_rate_windows } from './20261121130000_rate_windows.ts';
import { Migration20261121140000_api_key_usage } from './20261121140000_api_key_usage.ts';
import { Migration20261121150000_oauth } from './20261121150000_oauth.ts';

/** Every migration, oldest first. A migration that has been released is never edited. */
export const migrations: MigrationObject[] = [
  { name: '20261121000000_foundation', class: Migration20261121000000_foundation },
  { name: '20261121120000_idempotency', class: Migration20261121120000_idempotency },
  { name: '20261121130000_rate_windows', class: Migration20261121130000_rate_windows },
  { name: '20261121140000_api_key_usage', class: Migration20261121140000_api_key_usage },
  { name: '20261121150000_oauth', class: Migration20261121150000_oauth },
];
