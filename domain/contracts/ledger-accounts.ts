import { z } from 'zod';
import { textField } from './common.ts';

export const MAX_ACCOUNTS = 1_000;
const MAX_KEYWORDS = 50;

export const GL_CODE = z
  .string()
  .regex(/^[\w.\-/]{1,32}$/, 'must be 1 to 32 letters, digits, dots, dashes, slashes or underscores')
  .describe('Code of the account')
  .meta({ example: '6200' });

export const LedgerAccountView = z
  .object({
    gl_code: GL_CODE,
    gl_name: z.string().meta({ example: 'Stationery and office supplies' }),
    keywords: z.array(z.string()).meta({ example: ['paper', 'toner'] }),
    is_active: z.boolean(),
  })
  .meta({ id: 'LedgerAccount' });
export type LedgerAccountData = z.output<typeof LedgerAccountView>;

export const PutLedgerAccounts = z.strictObject({
  accounts: z
    .array(
      z.strictObject({
        gl_code: GL_CODE,
        gl_name: textField(200, 'Name of the account').meta({ example: 'Stationery and office supplies' }),
        keywords: z
          .array(textField(100, 'A word or phrase of lines that belong here'))
          .max(MAX_KEYWORDS)
          .default([])
          .meta({ example: ['paper', 'toner'] }),
        is_active: z.boolean().default(true).describe('Whether it is suggested'),
      }),
    )
    .max(MAX_ACCOUNTS)
    .superRefine((accounts, context) => {
      const codes = accounts.map(({ gl_code }) => gl_code);
      const first = new Map<string, number>();
      for (const [index, code] of codes.entries()) {
        if (first.has(code))
          context.addIssue({ code: 'custom', path: [index, 'gl_code'], message: 'is there already' });
        else first.set(code, index);
      }
    })
    .describe('The whole chart, in its order; an empty list brings the built-in one back'),
});
export type PutLedgerAccountsInput = z.output<typeof PutLedgerAccounts>;

export const LedgerAccountList = z
  .object({
    accounts: z.array(LedgerAccountView),
    is_default: z.boolean().describe('Whether this is the built-in chart, because the client has none of its own'),
  })
  .meta({ id: 'LedgerAccountList' });

/** The chart of a client that has none of its own. */
export const DEFAULT_ACCOUNTS: readonly LedgerAccountData[] = [
  account('1200', 'Computer equipment', ['laptop', 'computer', 'monitor', 'printer']),
  account('1210', 'Furniture and fittings', ['desk', 'chair', 'shelving']),
  account('1400', 'Inventory', ['stock']),
  account('5000', 'Cost of goods sold', ['raw material', 'components']),
  account('5100', 'Packaging', ['carton', 'box', 'tape', 'pallet']),
  account('5200', 'Freight and courier', ['delivery', 'shipping', 'courier', 'freight']),
  account('5300', 'Subcontractors', ['subcontract', 'labour']),
  account('6000', 'Rent', ['rent', 'lease']),
  account('6010', 'Electricity and water', ['electricity', 'water', 'municipal']),
  account('6020', 'Repairs and maintenance', ['repair', 'maintenance', 'spare part']),
  account('6030', 'Cleaning', ['cleaning', 'detergent', 'waste']),
  account('6040', 'Security', ['guard', 'alarm']),
  account('6100', 'Telephone and internet', ['telephone', 'mobile', 'internet', 'fibre']),
  account('6110', 'Software and hosting', ['software', 'subscription', 'licence', 'hosting']),
  account('6200', 'Stationery and office supplies', ['paper', 'toner', 'pen', 'stationery']),
  account('6210', 'Postage', ['postage', 'stamp']),
  account('6300', 'Travel and accommodation', ['flight', 'hotel', 'taxi', 'accommodation']),
  account('6310', 'Meals and entertainment', ['meal', 'restaurant', 'coffee', 'lunch']),
  account('6320', 'Fuel and vehicle expenses', ['fuel', 'petrol', 'diesel', 'tyre', 'parking']),
  account('6400', 'Advertising and marketing', ['advertising', 'marketing', 'design', 'print run']),
  account('6500', 'Professional fees', ['consulting', 'accounting', 'audit', 'advisory']),
  account('6510', 'Legal fees', ['legal', 'attorney']),
  account('6520', 'Training', ['training', 'course', 'workshop']),
  account('6600', 'Insurance', ['insurance', 'premium']),
  account('6700', 'Bank charges', ['bank fee', 'bank charge', 'card fee']),
  account('6710', 'Interest paid', ['interest']),
  account('6800', 'Staff welfare', ['uniform', 'first aid']),
  account('6900', 'General expenses', ['sundry', 'miscellaneous']),
];

function account(gl_code: string, gl_name: string, keywords: string[]): LedgerAccountData {
  return { gl_code, gl_name, keywords, is_active: true };
}
