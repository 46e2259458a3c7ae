import type { Author } from '../author.ts';
import type { Terms } from '../lexicon/terms.ts';

/** Where the title stands and how large it is varies more between issuers than anything else. */
export function heading(author: Author, type: keyof Terms, prefix = ''): void {
  const { random, sheet } = author;
  const title = `${prefix}${author.term(type)}`;
  const written = random.chance(0.3) ? title.toUpperCase() : title;
  const scale = random.between(1, 2.4);
  const layout = random.integer(0, 4);
  if (layout === 0) {
    sheet.centred(written, scale);
    author.letterhead(0.08);
  } else if (layout === 1) {
    author.letterhead(0.08, true);
    sheet.gap();
    sheet.centred(written, scale);
  } else if (layout === 2) {
    sheet.row(
      [
        [0.08, author.company],
        [0.6, written],
      ],
      scale,
    );
    sheet.row([[0.08, author.street()]]);
    sheet.row([[0.08, author.town()]]);
  } else {
    author.letterhead(random.pick([0.08, 0.6]));
    sheet.gap(random.integer(0, 2));
    sheet.row([[random.pick([0.08, 0.08, 0.6]), written]], scale);
  }
  sheet.gap(random.integer(0, 2));
}

function goodsTable(author: Author, priced: boolean): void {
  const { random, sheet } = author;
  const quantity = priced ? author.term('quantity') : author.term('shipped');
  sheet.row([
    [0.08, author.term('description')],
    [0.52, quantity],
    ...(priced
      ? ([
          [0.68, author.term('price')],
          [0.84, author.term('amount')],
        ] as [number, string][])
      : []),
  ]);
  const rows = random.chance(0.12) ? random.integer(25, 60) : random.integer(1, 9);
  for (let row = 0; row < rows; row++) {
    const cells: [number, string][] = [
      [0.08, `${random.chance(0.3) ? `SKU${String(random.integer(100, 9999))} ` : ''}${author.term('goods')}`],
      [0.52, String(random.integer(1, 40))],
    ];
    if (priced) cells.push([0.68, author.money(400)], [0.84, author.money()]);
    sheet.row(cells);
  }
}

function totals(author: Author): void {
  const { sheet } = author;
  sheet.gap();
  if (author.has())
    sheet.row([
      [0.62, author.term('subtotal')],
      [0.84, author.money()],
    ]);
  if (author.has())
    sheet.row([
      [0.62, author.term('tax')],
      [0.84, author.money(200)],
    ]);
  sheet.row([
    [0.62, author.term('total')],
    [0.84, author.money()],
  ]);
  sheet.gap();
}

/** Hosting, software and agencies invoice usage and monthly charges too: that alone makes no utility bill. */
function subscription(author: Author): void {
  if (author.has()) author.labelled('account_no', author.number());
  if (author.has()) author.labelled('period', `${author.date()} - ${author.date()}`);
  if (author.has()) author.lines('charges', 0.3, () => author.money());
  else author.lines('goods', 0.2, () => author.money());
}

function invoice(author: Author): void {
  heading(author, 'invoice');
  if (author.has(1.05)) author.labelled('invoice_no', author.number());
  author.labelled('date', author.date());
  if (author.has()) author.labelled('due', author.date());
  if (author.has(0.5)) author.labelled('order_no', author.number());
  if (author.has(0.3)) author.labelled('account_no', author.number());
  if (author.has(0.15)) author.labelled('delivery_no', author.number());
  if (author.has()) author.party('bill_to');
  if (author.has(0.3)) author.party('ship_to', 0.5);
  if (author.random.chance(0.2)) subscription(author);
  else goodsTable(author, true);
  totals(author);
  if (author.has()) author.lines('bank', 0.5);
  if (author.has()) author.lines('terms', 0.5);
  if (author.has(0.15)) author.lines('thanks', 0.1);
}

