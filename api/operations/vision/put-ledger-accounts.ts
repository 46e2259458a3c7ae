import { LedgerAccountList, PutLedgerAccounts } from '../../../domain/contracts/ledger-accounts.ts';
import { putAccounts } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { ledgerRoute } from '../../vision/route.ts';

export const putLedgerAccountsOperation = operation({
  name: 'put-ledger-accounts',
  title: 'Replace the chart of accounts',
  description:
    'Replaces the accounts that gl_code_suggestion chooses from. An empty list brings the built-in chart back.',
  area: 'Document AI',
  scopes: ['vision:models'],
  input: PutLedgerAccounts,
  output: LedgerAccountList,
  effects: 'destructive',
  idempotent: true,
  route: ledgerRoute('put'),
  run: async ({ tx, caller }, input) => ({ data: await putAccounts(tx, caller, input) }),
});
