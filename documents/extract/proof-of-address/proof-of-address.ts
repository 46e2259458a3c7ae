import { type Block, layoutBlocks } from '../../layout/blocks.ts';
import type { Line } from '../../layout/lines.ts';
import type { ExtractionField, Word } from '../../types.ts';
import { addressScore } from '../address.ts';
import { POSTCODE } from '../address-words.ts';
import { hasBusinessWord, hasLegalForm } from '../company.ts';
import type { ExtractContext } from '../context.ts';
import { findDateCandidates, wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { readingOrder } from '../columns.ts';
import { type Prose, proseOf } from '../prose.ts';
import { ADDRESS_END, CONFIRMED_NAME, labels, RESIDENCE } from './sentences.ts';

interface Found {
  text: string;
  words: Word[];
  page: number;
  certainty: number;
}

/**
 * Who lives where according to a letter, a utility bill, a bank's letter or a certificate: name, address, date, issuer
 * and account number. A sentence or a label counts before the address window, as a letter may be sent to somebody else.
 */
export function extractProofOfAddress(context: ExtractContext): Record<string, ExtractionField> {
  const prose = proseOf(readingOrder(context.lines));
  const window = addressWindow(context.lines);
  const name = labelledName(context.lines) ?? namedInParts(context.lines) ?? confirmedName(prose) ?? window?.name;
  const address = labelledAddress(context.lines) ?? sentenceAddress(prose) ?? window?.address;
  const found: Record<string, ExtractionField | undefined> = {
    name: name && toField(name, agrees(name, window?.name)),
    address: address && toField(address, agrees(address, window?.address)),
    date: issueDate(context),
    issuer: issuerOf(context.lines, window, name),
    account_number: accountNumber(context.lines),
  };
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, ExtractionField] => entry[1] !== undefined),
  );
}

/** Two places of the page that say the same are surer than one. */
const toField = ({ text, words, page, certainty }: Found, confirmed: boolean): ExtractionField =>
  fieldOf(text, words, page, confirmed ? Math.max(certainty, 0.95) : certainty);

const flat = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

const agrees = (a: Found, b: Found | undefined): boolean =>
  b !== undefined && a !== b && (flat(a.text).includes(flat(b.text)) || flat(b.text).includes(flat(a.text)));

const SALUTATION =
  /^\W*(?:mr|mrs|ms|miss|dr|prof|herrn?|frau|monsieur|madame|m\.|mme|sr|sra|don|doña|de heer|mevrouw|dhr|mw)\b\.?\s*(?:(?:&|and|und|et)\s*(?:mrs|ms|frau|mme)\b\.?)?\s*/iu;

