import { z } from 'zod';
import { LedgerAccountList } from '../../../domain/contracts/ledger-accounts.ts';
import { listAccounts } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { ledgerRoute } from '../../vision/route.ts';

export const getLedgerAccountsOperation = operation({
  name: 'get-ledger-accounts',
  title: 'Get the chart of accounts',
  description: 'Returns the accounts that gl_code_suggestion chooses from: the client’s own, or the built-in chart.',
  area: 'Document AI',
  scopes: ['vision:models'],
  input: z.strictObject({}),
  output: LedgerAccountList,
  effects: 'read',
  route: ledgerRoute('get'),
  run: async ({ tx }) => ({ data: await listAccounts(tx) }),
});
