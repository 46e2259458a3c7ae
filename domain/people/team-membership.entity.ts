import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A user's place in a team: `member` or `lead`. */
export const TeamMembership = defineEntity({
  name: 'TeamMembership',
  tableName: 'team_memberships',
  properties: {
    team_id: p.uuid().primary(),
    user_id: p.integer().primary(),
    client_id: column.clientId(),
    role: p.text().default('member'),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'team_memberships_user_index', properties: ['client_id', 'user_id'] }],
});