const isPerson = (text: string): boolean => {
  const name = text.replace(SALUTATION, '');
  const words = name.split(/\s+/);
  return (
    words.length >= 2 &&
    words.length <= 6 &&
    !/\d|:|@/.test(name) &&
    !hasLegalForm(name) &&
    !ISSUER_WORD.test(name) &&
    words.every((word) => /^[\p{L}.'’-]+,?$/u.test(word)) &&
    /^\p{Lu}/u.test(name)
  );
};

interface Window {
  name: Found;
  address: Found;
  block: Block;
}

/** The block of the one that the letter is sent to: a person's name over address lines, in the upper half of the page. */
function addressWindow(lines: Line[]): Window | undefined {
  const page = lines.filter((line) => line.page === lines[0]?.page);
  const bottom = Math.max(0, ...page.map((line) => line.bbox.y + line.bbox.height));
  for (const block of layoutBlocks(page)) {
    const start = block.lines.findIndex(({ text }) => isPerson(text));
    if (start < 0 || block.bbox.y > bottom * 0.6) continue;
    const rest: typeof block.lines = [];
    for (const line of block.lines.slice(start + 1, start + 7)) {
      if (
        /:|@|\bdear\b|date/i.test(line.text) ||
        (rest.some(({ text }) => POSTCODE.test(text)) && !/^\p{Lu}[\p{L} ]+$/u.test(line.text))
      )
        break;
      rest.push(line);
    }
    const text = rest.map((line) => line.text.replace(/[,\s]+$/, '')).join(', ');
    if (rest.length < 2 || !/\d/.test(text) || addressScore(text) < 0.8) continue;
    const first = block.lines[start]!;
    const named = {
      text: first.text.replace(SALUTATION, '').trim(),
      words: first.words,
      page: block.page,
      certainty: 0.8,
    };
    return {
      block,
      name: named,
      address: { text, words: rest.flatMap((line) => line.words), page: block.page, certainty: 0.82 },
    };
  }
  return undefined;
}

/** Segments of lines with what is right of them, so that a label's cell is found with its value. */
function labelledCells(lines: Line[], label: RegExp): { line: Line; position: number; rest: string; words: Word[] }[] {
  return lines.flatMap((line, position) =>
    line.segments.flatMap((segment, index) => {
      const match = label.exec(segment.text);
      if (!match) return [];
      const own = segment.text.slice(match[0].length).trim();
      const next = line.segments[index + 1];
      if (own !== '')
        return [
          {
            line,
            position,
            rest: own,
            words: wordsAt({ ...line, words: segment.words }, match[0].length, segment.text.length),
          },
        ];
      return [{ line, position, rest: next?.text ?? '', words: next?.words ?? [] }];
    }),
  );
}

function labelledName(lines: Line[]): Found | undefined {
  for (const { line, rest, words } of labelledCells(lines, labels.name)) {
    if (isPerson(rest)) return { text: rest.replace(SALUTATION, '').trim(), words, page: line.page, certainty: 0.9 };
  }
  return undefined;
}

/** Family name and given names apart, as registers print them. */
function namedInParts(lines: Line[]): Found | undefined {
  const [family] = labelledCells(lines, labels.familyName);
  const [given] = labelledCells(lines, labels.givenNames);
  if (!family || !given || !isPerson(`${given.rest} ${family.rest}`)) return undefined;
  const words = [...family.words, ...given.words];
  return { text: `${given.rest} ${family.rest}`, words, page: family.line.page, certainty: 0.88 };
}

const MAX_ADDRESS_LINES = 5;

/** Behind its label, with the lines flush under it up to the postal code or the next label. */
function labelledAddress(lines: Line[]): Found | undefined {
  for (const { line, position, rest, words } of labelledCells(lines, labels.address)) {
    const parts = rest === '' ? [] : [{ text: rest, words }];
    const x = words[0]?.bbox.x ?? line.bbox.x;
    for (const below of lines.slice(position + 1, position + MAX_ADDRESS_LINES)) {
      const complete = parts.some(({ text }) => POSTCODE.test(text));
      const segment = below.segments.find(({ bbox }) => Math.abs(bbox.x - x) < line.bbox.height * 2);
      const gap = below.bbox.y - (lines[position]!.bbox.y + line.bbox.height * 1.9 * (parts.length + 1));
      if (
        below.page !== line.page ||
        !segment ||
        complete ||
        gap > line.bbox.height ||
        /:|\b(?:date|dear)\b/i.test(segment.text)
      )
        break;
      if (addressScore(segment.text) < 0.5 && !/^\p{Lu}[\p{L}' -]+,?$/u.test(segment.text)) break;
      parts.push(segment);
    }
    const text = parts.map((part) => part.text.replace(/[,\s]+$/, '')).join(', ');
    if (text.length >= 10 && /\d/.test(text) && addressScore(text) >= 0.8)
      return { text, words: parts.flatMap((part) => part.words), page: line.page, certainty: 0.88 };
  }
  return undefined;
}

function confirmedName(prose: Prose): Found | undefined {
  const match = CONFIRMED_NAME.exec(prose.text);
  const name = match?.groups?.['name']?.replace(SALUTATION, '');
  if (!match || name === undefined || !isPerson(name)) return undefined;
  const index = match.index + match[0].lastIndexOf(name);
  return { text: name.replace(/[.,]+$/, ''), ...prose.wordsAt(index, name.length), certainty: 0.85 };
}

function sentenceAddress(prose: Prose): Found | undefined {
  const match = RESIDENCE.exec(prose.text);
  const raw = match?.groups?.['address'];
  if (!match || raw === undefined) return undefined;
  const end = ADDRESS_END.exec(raw)?.index ?? raw.length;
  const text = raw.slice(0, end).replace(/[\s,.]+$/, '');
  if (!/\d/.test(text) || text.length < 10 || addressScore(text) < 0.8) return undefined;
  const index = match.index + match[0].length - raw.length;
  return { text, ...prose.wordsAt(index, text.length), certainty: 0.85 };
}

const OTHER_DATE =
  /due|einzug|moved?[ -]in|birth|born|since|period|until|valid|expir|from|to\b|reading|payment|geburt|fällig|seit|bis\b|naissance|depuis|échéance|nacimiento|desde|vencim|sinds|vervalt/i;

/** The day of the document: labelled, else the first that nothing calls otherwise. */
function issueDate(context: ExtractContext): ExtractionField | undefined {
  const candidates = findDateCandidates(context).map((candidate, position) => {
    const labelled = labels.date.test(candidate.label.trim());
    const score = (labelled ? 2 : 0) - (OTHER_DATE.test(candidate.label.slice(-40)) ? 2.5 : 0) - 0.1 * position;
    return { candidate, score, labelled };
  });
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  if (!best || best.score < -1.5) return undefined;
  const order = best.candidate.ambiguous && !context.dateOrderSure ? 0.9 : 1;
  return fieldOf(
    best.candidate.iso,
    best.candidate.words,
    best.candidate.line.page,
    (best.labelled ? 0.92 : 0.75) * order,
  );
}

const ISSUER_WORD =
  /\b(?:bank|council|municipality|city\s*of|town\s*of|county|department|ministry|authority|university|college|energy|electric(?:ity)?|power|water|gas|telecom|mobile|insurance|stadtwerke|gemeinde|stadt|bürgeramt|einwohnermeldeamt|mairie|préfecture|ayuntamiento|gemeente|comune|société|edf|engie|eskom|police|school|church|society|union|estates?|properties|lettings?|housing)\b/iu;

/** The letterhead's name: in the first lines, a company or a public body, in large print or on the very top. */
function issuerOf(lines: Line[], window: Window | undefined, name: Found | undefined): ExtractionField | undefined {
  const head = lines.slice(0, 12);
  const heights = lines.map((line) => line.bbox.height).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)] ?? 1;
  const taken = new Set(window ? [...window.name.words, ...window.address.words] : []);
  const candidates = head.flatMap((line, index) =>
    line.segments.flatMap((segment) => {
      const text = segment.text.replace(/^[^\p{L}\d]+|[\s,:|–-]+$/gu, '');
      if (
        segment.words.some((word) => taken.has(word)) ||
        !/\p{L}{2}/u.test(text) ||
        flat(text) === flat(name?.text ?? '')
      )
        return [];
      if (
        text.split(/\s+/).length > 9 ||
        /[:@]|\bdate\b|www\.|whom it may|proof of|confirmation|certificate|statement|bescheinigung|attestation|certificado|^dear|^re\b/i.test(
          text,
        )
      )
        return [];
      const body = hasLegalForm(text) ? 1.6 : ISSUER_WORD.test(text) ? 1.4 : hasBusinessWord(text) ? 0.8 : 0;
      const size = Math.min(2, segment.bbox.height / usual - 1);
      const street = addressScore(text) >= 1 && /\d/.test(text) ? -2 : 0;
      return [
        {
          text,
          words: segment.words,
          page: line.page,
          score: body + size + street - index * 0.12 + (index === 0 ? 0.6 : 0),
        },
      ];
    }),
  );
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  return best && best.score > 0
    ? fieldOf(best.text, best.words, best.page, Math.min(0.9, 0.55 + 0.15 * best.score))
    : undefined;
}

const NUMBER = /^[A-Z]{0,4}\d[A-Z\d]*(?:[\s/.-]?[A-Z\d]+){0,7}/;

function accountNumber(lines: Line[]): ExtractionField | undefined {
  for (const line of lines) {
    for (const match of line.text.matchAll(labels.account)) {
      const from = match.index + match[0].length;
      const value = NUMBER.exec(line.text.slice(from))?.[0]
        .replace(/\s+(?=[A-Z]{2,}.*$)[A-Z\d\s/.-]*$/, '')
        .trim();
      if (
        value === undefined ||
        (value.match(/\d/g)?.length ?? 0) < 4 ||
        /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/.test(value)
      )
        continue;
      return fieldOf(value, wordsAt(line, from, value.length), line.page, 0.85);
    }
  }
  return undefined;
}
