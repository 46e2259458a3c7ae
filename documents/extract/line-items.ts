import { type Line, pageBox, textOf } from '../layout/lines.ts';
import type { LineItem, LineItemCell, Word } from '../types.ts';
import { type DecimalMark, parseMoney, sameAmount } from '../values/money.ts';
import type { ExtractContext } from './context.ts';
import { roundConfidence } from './field.ts';
import { meanConfidence } from '../layout/lines.ts';

type Column = 'description' | 'quantity' | 'unit_price' | 'total' | 'code' | 'tax' | 'discount' | 'unit' | 'date';

/** Headings by column; tested in this order against each run of heading words. */
const HEADINGS: [Column, RegExp][] = [
  [
    'total',
    /^(?:line\s*total|amount|total(?:\s*(?:price|amount|excl\.?|incl\.?|ht|ttc|net))?|net(?:to)?\s*(?:amount|betrag)|nettobetrag|betrag|gesamt(?:preis|betrag)?|gessamtpres|summe|montant(?:\s*ht)?|prix\s*ht|prix\s*total|bedrag|totaal|extended|ext\.?\s*price|value|importe|prijs\s*incl\.?\s*btw|line\s*amount|subtotal)\b/i,
  ],
  [
    'unit_price',
    /^(?:unit\s*(?:price|cost)|price(?:\s*each)?|rate|u\.?\/?p(?:rice)?|einzelpreis|e-?preis|preis|nettopreis|prix(?:\s*unitaire)?|p\.?u\.?|prijs(?:\s*per\s*stuk)?|stukprijs|unit(?=\s*$)|precio|prezzo|cost|each|s\/price)\b/i,
  ],
  [
    'quantity',
    /^(?:qty|quantity|menge|anzahl|quantité|qté|aantal|cantidad|quantità|qnty|hours|hrs|units|oty|aty|qiy)\b\.?/i,
  ],
  ['tax', /^(?:tax|vat|gst|btw|tva|ust|mwst|steuer(?:satz)?|iva|sst)\b/i],
  ['discount', /^(?:disc(?:ount)?|rabatt|rem(?:ise|\.)?|korting)\b/i],
  [
    'description',
    /^(?:(?:item\s*)?desc(?:ription)?|item(?:s)?(?:\s*(?:name|desc\.?))?|product|produkt|artikel|article|beschreibung|bezeichnung|leistung|désignation|omschrijving|details|particulars|service|concepto|descrizione|menu)\b/i,
  ],
  [
    'code',
    /^(?:(?:item|product)?\s*code|sku|art(?:ikel)?[.-]?\s*n(?:o|r)\.?|pos\.?|#|no\.?|ref\.?|item\s*(?:no|#)|line)\b/i,
  ],
  ['unit', /^(?:um|uom|unit|einheit)\b/i],
  ['date', /^(?:date|datum)\b/i],
];
const END_OF_TABLE =
  /^\W*(?:sub[\s-]?to?taa?[l1i]|paid\b|total|totaal|summe|net(?:to)?\b|net\s*amount|grand|amount\s*due|balance|zwischensumme|gesamt|tax\b|vat\b|gst\b|rounding|cash\b|tva\b|mwst|ust\b|btw\b|exclusief|belegsummen|umsatzsteuer|zuzügl|montant total|sales tax|shipping|discount|notes?\b|payment|bank|thank)/i;

/** The foot of a page inside of a table. */
const PAGE_NUMBER = /^(?:page|seite|pagina|página)\b/i;

interface HeaderCell {
  column: Column;
  left: number;
  right: number;
}

/** The rows of the item tables: from each heading row to the first total. */
export function extractLineItems(context: ExtractContext, { unpriced = false } = {}): LineItem[] {
  const items: LineItem[] = [];
  const { lines } = context;
  for (let i = 0; i < lines.length; i++) {
    const header = headerCells(lines[i]!, unpriced);
    if (!header) continue;
    const end = tableEnd(lines, i + 1, unpriced);
    items.push(...tableRows(lines.slice(i + 1, end), header, context.decimal));
    i = end - 1;
  }
  return items;
}

function tableEnd(lines: Line[], from: number, unpriced: boolean): number {
  for (let i = from; i < lines.length; i++) {
    if (END_OF_TABLE.test(lines[i]!.text) && i > from) return i;
    if (headerCells(lines[i]!, unpriced)) return i;
  }
  return lines.length;
}

/** A heading row names the description or the quantity, and an amount. */
export function headerCells(line: Line, unpriced = false): HeaderCell[] | undefined {
  const cells: HeaderCell[] = [];
  for (let i = 0; i < line.words.length;) {
    const rest = textOf(line.words.slice(i));
    const match = HEADINGS.map(([column, pattern]) => ({ column, match: pattern.exec(rest) }))
      .filter((m) => m.match !== null)
      .sort((a, b) => b.match![0].length - a.match![0].length)[0];
    if (!match) {
      if (/\d[.,]\d{2}/.test(line.words[i]!.text)) return undefined;
      i++;
      continue;
    }
    const taken = Math.max(1, match.match![0].trim().split(' ').length);
    const words = line.words.slice(i, i + taken);
    if (!cells.some((cell) => cell.column === match.column)) {
      cells.push({
        column: match.column,
        left: words[0]!.bbox.x,
        right: words.at(-1)!.bbox.x + words.at(-1)!.bbox.width,
      });
    }
    i += taken;
  }
  const has = (column: Column): boolean => cells.some((cell) => cell.column === column);
  const amount = has('total') || has('unit_price');
  // A delivery note has quantities and no prices.
  const described = unpriced && has('description') && has('quantity');
  return cells.length >= 2 && (described || (amount && (has('description') || has('quantity')))) ? cells : undefined;
}

interface Row {
  cells: Map<Column, Word[]>;
  page: number;
  bottom: number;
}

function tableRows(lines: Line[], header: HeaderCell[], decimal: DecimalMark): LineItem[] {
  const rows: Row[] = [];
  let waiting: Word[] = [];
  const priced = header.some((cell) => cell.column === 'total' || cell.column === 'unit_price');
  for (const line of lines) {
    const cells = assignColumns(line, header, decimal);
    const description = cells.get('description') ?? [];
    if (cells.has('total') || (cells.has('quantity') && (cells.has('unit_price') || !priced))) {
      cells.set('description', [...waiting, ...description]);
      waiting = [];
      rows.push({ cells, page: line.page, bottom: line.bbox.y + line.bbox.height });
      continue;
    }
    const last = rows.at(-1);
    const near = last && last.page === line.page && line.bbox.y - last.bottom < line.bbox.height * 1.2;
    if (last && near && description.length > 0 && /\p{L}{2}/u.test(textOf(description))) {
      last.cells.set('description', [...(last.cells.get('description') ?? []), ...description]);
      last.bottom = line.bbox.y + line.bbox.height;
    } else if (!last) waiting = description;
  }
  return rows
    .map((row) => toItem(row, decimal))
    .filter((item) => [item.total, item.unit_price, item.quantity].some((cell) => cell.value !== null))
    .filter((item, index, all) => !repeatsRow(item, all[index - 1]));
}

const descriptionOf = (item: LineItem): string =>
  typeof item.description.value === 'string' ? item.description.value : '';

/** Gross and net of one row printed under each other: a number alone that says nothing new. */
const repeatsRow = (item: LineItem, previous: LineItem | undefined): boolean =>
  PAGE_NUMBER.test(descriptionOf(item)) ||
  (previous !== undefined &&
    item.quantity.value === null &&
    item.unit_price.value === null &&
    !/\p{L}{3}/u.test(descriptionOf(item)));

/** Numbers go to the nearest number column; what stands left of the first of them, or under its heading, describes. */
function assignColumns(line: Line, header: HeaderCell[], decimal: DecimalMark): Map<Column, Word[]> {
  const cells = new Map<Column, Word[]>();
  const numeric = header.filter((cell) => ['quantity', 'unit_price', 'total', 'tax', 'discount'].includes(cell.column));
  for (const word of line.words) {
    const number = parseMoney(word.text.replace(/%$/, ''), decimal);
    // Prices stand in their column wherever it is aligned; a whole number may be a part of the description.
    const reach = line.bbox.height * (number?.exact ? 9 : 3.2);
    const home = number ? nearest(numeric, word, line.bbox.height, reach) : undefined;
    const under = header.find((cell) => ['code', 'date', 'unit'].includes(cell.column) && overlaps(cell, word));
    const column = home ?? (isSign(word) ? undefined : (under?.column ?? 'description'));
    if (!column) continue;
    cells.set(column, [...(cells.get(column) ?? []), word]);
  }
  return cells;
}

const isSign = (word: Word): boolean => /^(?:[€$£%]|EUR|USD|GBP|EURO|RM|SR|ZRL|ZR|Stk|x|@|\*)$/i.test(word.text);
const overlaps = (cell: HeaderCell, word: Word): boolean =>
  word.bbox.x < cell.right && word.bbox.x + word.bbox.width > cell.left;

function nearest(cells: HeaderCell[], word: Word, height: number, reach: number): Column | undefined {
  let best: Column | undefined;
  let bestDistance = reach;
  const right = word.bbox.x + word.bbox.width;
  for (const cell of cells) {
    const inside = overlaps(cell, word) ? -height : 0;
    const distance =
      Math.min(
        Math.abs(cell.right - right),
        Math.abs(cell.left - word.bbox.x),
        Math.abs((cell.left + cell.right - word.bbox.x - right) / 2),
      ) + inside;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = cell.column;
    }
  }
  return best;
}

