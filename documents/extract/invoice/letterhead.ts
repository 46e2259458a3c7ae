import type { Line } from '../../layout/lines.ts';
import { hasBusinessWord, hasLegalForm } from '../company.ts';
import { addressScore, endsAddress } from '../address.ts';
import { fold } from '../labels.ts';
import { type Run, runsOf, tailRun } from './columns.ts';
import { isFieldLabel } from './field-labels.ts';
import { type Identity, identityScore, plain } from './identity.ts';
import {
  DOCUMENT_TITLE,
  FIELD_LIKE,
  isAddressLine,
  isLegalName,
  type Party,
  partyFrom,
  SALUTATION,
} from './party-block.ts';
import { partyLabelAt } from './party-labels.ts';
import { blockUnder, piecesOf } from './pieces.ts';
import { hasPostcode } from './postcode.ts';

export interface PageShape {
  /** Height of the first page in its pixels. */
  height: number;
  /** Median height of a line. */
  usual: number;
}

/** Something on the page that belongs to another party than the one that wrote it. */
export type IsForeign = (run: { line: Line; words: Run['words'] }) => boolean;

const TITLE_BEHIND =
  /\s+(?:(?:tax|vat|commercial)\s+)?(?:invoice|statement|bill|receipt|rechnung|facture|factuur|factura|fattura|fatura|credit note|purchase order|delivery note)\s*$/i;
const MAX_WORDS = 8;
/** Who writes says how to be reached and under which numbers it is registered. */
const CONTACT =
  /\b(?:tel|phone|fax|e-?mail|www|http|iban|bic|kvk|siret|vat|btw|tva|ust|mwst|p\.?\s?iva|cif|nif|gstin|abn|reg(?:istration)?\s*no)\b|@/;
const REGISTERED =
  /\b(?:kvk|siret|vat|btw|tva|ust|mwst|uid|p\.?\s?iva|cif|nif|gstin|gst|hst|abn|ein|ice|reg(?:istration)?\s*no)\b/;
/** A letterhead ends there, in parts of the page's height. */
const HEAD = 0.15;
/** So far down a recipient stands at most. */
const RIVALS = 0.35;
/** A name that a cheque or a transfer is made out to is the issuer's, though it stands far down. */
const HOLDER_BASE = 3.2;

interface Candidate {
  run: Run;
  score: number;
}

/** Nobody says who wrote the document: the name at its head, or what its addresses and its bank account say. */
export function issuerOf(
  lines: Line[],
  identity: Identity,
  shape: PageShape,
  isForeign: IsForeign,
  foreignNames: string[],
): Party | undefined {
  const first = lines.filter((line) => line.page === (lines[0]?.page ?? 1));
  const excluded = new Set(foreignNames.map(plain).filter((name) => name.length > 2));
  const candidates = [
    ...headCandidates(first, identity, shape, isForeign),
    ...holderCandidates(identity, isForeign),
  ].filter(({ run }) => !isExcluded(run.text, excluded));
  candidates.sort((a, b) => b.score - a.score);
  const best = candidates[0];
  const sender = best && rivalBlock(best, candidates, first, shape);
  const ranked = sender ? [sender, ...candidates.filter((other) => other !== sender)] : candidates;
  for (const { run, score } of ranked.slice(0, 4)) {
    if (score <= 0) break;
    const rival = candidates.find((other) => plain(other.run.text) !== plain(run.text));
    const lead = rival ? Math.max(0, score - rival.score) : 3;
    const certainty = Math.min(0.95, 0.36 + 0.06 * Math.min(7, score) + 0.05 * Math.min(3, lead));
    const under = blockUnder(first, run).filter((one) => !isForeign(one));
    const party = partyFrom(first, [run, ...beforeSalutation(under)], run.line.page, certainty);
    if (party) return inFull(party, identity, isForeign);
  }
  return undefined;
}

