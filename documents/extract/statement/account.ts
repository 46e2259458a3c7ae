import type { Line, Segment } from '../../layout/lines.ts';
import type { ExtractionField, Word } from '../../types.ts';
import { findDates } from '../../values/dates.ts';
import { addressScore, endsAddress } from '../address.ts';
import { hasLegalForm } from '../company.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';
import { findParties, type Parties, partyFields } from '../invoice/parties.ts';
import { type LabelledValue, labelledValues, type ValueReader } from '../labels.ts';

interface Tier {
  label: RegExp;
  certainty: number;
}

/** Folded: no accents. An IBAN is an account number too. */
const ACCOUNT_TIERS: Tier[] = [
  {
    label:
      /(?<!\p{L})(?:(?:account|acct|a\/c)\.?\s*(?:number|no|nr|num|#|id)\b\.?|account\s?#|konto(?:nummer|[ -]?nr)\b\.?|(?:n[°ºo]?\.? ?(?:de )?|numero (?:de )?|num\.? (?:de )?)compte|(?:n[°ºo.]*\s?(?:de )?|numero (?:de )?)cuenta|(?:n[°ºo.]*\s?|numero (?:di )?)(?:conto(?: corrente)?)|conto (?:corrente )?n[°ºo.]*|rekening(?:nummer|[ -]?nr)|(?:n[°ºo.]*\s?(?:da )?|numero (?:da )?)conta|rekeningnommer|kontonr)/iu,
    certainty: 0.96,
  },
  {
    label:
      /(?<!\p{L})(?:(?:customer|client|debtor|member)\s*(?:account\s*)?(?:number|no|nr|ref(?:erence)?|id|code|#)\b\.?|kunden(?:nummer|[ -]?nr)\b\.?|debitoren(?:nummer|[ -]?nr)|(?:n[°ºo.]*\s?|numero |code |ref\.? )client|(?:n[°ºo.]*\s?(?:de )?|codigo (?:de )?)cliente|codice cliente|klant(?:nummer|[ -]?nr|code)|debiteur(?:ennummer|nr)|klientnommer|kundnummer|kundenr)/iu,
    certainty: 0.93,
  },
  { label: /(?<!\p{L})iban(?!\p{L})/iu, certainty: 0.9 },
  { label: /(?<!\p{L})(?:account|acct|a\/c|konto|compte|cuenta|conto|rekening|conta)(?!\p{L})/iu, certainty: 0.78 },
];

const NUMBER =
  /^(?:(?:no|nr|number|n[°º])\.?\s*:?\s*)?(?<id>[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,3})?(?![A-Z0-9])|[A-Z0-9*•][A-Z0-9*•/.-]*(?:\s[\d*•X]{2,}(?![\d.,/]))*)/iu;

const readAccount: ValueReader<string> = (text) => {
  const match = NUMBER.exec(text);
  const id = match?.groups?.['id']?.replace(/[.,:–-]+$/, '');
  if (!match || id === undefined || (id.match(/\d/g)?.length ?? 0) < 3 || /^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$/.test(id))
    return undefined;
  if (findDates(id)[0]?.length === id.length) return undefined;
  return { value: id, index: match[0].length - (match.groups?.['id']?.length ?? 0), length: id.length };
};

export function accountNumber(context: ExtractContext): ExtractionField | undefined {
  for (const { label, certainty } of ACCOUNT_TIERS) {
    const found = labelledValues(context.lines, label, readAccount);
    const best = found.find(({ place }) => place === 'right') ?? found[0];
    if (!best) continue;
    const rivals = new Set(found.map(({ value }) => value.replace(/\W/g, ''))).size - 1;
    return fieldOf(
      best.value,
      best.words,
      best.page,
      certainty * (best.place === 'right' ? 1 : 0.95) - Math.min(0.15, rivals * 0.05),
    );
  }
  return undefined;
}

const HOLDER =
  /(?<!\p{L})(?:account (?:holder|name|owner)s?(?: name)?|name of (?:the )?account(?: holder)?|customer name|client name|kontoinhaber(?:in)?|inhaber|titulaire(?: du compte)?|titular(?: de la cuenta| da conta)?|intestatario|intestato a|rekeninghouer|rekeninghouder|tenaamstelling|account of|naam rekeninghouder|posiadacz)(?!\p{L})/iu;

const readName: ValueReader<string> = (text) => {
  const match = /^(?:(?:mr|mrs|ms|dr|herrn?|frau|m\.|mme|sr|sra)\.?\s)?(?<name>\p{L}[\p{L}\p{M}'’.,& -]{2,48})/iu.exec(
    text,
  );
  const name = match?.groups?.['name']?.replace(/[\s.,-]+$/, '');
  if (!match || !name || /(?:account|number|date|balance|statement|page|konto|saldo|datum)\b/i.test(name))
    return undefined;
  return { value: name, index: 0, length: name.length + match[0].length - (match.groups?.['name']?.length ?? 0) };
};

/** What an account is called, not whose it is: "Account name: Savings". */
const ACCOUNT_KIND =
  /^(?:(?:my|our|basic|premium|everyday|business|personal|private|joint|classic|gold|platinum|total)\s)*(?:checking|chequing|savings?|current|cheque|deposit|money market|transaction|loan|credit card|giro|girokonto|sparkonto|compte courant|livret|cuenta (?:corriente|de ahorro)|conto corrente|betaalrekening|spaarrekening|conta (?:corrente|poupan[çc]a))\b/i;

/** Whose account it is: labelled, else the addressee of the letter. */
export function accountHolder(context: ExtractContext, parties: Parties, bank: unknown): ExtractionField | undefined {
  const found: LabelledValue<string>[] = labelledValues(context.lines, HOLDER, readName);
  const names = found.filter(({ value }) => !ACCOUNT_KIND.test(value));
  const best = names.find(({ value }) => /\s/.test(value)) ?? names[0];
  if (best) return fieldOf(best.value, best.words, best.page, best.place === 'right' ? 0.95 : 0.93);
  const customer = partyFields(parties)['customer_name'];
  return customer && customer.value !== bank ? customer : addressee(context);
}

/** A name with an address under it, at the head of the first page. */
function addressee(context: ExtractContext): ExtractionField | undefined {
  const head = context.lines.filter((line) => line.page === context.lines[0]?.page).slice(0, 25);
  for (const [index, line] of head.entries()) {
    for (const segment of line.segments) {
      const { text, bbox } = segment;
      const named = /^\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){1,3}$/u.test(text);
      if (!named || TITLE.test(text) || BANK_WORD.test(text)) continue;
      const under = (head[index + 1]?.segments ?? []).find(
        (below) => Math.abs(below.bbox.x - bbox.x) < bbox.height * 2.5 && below.bbox.y - bbox.y < bbox.height * 2.6,
      );
      if (under && /\d/.test(under.text) && (addressScore(under.text) >= 1.3 || endsAddress(under.text)))
        return fieldOf(text, segment.words, line.page, 0.82);
    }
  }
  return undefined;
}

const BANK_WORD =
  /bank(?:en|ers|ing (?:group|services|corporation|company|co\b)|\b)(?!\s?(?:holiday|details|account|charges?|fees?|statement|transfer|without))|banque|banco\b|banca\b|bancorp|sparkasse|volksbank|raiffeisen|credit union|building society|savings|kreditinstitut|caisse|caixa|cassa|financial|trust\b|cooperative|finance|capital\b|postfinance|postbank/i;
const TITLE =
  /^\W*(?:(?:your\s*)?(?:bank\s*|account\s*|current\s*|monthly\s*|consolidated\s*|checking\s*|savings\s*)*statements?(?:\s*of\s*accounts?)?|statement\b.*|account (?:summary|details|activity)|page\b.*|(?:konto)?auszug|relev[ée].*|extracto.*|estratto.*|extrato.*|rekeningafschrift|summary.*)\W*$/i;

/** The bank by its name: in the letterhead, large, with the word bank or the like in it; sentences about it don't count. */
export function bankName(context: ExtractContext, tableAt: number): ExtractionField | undefined {
  const head = context.lines
    .filter((line) => line.page === context.lines[0]?.page)
    .slice(0, Math.max(6, Math.min(tableAt, 30)));
  const heights = head.map((line) => line.bbox.height).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)] ?? 1;
  const scored = head
    .flatMap((line, position) =>
      line.segments.map((segment) => ({
        segment,
        line,
        score: bankScore(segment, position, usual) + repeats(segment, line, context),
      })),
    )
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (!best || best.score < 1) return undefined;
  const lead = best.score - (scored.find(({ segment }) => segment.text !== best.segment.text)?.score ?? 0);
  const words: Word[] = best.segment.words;
  const certainty = Math.min(0.95, 0.5 + 0.08 * best.score + 0.04 * Math.min(3, lead));
  return fieldOf(best.segment.text.replace(/[\s:,;|]+$/, ''), words, best.line.page, certainty);
}

/** A letter names its writer again in its text and its foot. */
const repeats = ({ text }: Segment, line: Line, { lines }: ExtractContext): number =>
  text.length > 5 && lines.some((other) => other !== line && other.text.toLowerCase().includes(text.toLowerCase()))
    ? 1.5
    : 0;

/** Words that a name has in lower case; every other one makes a sentence of it. */
const NAME_PARTICLES = /^(?:of|and|the|for|de|du|des|la|le|et|der|die|und|y|e|di|del|do|da|van|en|a)$/;

function bankScore({ text, words, bbox }: Segment, position: number, usual: number): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3 || TITLE.test(text) || /[:@]|www\.|https?:/i.test(text)) return -5;
  let score = 1.6 - 0.12 * position;
  if (BANK_WORD.test(text)) score += 3;
  if (hasLegalForm(text)) score += 1;
  score += Math.min(1.5, Math.max(-0.5, bbox.height / usual - 1));
  if (/\d/.test(text)) score -= 2.5;
  if (words.length > 6 || /member|insured|registered|authori[sz]ed|regulated/i.test(text)) score -= 3;
  score -=
    1.5 * Math.min(3, words.filter((word) => /^\p{Ll}/u.test(word.text) && !NAME_PARTICLES.test(word.text)).length);
  if (/[.!?]$/.test(text) && words.length > 3) score -= 1;
  if (/\b(?:street|road|avenue|lane|drive|box|stra(?:ss|ß)e|rue|calle|via)\b/i.test(text)) score -= 2;
  return score;
}

export const statementParties = (context: ExtractContext, type: string): Parties => findParties(context, type);

/** Index of the first line that a table of movements has; the head of the statement is above it. */
export const headEnd = (lines: Line[], first: Line | undefined): number => first?.index ?? Math.floor(lines.length / 3);
