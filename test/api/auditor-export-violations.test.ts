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
    expect(rulesOf(await violations())).toEqual(['dates_out_of_order']);
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

  it('counts what was refunded as not paid, and finds a refund that the document knows nothing of', async () => {
    const { id: document_id } = await keeper.issued();
    const of = { document_type: 'invoice', document_id, amount: 114.99 };
    const { payment } = await keeper.act('record-finance-payment', of);
    await keeper.act('refund-payment', { payment_id: payment.id, amount: 14.99 });
    expect(rulesOf(await violations())).toEqual([]);
    await books.tamper('update payments set refunded_minor = refunded_minor + 1 where client_id = $1', [
      keeper.tenant.clientId,
    ]);
    expect((await violations()).body.bundle.compliance_violations).toEqual([
      expect.objectContaining({ rule: 'payments_do_not_match', document_id, expected: '100 ZAR', actual: '99.99 ZAR' }),
    ]);
  });

  it('finds credit notes that come to something else than their invoice says', async () => {
    const { id: invoice_id } = await keeper.issued();
    const lines = [{ description: 'Back', unit_price: 14.99 }];
    await keeper.issued({ document_type: 'credit_note', contact_name: undefined, invoice_id, lines });
    await keeper.act('create-finance-document', {
      document_type: 'credit_note',
      invoice_id,
      lines,
    });
    expect(rulesOf(await violations())).toEqual([]);
    await books.tamper('update finance_documents set credited_minor = 0 where id = $1', [invoice_id]);
    expect((await violations()).body.bundle.compliance_violations).toEqual([
      expect.objectContaining({
        rule: 'credits_do_not_match',
        document_id: invoice_id,
        expected: '0 ZAR',
        actual: '14.99 ZAR',
      }),
    ]);
  });

  it('finds a credit note that went to another contact than its invoice', async () => {
    const { id: invoice_id } = await keeper.issued();
    const lines = [{ description: 'Back', unit_price: 1 }];
    const note = await keeper.issued({ document_type: 'credit_note', contact_name: undefined, invoice_id, lines });
    await keeper.issued({ document_type: 'credit_note' });
    expect(rulesOf(await violations())).toEqual([]);
    await books.tamper(`update finance_documents set contact_name = 'Another' where id = $1`, [note.id]);
    const { body } = await violations();
    expect(body.bundle.compliance_violations).toEqual([
      expect.objectContaining({ rule: 'credit_to_another_contact', document_id: note.id, actual: 'Another' }),
      expect.objectContaining({ rule: 'edited_after_issue', document_id: note.id }),
    ]);
  });

  it('finds dates that go backwards against the numbers by more than a day, but not those of bills', async () => {
    for (const day of ['2026-08-15', '2026-08-20', '2026-08-19']) await keeper.issued({ document_date: day });
    for (const document_date of ['2026-08-20', '2026-08-01'])
      await keeper.issued({ document_type: 'bill', document_date });
    expect(rulesOf(await violations())).toEqual([]);
    const back = await keeper.issued({ document_date: '2026-08-17' });
    await keeper.issued({ document_date: '2026-08-18' });
    const { body } = await violations();
    expect(body.bundle.compliance_violations).toEqual([
      expect.objectContaining({
        rule: 'dates_out_of_order',
        severity: 'warning',
        document_id: back.id,
        message: 'It is dated 2026-08-17, and INV-000003 before it 2026-08-19.',
      }),
    ]);
  });

  it('finds a seller who was changed after issue, and takes what was kept later for what it is', async () => {
    const { id } = await keeper.issued();
    const set = (seller: string): Promise<void> =>
      books.tamper(`update finance_documents set seller = ${seller} where id = $1`, [id]);
    await set(`seller || '{"tax_number": "1"}'`);
    expect(rulesOf(await violations())).toEqual(['edited_after_issue']);
    await set(`seller || '{"tax_number": null}'`);
    expect(rulesOf(await violations())).toEqual([]);
    await set(`seller || '{"kept_later": true}'`);
    expect(rulesOf(await violations())).toEqual(['edited_after_issue']);
  });

  it('finds one number on two documents', async () => {
    await keeper.issued();
    const second = await keeper.issued();
    await books.tamper(`update finance_documents set document_number = 'INV-000001' where id = $1`, [second.id]);
    const { body } = await violations();
    expect(body.bundle.compliance_violations).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          rule: 'duplicate_document',
          severity: 'error',
          document_id: second.id,
          message: expect.stringContaining('has the same number'),
        }),
      ]),
    );
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