function creditNote(author: Author): void {
  heading(author, 'credit_note');
  if (author.has()) author.labelled('credit_no', author.number());
  author.labelled('date', author.date());
  if (author.has()) author.labelled('original', author.number());
  if (author.has(0.3)) author.labelled('order_no', author.number());
  if (author.has()) author.party('bill_to');
  goodsTable(author, true);
  totals(author);
  if (author.has()) author.lines('reason', 0.4);
  if (author.has(0.3)) author.lines('terms', 0.3);
  if (author.has(0.3)) author.lines('bank', 0.3);
}

function purchaseOrder(author: Author): void {
  heading(author, 'purchase_order');
  author.labelled('order_no', author.number());
  author.labelled('date', author.date());
  if (author.has()) author.party('supplier');
  if (author.has()) author.party('ship_to', 0.5);
  if (author.has(0.25)) author.party('bill_to');
  if (author.has()) author.lines('authorised', 0.4, () => author.date());
  if (author.has(0.3)) author.labelled('due', author.date());
  goodsTable(author, author.has(1.1));
  if (author.has()) totals(author);
  if (author.has(0.4)) author.lines('authorised', 0.2);
  if (author.has(0.3)) author.lines('terms', 0.2);
}

function deliveryNote(author: Author): void {
  heading(author, 'delivery_note');
  if (author.has(1.05)) author.labelled('delivery_no', author.number());
  author.labelled('date', author.date());
  if (author.has(0.7)) author.labelled('order_no', author.number());
  if (author.has(0.2)) author.labelled('invoice_no', author.number());
  if (author.has()) author.party('ship_to');
  if (author.has(0.3)) author.party('bill_to', 0.5);
  goodsTable(author, author.random.chance(0.08));
  if (author.has()) author.lines('carrier', 0.4, () => author.number());
  author.sheet.gap();
  if (author.has()) author.lines('received', 0.4);
}

function receipt(author: Author): void {
  const { random, sheet } = author;
  author.letterhead(0.1, true);
  if (author.has(0.4)) sheet.centred(`GST Reg No ${String(random.integer(100000000, 999999999))}`);
  if (author.has(0.9)) sheet.centred(author.term('receipt'), random.between(1, 1.5));
  if (author.has()) author.labelled('receipt_no', author.number(), 0.06);
  const time = `${String(random.integer(8, 22))}:${String(random.integer(10, 59))}`;
  sheet.row([
    [0.06, random.chance(0.5) ? `${author.term('date')}: ${author.date()} ${time}` : `${author.date()} ${time}`],
  ]);
  if (author.has(0.2)) author.labelled('invoice_no', author.number(), 0.06);
  if (author.has()) author.lines('cashier', 0.4, undefined, 0.06);
  if (author.has(0.15)) author.party('bill_to', 0.06);
  if (author.has(0.4))
    sheet.row([
      [0.06, author.term('description')],
      [0.5, author.term('quantity')],
      [0.75, author.term('amount')],
    ]);
  for (let item = random.integer(1, 9); item > 0; item--) {
    sheet.row([
      [0.06, `${author.term('goods')}${random.chance(0.4) ? ` x${String(random.integer(1, 5))}` : ''}`],
      [0.78, author.money(90)],
    ]);
  }
  if (author.has(0.7))
    sheet.row([
      [0.2, author.term('subtotal')],
      [0.78, author.money(90)],
    ]);
  if (author.has(0.7))
    sheet.row([
      [0.2, author.term('tax')],
      [0.78, author.money(9)],
    ]);
  sheet.row(
    [
      [0.2, author.term('total')],
      [0.78, author.money(90)],
    ],
    random.between(1, 1.5),
  );
  if (random.chance(0.55)) {
    if (author.has())
      sheet.row([
        [0.2, author.term('cash')],
        [0.78, author.money(90)],
      ]);
    if (author.has())
      sheet.row([
        [0.2, author.term('change')],
        [0.78, author.money(9)],
      ]);
  } else if (author.has()) author.lines('card', 0.4);
  if (author.has()) author.lines('thanks', 0.4);
}

export const commercialRecipes = {
  invoice,
  credit_note: creditNote,
  purchase_order: purchaseOrder,
  delivery_note: deliveryNote,
  receipt,
};
