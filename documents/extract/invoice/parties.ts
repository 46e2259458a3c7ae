import { type Block, type BlockLine, layoutBlocks } from '../../layout/blocks.ts';
import type { Line } from '../../layout/lines.ts';
import type { ExtractionField, Word } from '../../types.ts';
import { addressScore, endsAddress } from '../address.ts';
import { cleanCompanyName, hasBusinessWord, hasLegalForm } from '../company.ts';
import { POSTCODE } from '../address-words.ts';
import { fieldOf } from '../field.ts';
import { labels } from './labels.ts';

interface PartyLine {
  text: string;
  words: Word[];
}

export interface Party {
  name: PartyLine;
  address: PartyLine[];
  page: number;
  certainty: number;
}

const DOCUMENT_TITLE =
  /^\W*(?:(?:tax|commercial|pro\s?forma|final|sales|credit|debit|vat)\s+)*(?:invoice|note|memo|rechnung|facture|factuur|factura|fattura|statement|bill|receipt|quote|purchase order|delivery note|credit note|avoir|gutschrift|original|copy|page\b.*|seite\b.*|handelsrechnung.*|rechnungskorrektur.*)\b\W*$/i;
const FIELD_LIKE =
  /:|\b(?:date|datum|number|nummer|invoice|rechnung|facture|page|seite|total|amount|terms|iban|bic|adresse|address|livraison|contact|kunden-?nr|registergericht|gericht|swift|vat|tax|phone|tel|fax|email|www|http|due|order)\b|@|\d[.,]\d{2}\b/i;

export interface Parties {
  vendor?: Party;
  customer?: Party;
}

export function findParties(lines: Line[]): Parties {
  const first = lines.filter((line) => line.page === (lines[0]?.page ?? 1));
  const blocks = layoutBlocks(first);
  const customer = labelledParty(first, blocks, labels.customer) ?? labelledParty(first, blocks, labels.shipTo);
  const labelled = labelledParty(first, blocks, labels.vendor);
  const letter = letterParties(blocks, labelled);
  const vendor = labelled ?? letter?.vendor ?? unlabelledVendor(blocks, customer ?? letter?.customer);
  const buyer = customer ?? letter?.customer;
  return { ...(vendor ? { vendor } : {}), ...(buyer ? { customer: buyer } : {}) };
}

export function partyFields(parties: Parties): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  for (const [role, party] of Object.entries(parties) as [string, Party][]) {
    fields[`${role}_name`] = fieldOf(cleanCompanyName(party.name.text), party.name.words, party.page, party.certainty);
    if (party.address.length === 0) continue;
    const text = party.address.map((line) => line.text.replace(/[\s,;]+$/, '')).join(', ');
    fields[`${role}_address`] = fieldOf(
      text,
      party.address.flatMap((line) => line.words),
      party.page,
      party.certainty * 0.92,
    );
  }
  return fields;
}

/** The name and address right of a label, or in the block under it. */
function labelledParty(lines: Line[], blocks: Block[], label: RegExp): Party | undefined {
  for (const line of lines) {
    for (const segment of line.segments) {
      const match = label.exec(segment.text);
      if (!match || match.index > 0) continue;
      const rest = segment.text.slice(match[0].length).replace(/^[\s:;,.()-]+/, '');
      const index = blocks.findIndex((block) => block.lines.some((entry) => entry.words === segment.words));
      const block = blocks[index];
      if (!block) continue;
      const position = block.lines.findIndex((entry) => entry.words === segment.words);
      const under = [
        ...block.lines.slice(position + 1),
        ...(position === block.lines.length - 1 ? linesUnder(blocks, block) : []),
      ];
      if (/\p{L}{2}/u.test(rest)) {
        const words = segment.words.slice(-rest.split(' ').length);
        return partyOf([{ text: rest, words }, ...under], line.page, 0.88);
      }
      const beside = line.segments[line.segments.indexOf(segment) + 1];
      const right = beside && blocks.find((b) => b.lines.some((entry) => entry.words === beside.words));
      const isField =
        segment.text.trimEnd().endsWith(':') && beside && beside.bbox.x - segment.bbox.x < segment.bbox.height * 16;
      const source =
        under.length > 0 && !isField
          ? under
          : right
            ? right.lines.slice(right.lines.findIndex((e) => e.words === beside.words))
            : under;
      const party = partyOf(source, line.page, 0.88);
      if (party) return party;
    }
  }
  return undefined;
}

/** The block that starts right under another one. */
function linesUnder(blocks: Block[], above: Block): PartyLine[] {
  const bottom = above.bbox.y + above.bbox.height;
  const height = above.lines.at(-1)!.bbox.height;
  const next = blocks
    .filter((b) => b !== above && b.bbox.y >= bottom - height * 0.5 && b.bbox.y - bottom < height * 3)
    .filter(
      (b) => b.bbox.x < above.bbox.x + above.bbox.width + height && b.bbox.x + b.bbox.width > above.bbox.x - height,
    )
    .sort((a, b) => a.bbox.y - b.bbox.y || Math.abs(a.bbox.x - above.bbox.x) - Math.abs(b.bbox.x - above.bbox.x))[0];
  return next?.lines ?? [];
}

const MAX_ADDRESS_LINES = 5;

