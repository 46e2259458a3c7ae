import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** Requests made with a key within one minute; what `usage_stats` adds up. */
export const ApiKeyUsage = defineEntity({
  name: 'ApiKeyUsage',
  tableName: 'api_key_usage',
  properties: {
    api_key_id: p.integer().primary(),
    minute: column.moment().primary(),
    client_id: column.clientId(),
    requests: p.integer(),
  },
  indexes: [{ name: 'api_key_usage_age_index', properties: ['minute'] }],
});
