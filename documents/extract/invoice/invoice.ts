import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { amountFields } from './amounts.ts';
import { bankFields } from './bank.ts';
import { accountField, periodFields } from './bill.ts';
import { contactFields } from './contacts.ts';
import { currencyField } from './currency.ts';
import { dateFields } from './dates.ts';
import { findParties, partyFields } from './parties.ts';
import { referenceFields } from './references.ts';

/**
 * The header fields of an invoice or of a document laid out like one: bill, credit note, purchase order, delivery note.
 * In a purchase order the vendor is who receives it. A delivery note has no amounts.
 */
export function extractInvoice(context: ExtractContext, type: string): Record<string, ExtractionField> {
  const parties = findParties(context, type);
  const amounts = type === 'delivery_note' ? {} : amountFields(context, type);
  const currency = Object.keys(amounts).length > 0 ? currencyField(context, parties) : undefined;
  return {
    ...referenceFields(context, type),
    ...dateFields(context, type),
    ...partyFields(parties),
    ...contactFields(context, parties),
    ...(type === 'delivery_note' ? {} : bankFields(context)),
    ...accountField(context, type),
    ...(type === 'invoice' || type === 'bill' ? periodFields(context) : {}),
    ...amounts,
    ...(currency ? { currency } : {}),
  };
}
