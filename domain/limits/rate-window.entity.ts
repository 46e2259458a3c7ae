import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** What of a subject's limit has been leased in its current window, and within the current second (burst). */
export const RateWindow = defineEntity({
  name: 'RateWindow',
  tableName: 'rate_windows',
  properties: {
    subject: p.text().primary(),
    ends_at: column.moment(),
    used: p.integer(),
    second_ends_at: column.moment(),
    second_used: p.integer(),
    /** What the last lease got: lets the one statement that takes also tell. */
    granted: p.integer(),
  },
});
