import type { Line } from '../../layout/lines.ts';
import { addressScore, endsAddress } from '../address.ts';
import {
  cleanCompanyName,
  hasBusinessWord,
  hasLegalForm,
  hasStrongLegalForm,
  isNameTail,
  OWNER_LABEL,
  REGISTRATION_NUMBER,
} from '../company.ts';
import { repairName } from './name-spelling.ts';

export interface Merchant {
  name: string;
  lines: Line[];
  certainty: number;
  /** The address follows on the line of the name. */
  inline?: boolean;
  /** It was found at the end of the receipt: the address may stand at the head. */
  inFoot?: boolean;
}

/** The name stands in the head of a receipt. */
const HEAD_LINES = 12;
const TITLE =
  /^\W*(?:(?:simplified |original |duplicate |copy )*(?:tax )?(?:invo[il1][a-z]{1,2}|receipt|cash bill|cash sale|bill)|welcome\b.*|thank you.*|your order.*|order number.*|official receipt|take ?away|dine ?in|cash|copy|reprint|customer copy|merchant copy|guest check|duplicata|home of\b.*|(?:car ?)?park(?:ing)?(?: ticket| receipt)?|ticket(?: de caisse)?|taxi receipt|sales (?:slip|receipt)|customer receipt|rechnung|quittung|kassenbon|kassabon|facture|factura(?: simplificada)?|scontrino|documento commerciale|kwitansie|refund)\W*$/i;
const NOISE =
  /thank|goods? sold|return[a-z]*ble|refund|welcome|come again|feedback|complain|redeem|voucher|please|\bhelp\b|powered by|not a receipt/i;
const TABLE_HEAD =
  /\b(?:qty|quantity|description|price|amount|u\/?p|item)\b.*\b(?:qty|quantity|description|price|amount|u\/?p|total|item)\b/i;

/** "(Co. Reg: 781234-K)": a line that the registration number has for itself. */
const REGISTRATION_LINE =
  /^\W*(?:co(?:mpany)?\.?\s*)?(?:reg(?:istration)?|roc|brn|gst|sst|vat|abn)\b\W*(?:no|number|id)?\W*(?=[A-Z]{0,3}\d)/i;

