import type { FinanceDocumentData } from '../../contracts/finance.ts';
import type { Seller } from '../seller.ts';
import type { Figures } from './figures.ts';
import type { Labels } from './labels.ts';
import { SOFT_INK } from './sheet.ts';
import type { Sheet } from './sheet.ts';
import { fit, wrap } from './wrap.ts';

const SIZE = 9;
const LINE_HEIGHT = 13;
const SELLER_SIZE = 8.5;
const SELLER_LINE_HEIGHT = 11.5;

interface Context {
  sheet: Sheet;
  labels: Labels;
  figures: Figures;
  document: FinanceDocumentData;
  /** The client whose document it is. */
  seller: Seller;
  /** What the document is called. */
  title: string;
}

/** The first page's head: whose document it is, what it is, its number and days, and the other side. */
export function drawHead(context: Context): void {
  const { sheet, seller } = context;
  const { bold } = sheet.faces;
  const half = sheet.width / 2;
  const title = bold.printable(context.title);
  const [top, page] = [sheet.y, sheet.pageNumber];
  const names = wrap(seller.name, bold, 15, half - 10).slice(0, 4);
  for (const name of names) {
    sheet.text(name, sheet.left, sheet.y, { face: bold, size: 15 });
    sheet.y -= 19;
  }
  sheet.text(fit(title, bold, 20, half), sheet.right, top, { face: bold, size: 20, align: 'right' });
  drawSeller(context, half - 10);
  sheet.y = (sheet.pageNumber === page ? Math.min(sheet.y, top - 28) : sheet.y) - 18;
  drawParties(context);
}

/** Below its name: who the seller is by law, where, and how it is reached. */
function drawSeller({ sheet, labels, seller }: Context, width: number): void {
  const registration = labelled(labels.registrationNumber, seller.registration_number);
  const legal = seller.legal_name === seller.name ? null : seller.legal_name;
  const contact = [seller.phone, seller.email, seller.website];
  for (const value of [legal, seller.address, taxNumberOf(seller, labels), registration, ...contact]) {
    if (typeof value !== 'string') continue;
    for (const text of wrap(value, sheet.faces.regular, SELLER_SIZE, width)) {
      sheet.need(SELLER_LINE_HEIGHT);
      sheet.text(text, sheet.left, sheet.y, { size: SELLER_SIZE, colour: SOFT_INK });
      sheet.y -= SELLER_LINE_HEIGHT;
    }
  }
}

/** The seller's tax number with its label; null without one. */
export function taxNumberOf({ tax_number }: Seller, labels: Labels): string | null {
  return labelled(labels.taxNumber, tax_number);
}

function labelled(label: string, value: string | null | undefined): string | null {
  return typeof value === 'string' ? `${label}: ${value}` : null;
}

/** On the pages after the first: one line that says what they belong to. */
export function drawContinuation({ sheet, labels, document, seller, title }: Context): void {
  const { regular } = sheet.faces;
  const what = [title, document.document_number ?? labels.draft].join(' ');
  const style = { size: 8, colour: SOFT_INK };
  sheet.text(fit(seller.name, regular, 8, sheet.width / 2), sheet.left, sheet.y, style);
  sheet.text(regular.printable(what), sheet.right, sheet.y, { ...style, align: 'right' });
  sheet.y -= 20;
}

function drawParties(context: Context): void {
  const { sheet } = context;
  const top = sheet.y;
  const factsLeft = sheet.left + sheet.width * 0.58;
  drawFacts(context, factsLeft);
  const factsEnd = sheet.y;
  sheet.y = top;
  const page = sheet.pageNumber;
  drawContact(context, factsLeft - sheet.left - 20);
  sheet.y = (sheet.pageNumber === page ? Math.min(sheet.y, factsEnd) : sheet.y) - 16;
}

function drawFacts({ sheet, labels, figures, document }: Context, left: number): void {
  const { regular, bold } = sheet.faces;
  const due = document.document_type === 'quote' ? labels.validUntil : labels.due;
  const facts: [string, string | null][] = [
    [labels.number, document.document_number ?? labels.draft],
    [labels.date, figures.day(document.document_date)],
    [due, document.due_date === null ? null : figures.day(document.due_date)],
    [labels.reference, document.reference],
  ];
  const labelWidth = Math.max(...facts.map(([label]) => regular.width(label, SIZE))) + 12;
  for (const [label, value] of facts) {
    if (value === null) continue;
    sheet.text(regular.printable(label), left, sheet.y, { colour: SOFT_INK });
    for (const text of wrap(value, bold, SIZE, sheet.right - left - labelWidth)) {
      sheet.text(text, sheet.right, sheet.y, { face: bold, align: 'right' });
      sheet.y -= LINE_HEIGHT;
    }
  }
}

function drawContact({ sheet, labels, document }: Context, width: number): void {
  const { regular, bold } = sheet.faces;
  sheet.text(regular.printable(headingOf(document, labels)), sheet.left, sheet.y, { colour: SOFT_INK });
  sheet.y -= LINE_HEIGHT;
  const { contact_name, contact_address, contact_tax_number, contact_email, contact_phone } = document;
  for (const name of wrap(contact_name, bold, 10, width)) {
    sheet.need(LINE_HEIGHT);
    sheet.text(name, sheet.left, sheet.y, { face: bold, size: 10 });
    sheet.y -= LINE_HEIGHT;
  }
  const tax = labelled(labels.taxNumber, contact_tax_number);
  for (const value of [contact_address, tax, contact_email, contact_phone]) {
    if (value === null) continue;
    for (const text of wrap(value, regular, SIZE, width)) {
      sheet.need(LINE_HEIGHT);
      sheet.text(text, sheet.left, sheet.y, { size: SIZE });
      sheet.y -= LINE_HEIGHT;
    }
  }
}

function headingOf({ document_type }: FinanceDocumentData, labels: Labels): string {
  if (document_type === 'bill' || document_type === 'purchase_order') return labels.supplier;
  return document_type === 'delivery_note' ? labels.deliverTo : labels.billTo;
}
