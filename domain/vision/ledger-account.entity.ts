import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** An account of a client's chart of accounts; a client without any has the built-in chart. */
export const LedgerAccount = defineEntity({
  name: 'LedgerAccount',
  tableName: 'ledger_accounts',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    position: p.integer(),
    gl_code: p.text(),
    gl_name: p.text(),
    keywords: column.textArray(),
    is_active: p.boolean().default(true),
    created_at: column.createdAt(),
  },
  uniques: [{ name: 'ledger_accounts_code_unique', properties: ['client_id', 'gl_code'] }],
});