const NAME_LABEL = /^(?:name|firma|company(?:\s*name)?|nom)\s*:?\s*$/i;
const ADDRESS_LABEL = /^(?:address|anschrift|adresse|street|straße)\s*:?\s*$/i;
const SALUTATION = /^(?:herrn?|frau|mr|mrs|ms|monsieur|madame|firma)\.?$/i;
/** Numbers and references that forms print between the heading and the name. */
const MAX_SKIPPED_FIELDS = 4;

/** A form prints "Name: X" and "Address: Y" under the heading: their values take the place of the labels. */
function unfoldForm(lines: PartyLine[]): PartyLine[] {
  return lines.flatMap((entry) => {
    const line = (entry as Partial<BlockLine>).line;
    const position = line?.segments.findIndex((s) => s.words === entry.words) ?? -1;
    const beside = line?.segments[position + 1];
    if (!NAME_LABEL.test(entry.text) && !ADDRESS_LABEL.test(entry.text)) return [entry];
    return beside ? [{ text: beside.text, words: beside.words }] : [];
  });
}

function partyOf(found: PartyLine[], page: number, certainty: number): Party | undefined {
  const lines = unfoldForm(found).filter((line) => /\p{L}{2}/u.test(line.text) || POSTCODE.test(line.text));
  let start = 0;
  while (
    start < MAX_SKIPPED_FIELDS &&
    lines[start] &&
    (FIELD_LIKE.test(lines[start]!.text) || SALUTATION.test(lines[start]!.text))
  )
    start++;
  const [name, ...rest] = lines.slice(start);
  if (!name || DOCUMENT_TITLE.test(name.text) || name.text.length < 3) return undefined;
  const address: PartyLine[] = [];
  for (const line of rest.slice(0, MAX_ADDRESS_LINES + 1)) {
    if (endsAddress(line.text) || FIELD_LIKE.test(line.text)) break;
    // A contact person or a department between the name and the street is no part of the address.
    if (address.length === 0 && addressScore(line.text) < 0.7 && !/\d/.test(line.text)) continue;
    address.push(line);
    if (address.length >= MAX_ADDRESS_LINES) break;
  }
  return { name, address, page, certainty };
}

/** The sender of a letter stands in one small line above the recipient: "Acme GmbH · Street 1 · 12345 Town". */
function letterParties(blocks: Block[], known: Party | undefined): Parties | undefined {
  for (const block of blocks) {
    const position = block.lines.findIndex(
      (line) => /[·•|●]|\s[-–—]\s|,.*\d{5}/.test(line.text) && POSTCODE.test(line.text) && /\p{L}{3}/u.test(line.text),
    );
    if (position < 0) continue;
    const sender = block.lines[position]!;
    const [name, ...address] = sender.text.split(/\s*[·•|●]\s*|\s+[-–—]\s+|,\s*/).filter((part) => part !== '');
    const below = position < block.lines.length - 1 ? block.lines.slice(position + 1) : linesUnder(blocks, block);
    const customer = partyOf(below, block.page, 0.75);
    // A street number and a postal code behind a name; an address line alone has the same commas.
    if (!name || /\d/.test(name) || address.filter((part) => /\d/.test(part)).length < 2 || addressScore(name) >= 0.8)
      continue;
    const words = sender.words;
    const vendor = known ?? {
      name: { text: name, words },
      address: [{ text: address.join(', '), words }],
      page: block.page,
      certainty: 0.8,
    };
    return customer ? { vendor, customer } : { vendor };
  }
  return undefined;
}

/** Nobody says who sells: the company's name at the head of the page, with its address under it. */
function unlabelledVendor(blocks: Block[], customer: Party | undefined): Party | undefined {
  const pageHeight = Math.max(...blocks.map((b) => b.bbox.y + b.bbox.height), 1);
  const heights = blocks.flatMap((b) => b.lines.map((line) => line.bbox.height)).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)] ?? 1;
  let best: { party: Party; score: number } | undefined;
  for (const block of blocks) {
    for (const [index, line] of block.lines.entries()) {
      if (customer?.name.words === line.words || (customer && line.text === customer.name.text)) break;
      if (customer && sameHead(line.text, customer.name.text)) continue;
      const below = index === block.lines.length - 1 ? linesUnder(blocks, block) : block.lines.slice(index + 1);
      const score = vendorScore(line.text, line.bbox.height / usual, line.bbox.y / pageHeight, below);
      if (score <= (best?.score ?? 0)) continue;
      const party = partyOf([line, ...below], block.page, Math.min(0.9, 0.5 + score * 0.07));
      if (party) best = { party, score };
    }
  }
  return best?.party;
}

/** Branches and departments of the customer begin with its name. */
const sameHead = (a: string, b: string): boolean =>
  a.split(/\s/)[0]!.toLowerCase() === b.split(/\s/)[0]!.toLowerCase() && a.split(/\s/)[0]!.length > 3;

function vendorScore(text: string, size: number, depth: number, under: PartyLine[]): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3 || DOCUMENT_TITLE.test(text) || text.split(' ').length > 8) return -1;
  let score = 3 - 5 * depth + Math.min(2, (size - 1) * 1.5);
  if (hasLegalForm(text)) score += 3;
  if (hasBusinessWord(text)) score += 1;
  if (FIELD_LIKE.test(text) || endsAddress(text)) score -= 4;
  if (addressScore(text) >= 1) score -= 2;
  if (under.slice(0, 3).some((line) => addressScore(line.text) >= 1)) score += 1.5;
  return score;
}
