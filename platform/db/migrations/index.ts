import type { MigrationObject } from '@mikro-orm/core';
import { Migration20261121000000_foundation } from './20261121000000_foundation.ts';

/** Every migration, oldest first. A migration that has been released is never edited. */
export const migrations: MigrationObject[] = [
  { name: '20261121000000_foundation', class: Migration20261121000000_foundation },
];