function toItem(row: Row, decimal: DecimalMark): LineItem {
  const number = (column: Column): LineItemCell => {
    const words = row.cells.get(column) ?? [];
    const word = words.at(-1);
    const amount = word ? parseMoney(word.text, decimal)?.amount : undefined;
    if (!word || amount === undefined) return { value: null, confidence: 0, bbox: null };
    return {
      value: amount,
      confidence: roundConfidence(0.9 * meanConfidence([word])),
      bbox: pageBox([word], row.page),
    };
  };
  const description = row.cells.get('description') ?? [];
  const item: LineItem = {
    description: {
      value: textOf(description).replace(/^[\s|.:-]+|[\s|:]+$/g, ''),
      confidence: roundConfidence(0.88 * meanConfidence(description)),
      bbox: pageBox(description, row.page),
    },
    quantity: number('quantity'),
    unit_price: number('unit_price'),
    total: number('total'),
  };
  return confirm(item);
}

/** quantity × price = total: a missing one of the three is computed, agreement raises the confidence. */
function confirm(item: LineItem): LineItem {
  const { quantity, unit_price: price, total } = item;
  if (typeof quantity.value === 'number' && typeof price.value === 'number' && typeof total.value === 'number') {
    const agrees = sameAmount(
      quantity.value * price.value,
      total.value,
      Math.max(0.011, Math.abs(total.value) * 0.002),
    );
    for (const cell of [quantity, price, total])
      cell.confidence = agrees ? 0.98 : roundConfidence(cell.confidence * 0.75);
  } else if (typeof quantity.value === 'number' && typeof price.value === 'number') {
    item.total = { value: Math.round(quantity.value * price.value * 100) / 100, confidence: 0.7, bbox: null };
  }
  return item;
}
