import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * The last number given to an issued document of one client and type. A row, not a sequence: its lock is held until the
 * issue commits and its change is undone with it, so that there are no gaps.
 */
export const FinanceCounter = defineEntity({
  name: 'FinanceCounter',
  tableName: 'finance_counters',
  properties: {
    client_id: column.clientId().primary(),
    document_type: p.text().primary(),
    last_number: p.integer().default(0),
  },
});