/** A logo says a part of the name that the foot of the page has in full, with its legal form. */
function inFull(party: Party, identity: Identity, isForeign: IsForeign): Party {
  const name = plain(party.name.text);
  if (name.length < 5 || isLegalName(party.name.text)) return party;
  const full = identity.feet.find((run) => !isForeign(run) && plain(run.text).includes(name));
  return full ? { ...party, name: full, nameTail: [] } : party;
}

/** Two names with an address each: who writes says how to be reached, or else stands higher; a legal form decides nothing. */
function rivalBlock(best: Candidate, candidates: Candidate[], lines: Line[], shape: PageShape): Candidate | undefined {
  const own = blockOf(best.run, lines);
  if (!own.isWhole || own.bonus > 1 || best.run.bbox.y > shape.height * RIVALS) return undefined;
  return candidates.find((other) => {
    const { run } = other;
    if (other.score < 2 || run.bbox.y > shape.height * HEAD || plain(run.text) === plain(best.run.text)) return false;
    if (own.under.some((line) => line.words[0] === run.words[0]) || isAddressLine(run.text)) return false;
    const block = blockOf(run, lines);
    if (!block.isWhole || block.under.some((line) => line.words[0] === best.run.words[0])) return false;
    return block.bonus > 1 || best.run.bbox.y - run.bbox.y > shape.usual * 2;
  });
}

function blockOf(run: Run, lines: Line[]): { under: Run[]; isWhole: boolean; bonus: number } {
  const under = blockUnder(lines, run, 9);
  const isWhole =
    under.slice(0, 5).some((line) => hasPostcode(line.text)) && under.some((line) => /\d/.test(line.text));
  return { under, isWhole, bonus: headBonus(under) };
}

function isExcluded(text: string, excluded: Set<string>): boolean {
  const own = plain(text);
  return [...excluded].some(
    (name) => name === own || (name.length >= 5 && own.startsWith(name)) || (own.length >= 6 && name.startsWith(own)),
  );
}

/** "Herrn" or "Ms" begins the recipient's lines, under the sender's. */
function beforeSalutation(runs: Run[]): Run[] {
  const at = runs.findIndex((run) => SALUTATION.test(fold(run.text)));
  return at < 0 ? runs : runs.slice(0, at);
}

function headCandidates(lines: Line[], identity: Identity, shape: PageShape, isForeign: IsForeign): Candidate[] {
  const runs = runsOf(lines).map((run) => piecesOf(run)[0]!);
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(plain(run.text), (counts.get(plain(run.text)) ?? 0) + 1);
  return runs
    .filter((run) => !isForeign(run))
    .map((full) => {
      const run = withoutTitle(full);
      const repeats = Math.min(2, (counts.get(plain(run.text)) ?? 1) - 1);
      const known = identityScore(run.text, identity, (line) => isForeign({ line, words: line.words }));
      return { run, score: nameScore(run, shape, lines) + 3 * known + 0.5 * Math.max(0, repeats) };
    });
}

function withoutTitle(run: Run): Run {
  const text = run.text.replace(TITLE_BEHIND, '');
  return text === run.text ? run : tailRun(run, run.words.slice(0, text.split(' ').length), text);
}

