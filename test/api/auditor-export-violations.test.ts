import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { PERIOD, startBooks } from './auditor-export-support.ts';
import type { BookKeeper, Books } from './auditor-export-support.ts';

let books: Books;
/** Of each test its own: what one did wrong is not seen by the next. */
let keeper: BookKeeper;
beforeAll(async () => {
  books = await startBooks();
});
beforeEach(async () => {
  keeper = await books.keeper();
});
afterAll(() => books.close());

const rulesOf = (answer: Response): string[] =>
  answer.body.bundle.compliance_violations.map((violation: { rule: string }) => violation.rule);

describe('compliance violations', () => {
  const violations = (): Promise<Response> => keeper.exported(PERIOD);
  const total = `update finance_documents set`;
  it('finds gaps in the numbering: between, before and behind', async () => {
    const made: { id: number }[] = [];
    for (let index = 0; index < 7; index++) made.push(await keeper.issued());
    expect(rulesOf(await violations())).toEqual([]);
    const removed = [0, 2, 3, 6].map((index) => made[index]!.id);
    await books.tamper('delete from finance_documents where id = any($1)', [removed]);
    const { body } = await violations();
    expect(body.bundle.compliance_violations.map((found: { message: string }) => found.message)).toEqual([
      'INV-000001 is missing.',
      'INV-000003 to INV-000004 (2 numbers) are missing.',
      'INV-000007 is missing.',
    ]);
  });

  it('finds no gap where the numbers of the period’s neighbours are elsewhere in time', async () => {
    await keeper.issued({ document_date: '2026-06-01' });
    await keeper.issued();
    await keeper.issued({ document_date: '2026-10-01' });
    await keeper.issued();
    expect(rulesOf(await violations())).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ['an edit after issue', `${total} notes = 'other'`, ['edited_after_issue']],
    ['a line edited after issue', `update finance_document_lines set description = 'other'`, ['edited_after_issue']],
    ['a digest that is gone', `${total} issued_sha256 = null`, ['edited_after_issue']],
    [
      'a total that does not add up',
      `${total} total_minor = total_minor + 1`,
      ['edited_after_issue', 'totals_do_not_add_up'],
    ],
    [
      'a price that is not its line’s',
      'update finance_document_lines set unit_price = 34',
      ['edited_after_issue', 'totals_do_not_add_up', 'tax_does_not_match_rate'],
    ],
    [
      'a tax that is not its rate’s',
      'update finance_document_lines set tax_rate = 14',
      ['edited_after_issue', 'tax_does_not_match_rate'],
    ],
    ['a payment that is not there', `${total} paid_minor = 5`, ['payments_do_not_match']],
  ])('finds %s', async (_what, sql, rules) => {
    await keeper.issued();
    await books.tamper(`${sql} where client_id = $1`, [keeper.tenant.clientId]);
    expect([...new Set(rulesOf(await violations()))].sort()).toEqual([...rules].sort());
  });

  it('finds payments over the total', async () => {
    const { id } = await keeper.issued();
    await keeper.act('record-finance-payment', { document_type: 'invoice', document_id: id, amount: 114.99 });
    await books.tamper('update payments set amount_minor = amount_minor + 1 where client_id = $1', [
      keeper.tenant.clientId,
    ]);
    const { body } = await violations();
    expect(body.bundle.compliance_violations).toEqual([
      expect.objectContaining({
        rule: 'payments_over_total',
        document_id: id,
        expected: '114.99 ZAR',
        actual: '115 ZAR',
      }),
    ]);
  });

  it('finds what is there twice: a supplier’s number, and the same invoice again', async () => {
    const contact_id = await keeper.tenant.contact('Supplier');
    const bill = { document_type: 'bill', contact_name: undefined, contact_id };
    await keeper.issued({ ...bill, reference: 'A-1', document_date: '2025-01-01' });
    const again = await keeper.issued({ ...bill, reference: 'a-1' });
    await keeper.issued({ ...bill, reference: 'A-2' });
    const same = { contact_name: undefined, contact_id };
    await keeper.issued(same);
    const twice = await keeper.issued(same);
    await keeper.issued({ ...same, document_date: '2026-08-16' });
    const { body } = await violations();
    expect(body.bundle.compliance_violations).toEqual([
      expect.objectContaining({ rule: 'duplicate_document', severity: 'warning', document_id: again.id }),
      expect.objectContaining({ rule: 'duplicate_document', severity: 'warning', document_id: twice.id }),
    ]);
  });

  it('finds what is there twice for somebody who is no contact record', async () => {
    const same = { contact_name: 'Walk-in Customer' };
    await keeper.issued(same);
    const twice = await keeper.issued({ contact_name: 'walk-in customer' });
    await keeper.issued({ ...same, document_date: '2026-08-16' });
    await keeper.issued({ ...same, reference: 'Another' });
    const { body } = await violations();
    expect(body.bundle.compliance_violations).toEqual([
      expect.objectContaining({ rule: 'duplicate_document', severity: 'warning', document_id: twice.id }),
    ]);
  });

  it('takes no payment that is recorded meanwhile for a contradiction', async () => {
    const invoices = await Promise.all(Array.from({ length: 4 }, () => keeper.issued()));
    const paying = invoices.map(async ({ id }) => {
      for (let round = 0; round < 15; round++)
        await keeper.act('record-finance-payment', { document_type: 'invoice', document_id: id, amount: 0.5 });
    });
    const looking = async (): Promise<string[]> => {
      const found: string[] = [];
      for (let round = 0; round < 12; round++) found.push(...rulesOf(await violations()));
      return found;
    };
    const [first, second] = await Promise.all([looking(), looking(), ...paying]);
    expect([first, second]).toEqual([[], []]);
  });
});