export function findMerchant(lines: Line[]): Merchant | undefined {
  const head = headOf(lines);
  const heights = head.map((line) => line.bbox.height).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)] ?? 1;
  const scored = head
    .map((line, position) => ({ position, score: scoreOf(line, position, head, usual) }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  const inFoot = !best || best.score < UNLIKELY ? nameInFoot(lines.slice(head.length)) : undefined;
  if (inFoot) return inFoot;
  if (!best || best.score < -2) return nameBeforeAddress(head);
  const split = hasLegalForm(head[best.position]!.text) ? undefined : nameBeforeAddress([head[best.position]!]);
  if (split) return split;
  const used = nameLines(head, best.position);
  const name = repairName(cleanCompanyName(used.map((line) => cleanCompanyName(line.text)).join(' ')), used, lines);
  if (name === '') return undefined;
  const lead = best.score - (scored.find((s) => !used.includes(head[s.position]!))?.score ?? best.score - 3);
  return {
    name,
    lines: used,
    certainty:
      Math.min(0.95, 0.5 + 0.06 * Math.max(0, best.score) + 0.06 * Math.min(3, Math.max(0, lead))) * clearness(used),
  };
}

/** A name is as doubtful as the word of it that was read worst. */
const clearness = (lines: Line[]): number =>
  0.4 + 0.6 * Math.min(1, ...lines.flatMap((line) => line.words.map((word) => word.confidence)));

/** A head with no line that is likely a name. */
const UNLIKELY = 0.8;

/** Slips of machines and receipts with a logo only name the company at their end. */
function nameInFoot(lines: Line[]): Merchant | undefined {
  const line = lines.findLast(
    ({ text }) =>
      hasStrongLegalForm(text) && !NOISE.test(text) && !/[:@]|www\.|\d[.,]\d{2}\b/i.test(text) && text.length < 60,
  );
  const name = line ? cleanCompanyName(line.text) : '';
  return line && /\p{L}{3}/u.test(name) ? { name, lines: [line], certainty: 0.55, inFoot: true } : undefined;
}

/** "Contoso 1822 S Island Ave": the name stands on the line of the address. */
function nameBeforeAddress(head: Line[]): Merchant | undefined {
  for (const line of head) {
    const match = /^(?<name>\p{L}[\p{L}'&. -]{2,30}?),?\s+(?<address>\d+\w?,?\s.+)$/u.exec(line.text);
    const { name, address } = match?.groups ?? {};
    if (name === undefined || address === undefined || endsAddress(line.text)) continue;
    if (addressScore(address) >= 1.3 && addressScore(name) < 0.7)
      return { name, lines: [line], certainty: 0.7, inline: true };
  }
  return undefined;
}

function headOf(lines: Line[]): Line[] {
  const table = lines.findIndex((line) => TABLE_HEAD.test(line.text) || /\d[.,]\d{2}\s*\w{0,2}$/.test(line.text));
  return lines.slice(0, Math.min(HEAD_LINES, table > 2 ? table : HEAD_LINES));
}

function scoreOf(line: Line, position: number, head: Line[], usual: number): number {
  const { text } = line;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const digits = text.match(/\d/g)?.length ?? 0;
  if (letters < 3) return -10;
  let score = 1.5 - 0.3 * position;
  const bare = cleanCompanyName(text);
  if (hasLegalForm(text)) score += hasStrongLegalForm(text) ? 3.5 : 1;
  if (hasBusinessWord(text)) score += 1.6;
  if (TITLE.test(text) || NOISE.test(text)) score -= 5;
  if (OWNER_LABEL.test(text) || /own(?:ed)? by\W*$/i.test(head[position - 1]?.text ?? '')) score -= 3.5;
  score -= lateness(head, position);
  if (endsAddress(text) && !hasLegalForm(text) && !/cash\s*(?:&|and)\s*carry/i.test(text)) score -= 3;
  if (/\b(?:bil+|sold|ship|to|attn|customer|buyer)\s*(?:to)?\s*:/i.test(text)) score -= 5;
  const address = addressScore(text);
  if (address >= 1.3) score -= (hasBusinessWord(text) || hasLegalForm(text) ? 0.4 : 1.2) * Math.min(3, address);
  else if (address >= 1 && /\d/.test(text) && !hasBusinessWord(text) && !hasLegalForm(text)) score -= 1.5;
  if (digits > letters) score -= 2;
  if (REGISTRATION_NUMBER.test(text)) score += 1;
  if (REGISTRATION_LINE.test(text)) score -= 5;
  score += followerBonus(head, position);
  score += Math.min(1, Math.max(-0.5, line.bbox.height / usual - 1)) * 0.8;
  score -= Math.max(0, 0.9 - line.confidence) * 6;
  if (bare.length < 4) score -= 1.5;
  return score;
}

/** Behind the title of the document, a tax number or a phone stands who bought, not who sold. */
function lateness(head: Line[], position: number): number {
  const before = head.slice(0, position);
  const title = before.findIndex((line, index) => index > 0 && TITLE.test(line.text));
  const contact = before.some((line) => /\b(?:gst|sst|vat|te[l1])\b.*\d{6,}/i.test(line.text));
  return (title > 1 ? 2 : 0) + (contact ? 1.5 : 0);
}

/** A registration number or the address right below belongs to the name above it. */
function followerBonus(head: Line[], position: number): number {
  const next = head[position + 1];
  if (!next) return 0;
  if (REGISTRATION_NUMBER.test(next.text) && !/\b(?:gst|sst|vat)\b/i.test(next.text)) return 1.2;
  if (/\b(?:co(?:mpany)?\.? ?(?:reg)?\.? ?(?:no)?|roc|brn|gst)\b/i.test(next.text)) return 0.8;
  return addressScore(next.text) >= 1.3 && !endsAddress(next.text) ? 1.2 : 0;
}

/** "roti / man / bakery": a logo whose words stand under each other, one of them a business's. */
function stackedName(head: Line[], position: number): Line[] {
  const single = (line: Line | undefined): boolean =>
    line !== undefined && /^\W*\p{L}{2,}(?:\s+[\d.-]+\w?)?\W*$/u.test(line.text) && joins(line);
  let from = position;
  let to = position;
  while (single(head[from - 1])) from--;
  while (single(head[to + 1])) to++;
  const stack = head.slice(from, to + 1);
  const isName =
    stack.length >= 3 && stack.length <= 4 && single(head[position]) && stack.some((l) => hasBusinessWord(l.text));
  return isName ? stack : [];
}

/** A shop's own name, printed over the company that keeps it: "Lemon Tree Restaurant / JTJ Foods Sdn Bhd". */
const isShopName = (line: Line, company: Line): boolean =>
  hasLegalForm(company.text) &&
  !OWNER_LABEL.test(company.text) &&
  hasBusinessWord(line.text) &&
  !hasLegalForm(line.text) &&
  line.words.length > 1 &&
  line.confidence >= 0.9 &&
  joins(line) &&
  !NOISE.test(line.text) &&
  !/:/.test(line.text);

/** A name wrapped over two lines: the tail of it, or the head that the tail was found for. */
function nameLines(head: Line[], position: number): Line[] {
  const line = head[position]!;
  const next = head[position + 1];
  const previous = head[position - 1];
  const stack = stackedName(head, position);
  if (stack.length > 0) return stack;
  if (previous && isShopName(previous, line)) return [previous, line];
  if (isNameTail(line.text) && previous && joins(previous) && (previous.text.match(/\p{L}/gu)?.length ?? 0) >= 3)
    return [previous, line];
  if (next && !hasLegalForm(line.text) && joins(next) && (isNameTail(next.text) || startsWithTail(next.text)))
    return [line, next];
  return [line];
}

const joins = (line: Line): boolean =>
  !TITLE.test(line.text) && !endsAddress(line.text) && addressScore(line.text) < 1.3 && line.confidence > 0.7;

const startsWithTail = (text: string): boolean =>
  /^\W*(?:\(\w+\)\s*)?s[deo0]n\.?\s*[b38]\s?hd/i.test(text) || /^(?:&|and)\s/i.test(text);
