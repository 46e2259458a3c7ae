import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A group of users that work can be assigned to (decisions §1). */
export const Team = defineEntity({
  name: 'Team',
  tableName: 'teams',
  properties: {
    team_id: p.uuid().primary(),
    client_id: column.clientId(),
    name: p.text(),
    description: p.text().nullable(),
    is_active: p.boolean().default(true),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [
    {
      name: 'teams_name_unique',
      expression: 'create unique index "teams_name_unique" on "teams" ("client_id", lower("name"))',
    },
  ],
});