function nameScore(run: Run, shape: PageShape, lines: Line[]): number {
  const { text } = run;
  const folded = fold(text);
  const words = text.split(' ');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3 || words.length > MAX_WORDS || DOCUMENT_TITLE.test(folded) || SALUTATION.test(folded)) return -9;
  if (letters < text.replace(/\s/g, '').length * 0.6) return -9;
  let score = 3 - 5 * (run.bbox.y / shape.height) + Math.min(2, (run.bbox.height / shape.usual - 1) * 1.5);
  if (hasLegalForm(text)) score += 3;
  if (hasBusinessWord(text)) score += 1;
  if (FIELD_LIKE.test(folded) || endsAddress(text)) score -= 4;
  const label = partyLabelAt(folded);
  if (label) score -= /\p{L}/u.test(folded.slice(label.length)) ? 4 : 9;
  if (isFieldLabel(text)) score -= 6;
  const under = blockUnder(lines, run, 9);
  // "Harbour Lane Supplies Ltd" has a street's word and no number; the street of "Bay Street Dental" is under it.
  const isHeadOfAddress = /\d/.test(under[0]?.text ?? '') && under.slice(0, 3).some((line) => hasPostcode(line.text));
  const isNamedStreet = !/\d/.test(text) && (hasLegalForm(text) || isHeadOfAddress);
  if (isAddressLine(text) && !isNamedStreet) score -= addressScore(text) >= 1 || hasPostcode(text) ? 4 : 1.5;
  if (isSlogan(text)) score -= 2;
  if (/^[a-z]/.test(text)) score -= 1.5;
  if (isInBody(run, shape, under)) score -= 3;
  if (under.some((line) => CONTACT.test(fold(line.text))))
    score += run.bbox.y < shape.height * HEAD ? headBonus(under) : 1;
  if (isFirstHalf(run, under[0])) score += 3;
  if (under.slice(0, 3).some((line) => addressScore(line.text) >= 1 || hasPostcode(line.text))) score += 1.5;
  return score;
}

/** Under the address, as a part of its block, stands how it is registered or how to reach it: who writes, says so. */
function headBonus(under: Run[]): number {
  const town = under.slice(0, 5).findIndex((run) => hasPostcode(run.text));
  const below = town < 0 ? [] : under.slice(town + 1, town + 4).map((run) => fold(run.text));
  if (below.some((text) => REGISTERED.test(text))) return 3.5;
  return below.some((text) => CONTACT.test(text)) ? 2.5 : 1;
}

/** Words in the body of a page that nothing marks as a company are goods. */
const isInBody = (run: Run, shape: PageShape, under: Run[]): boolean =>
  run.bbox.y > shape.height * 0.3 &&
  run.bbox.y < shape.height * 0.8 &&
  !isLegalName(run.text) &&
  !under.slice(0, 4).some((line) => hasPostcode(line.text));

/** The legal form of a long name is on its second line. */
const isFirstHalf = (run: Run, next: Run | undefined): boolean =>
  next !== undefined &&
  !isLegalName(run.text) &&
  isLegalName(next.text) &&
  Math.abs(next.bbox.height - run.bbox.height) < run.bbox.height * 0.3 &&
  !FIELD_LIKE.test(fold(next.text)) &&
  !/\d/.test(next.text);

/** Words of a sentence begin small: "Innovation drives progress", "All you need". */
function isSlogan(text: string): boolean {
  const words = text.split(' ').filter((word) => /^\p{L}/u.test(word));
  const small = words.filter((word) => /^\p{Ll}/u.test(word) && word.length > 2).length;
  return words.length >= 3 && small * 2 >= words.length && !hasLegalForm(text);
}

function holderCandidates(identity: Identity, isForeign: IsForeign): Candidate[] {
  const feet = identity.feet.filter((run) => !isForeign(run)).map((run) => ({ run, score: HOLDER_BASE + 1 }));
  const holders = identity.holders
    .filter(({ line }) => !isForeign({ line, words: line.words }))
    .flatMap(({ text, line }) => {
      const name = text.replace(/\s+(?:iban|bic|swift|bank|account)\b.*$/i, '').replace(/[\s,.;]+$/, '');
      const words = line.words.filter((word) => name.split(' ').includes(word.text));
      if (name.length < 3 || FIELD_LIKE.test(fold(name)) || name.split(' ').length > MAX_WORDS || isSlogan(name))
        return [];
      const run = tailRun({ ...line.segments[0]!, line }, words, name);
      return [{ run, score: HOLDER_BASE + (hasLegalForm(name) ? 1.5 : 0) }];
    });
  return [...feet, ...holders];
}
