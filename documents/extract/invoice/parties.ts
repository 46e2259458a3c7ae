import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { cleanCompanyName } from '../company.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';
import { fold } from '../labels.ts';
import { columnUnder, isInside, type Run, runsOf, tailRun } from './columns.ts';
import { type Identity, identityOf, plain } from './identity.ts';
import { issuerOf, type PageShape } from './letterhead.ts';
import { addressText, FIELD_LIKE, isAddressLine, isLegalName, type Party, partyFrom } from './party-block.ts';
import { partyLabelAt, type PartyRole } from './party-labels.ts';
import { hasPostcode } from './postcode.ts';
import { isName, saluted, unlabelledRecipient } from './recipient.ts';
import { footParty, letterParties } from './sender-line.ts';

export interface Parties {
  vendor?: Party;
  customer?: Party;
  /** Every party that a heading names, with its role: what stands in their blocks is theirs. */
  labelled: LabelledParty[];
}

interface LabelledParty extends Party {
  role: PartyRole;
  strong: boolean;
  /** The heading says "name": the party itself, not a place or a department of it. */
  named: boolean;
  /** "Service address" with nothing but an address under it: the name stands elsewhere. */
  nameless: boolean;
}

/** Who writes the document and who receives it. The writer of a purchase order is the customer. */
export function findParties(context: ExtractContext, type: string): Parties {
  const { lines } = context;
  const first = lines.filter((line) => line.page === (lines[0]?.page ?? 1));
  const shape = shapeOf(context, first);
  const labelled = labelledParties(lines, type, shape);
  const identity = identityOf(lines, shape.height);
  const letter = letterParties(first, shape);
  const of = (role: PartyRole): LabelledParty | undefined => bestOf(labelled.filter((party) => party.role === role));
  const isOrder = type === 'purchase_order';
  const receiver = isOrder
    ? (of('vendor') ?? letter?.customer)
    : (of('customer') ?? letter?.customer ?? of('ship_to') ?? saluted(first, shape));
  const writer =
    of(isOrder ? 'customer' : 'vendor') ??
    letter?.vendor ??
    surerOf(writerOf(first, identity, shape, labelled, receiver), footParty(first, shape, receiver)) ??
    of(isOrder ? 'ship_to' : 'remit_to');
  const issuer = writer && withAddress(writer, first, labelled, receiver, shape);
  const recipient = receiver ?? unlabelledRecipient(first, issuer, shape, labelled);
  const [vendor, customer] = isOrder ? [recipient, issuer] : [issuer, recipient];
  return { labelled, ...(vendor ? { vendor } : {}), ...(customer ? { customer } : {}) };
}

/** The foot of the page names its writer in full; at its head there may be a logo, or only words. */
function surerOf(head: Party | undefined, foot: Party | undefined): Party | undefined {
  if (!head || !foot) return head ?? foot;
  const [logo, full] = [plain(head.name.text), plain(foot.name.text)];
  if (logo === full || (logo.length >= 3 && full.startsWith(logo)) || (logo.length >= 5 && full.includes(logo)))
    return head.address.length > 0 && logo === full ? head : foot;
  return head.address.length === 0 && head.certainty < 0.8 && !isLegalName(head.name.text) ? foot : head;
}

function shapeOf(context: ExtractContext, lines: Line[]): PageShape {
  const heights = lines.map((line) => line.bbox.height).sort((a, b) => a - b);
  return { height: context.pages[0]?.height ?? 1, usual: heights[Math.floor(heights.length / 2)] ?? 1 };
}

export function partyFields({ vendor, customer }: Parties): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  for (const [role, party] of Object.entries({ vendor, customer })) {
    if (!party) continue;
    const nameRuns = [party.name, ...party.nameTail];
    const name = cleanCompanyName(nameRuns.map((run) => run.text).join(' '));
    fields[`${role}_name`] = fieldOf(
      name,
      nameRuns.flatMap((run) => run.words),
      party.page,
      party.certainty,
    );
    if (party.address.length === 0) continue;
    const text = addressText(party.address);
    const words = party.address.flatMap((run) => run.words);
    fields[`${role}_address`] = fieldOf(text, words, party.page, party.certainty * addressCertainty(party));
  }
  return fields;
}

/** An address has a street with a number and a postal code, or a town under the street; a line alone is a part of one. */
const addressCertainty = ({ address }: Party): number => {
  const numbered = /\d/.test(address[0]!.text);
  if (address.some((run) => hasPostcode(run.text))) return numbered ? 0.95 : 0.85;
  return numbered && address.length > 1 ? 0.75 : 0.5;
};

const writerOf = (
  first: Line[],
  identity: Identity,
  shape: PageShape,
  labelled: LabelledParty[],
  receiver: Party | undefined,
): Party | undefined => {
  const own = new Set<PartyRole>(['remit_to', 'ship_from', 'vendor']);
  const foreign = [...labelled.filter((party) => !own.has(party.role)), ...(receiver ? [receiver] : [])];
  return issuerOf(
    first,
    identity,
    shape,
    (run) =>
      foreign.some((party) =>
        run.words.some((word) => isInside(word.bbox, run.line.page, party.region, shape.usual * 0.3)),
      ),
    foreign.map((party) => party.name.text),
  );
};

/** A payment slip begins there, in parts of the page's height. */
const SLIP = 0.55;

const isUnderName = (lines: Line[], run: Run): boolean =>
  lines
    .slice(Math.max(0, lines.indexOf(run.line) - 3), lines.indexOf(run.line))
    .flatMap((line) => runsOf([line]))
    .some((above) => isName(above.text) && columnUnder(lines, above, 1)[0]?.words[0] === run.words[0]);

function labelledParties(lines: Line[], type: string, shape: PageShape): LabelledParty[] {
  return runsOf(lines).flatMap((run) => {
    const label = partyLabelAt(fold(run.text));
    if (!label || isAccountOfBank(run, lines, type)) return [];
    // "From:" and "To:" over further pages are those of mails that came with the document.
    if (run.text.includes('@') || (!label.strong && run.line.page !== lines[0]?.page)) return [];
    // The supplier is who an order goes "to".
    const addressee = /^\W*(?:to|an|aan|a|para|attn|attention)\b/.test(fold(run.text)) && !label.strong;
    // On the slip at the foot of a bill, "To:" is who the payment goes to.
    const paid = addressee && run.bbox.y > shape.height * SLIP;
    const role = addressee && type === 'purchase_order' ? 'vendor' : paid ? 'remit_to' : label.role;
    // "Attention: Aroha" under the name of a firm is somebody in it.
    if (/^\W*att/.test(fold(run.text)) && isUnderName(lines, run)) return [];
    const party = partyOfLabel(lines, run, label.length, label.strong ? 0.9 : 0.84);
    if (!party) return [];
    const heading = fold(run.text.slice(0, label.length));
    const named = /\bnam|\bnom|holder/.test(heading);
    const nameless = isAddressLine(party.name.text) && /\d/.test(party.name.text) && !isNamedBlock(party);
    const address = nameless ? [party.name, ...party.address] : party.address;
    return [{ ...party, address, role, strong: label.strong, named, nameless }];
  });
}

/** "Quay 18 Architects" over a street and a town is a name, though it has a street's word and a number. */
const isNamedBlock = ({ name, address }: Party): boolean =>
  address.length >= 2 &&
  /^\p{L}/u.test(name.text) &&
  /\p{L}$/u.test(name.text) &&
  !hasPostcode(name.text) &&
  /\d/.test(address[0]!.text) &&
  !hasPostcode(address[0]!.text) &&
  address.slice(1).some((run) => hasPostcode(run.text));

/** "Account name" among bank details is the payee's; on a utility's bill it is the customer's. */
const isAccountOfBank = (run: Run, lines: Line[], type: string): boolean =>
  /^\W*account/.test(fold(run.text)) &&
  (type !== 'bill' ||
    lines.some(
      (line) =>
        line.page === run.line.page &&
        Math.abs(line.index - run.line.index) <= 3 &&
        /iban|swift|\bbic\b|sort code|routing|\bbank\b/.test(fold(line.text)),
    ));

/** In the first place what stands on the first page, has an address, and is named outright. */
function bestOf(parties: LabelledParty[]): LabelledParty | undefined {
  const rank = (party: LabelledParty): number =>
    (party.strong ? 1 : 0) +
    (party.named ? 1.2 : 0) +
    (party.address.length > 0 ? 0.8 : 0) +
    (party.page === 1 ? 1.5 : 0);
  const ranked = [...parties].sort((a, b) => rank(b) - rank(a));
  const best = ranked.find((party) => !party.nameless);
  if (!best || best.address.length > 0) return best;
  // The name in a field of its own, the address under another heading.
  const placed = ranked.find((party) => party.address.length > 0);
  return placed ? { ...best, address: placed.address, country: placed.country } : best;
}

const BESIDE_GAP = 16;
const NEAR_GAP = 6;

/** The name and address right of a heading, or under it. */
function partyOfLabel(lines: Line[], run: Run, length: number, certainty: number): Party | undefined {
  const rest = run.text.slice(length).replace(/^[\s:;,.()–-]+/, '');
  const page = run.line.page;
  if (/\p{L}{2}/u.test(rest)) {
    const first = tailRun(run, run.words.slice(-rest.split(' ').length), rest);
    const under = columnUnder(lines, first);
    return partyFrom(lines, [first, ...(under.length > 0 ? under : columnUnder(lines, run))], page, certainty);
  }
  const under = columnUnder(lines, run);
  const beside = besideOf(run);
  const isUnder = under[0] !== undefined && !isLabel(under[0].text);
  const isClose = beside && beside.bbox.x - run.bbox.x - run.bbox.width < run.bbox.height * NEAR_GAP;
  const takesBeside = beside && (!isUnder || (run.text.trimEnd().endsWith(':') && isClose));
  const source = takesBeside ? [beside, ...columnUnder(lines, beside)] : under;
  return partyFrom(lines, source, page, certainty) ?? partyFrom(lines, under, page, certainty * 0.9);
}

/** Another label: "Address …", "Number:". A form's "Name:" is one too, but the name is beside it. */
const isLabel = (text: string): boolean => FIELD_LIKE.test(fold(text)) && !/^(?:name|anschrift|nom)\b/.test(fold(text));

function besideOf(run: Run): Run | undefined {
  const position = run.line.segments.findIndex((segment) => segment.words[0] === run.words[0]);
  const beside = run.line.segments[position + 1];
  if (!beside || beside.bbox.x - run.bbox.x > run.bbox.height * BESIDE_GAP) return undefined;
  const text = fold(beside.text);
  if (!/\p{L}{2}/u.test(text) || FIELD_LIKE.test(text) || partyLabelAt(text)) return undefined;
  return { ...beside, line: run.line };
}

/** A logo has no address under it: the name stands elsewhere with one, or a block at the head or foot is nobody else's. */
function withAddress(
  writer: Party,
  lines: Line[],
  labelled: LabelledParty[],
  receiver: Party | undefined,
  shape: PageShape,
): Party {
  if (writer.address.length > 0) return writer;
  const others = [
    ...labelled.filter((party) => !['remit_to', 'vendor'].includes(party.role)),
    ...(receiver ? [receiver] : []),
  ];
  const isTaken = (run: Run): boolean =>
    others.some((party) => isInside(run.bbox, run.line.page, party.region, shape.usual * 0.3));
  const free = runsOf(lines).filter((run) => !isTaken(run));
  const name = plain(writer.name.text);
  for (const run of free.filter((one) => name.length >= 3 && plain(one.text).startsWith(name))) {
    const again = partyFrom(lines, [run, ...columnUnder(lines, run)], run.line.page, writer.certainty);
    if (!again || again.address.length === 0) continue;
    // A logo is often only the first words of the name that is registered.
    const isFuller =
      plain(again.name.text).length > name.length && isLegalName(again.name.text) && !isLegalName(writer.name.text);
    const full = isFuller ? { name: again.name, nameTail: again.nameTail } : {};
    return { ...writer, ...full, address: again.address, country: again.country };
  }
  const isHeaded = (run: Run): boolean =>
    free.some((above) => isName(above.text) && columnUnder(lines, above, 1)[0]?.words[0] === run.words[0]);
  const start = free.find(
    (run) =>
      isAddressLine(run.text) &&
      !FIELD_LIKE.test(fold(run.text)) &&
      (run.bbox.y < shape.height * 0.3 || run.bbox.y > shape.height * 0.8) &&
      [run, ...columnUnder(lines, run, 4)].some((one) => hasPostcode(one.text)) &&
      // With a name of its own over it, it is the recipient's, if nobody else is.
      (receiver !== undefined || !isHeaded(run)),
  );
  const block =
    start && partyFrom(lines, [writer.name, start, ...columnUnder(lines, start)], 1, writer.certainty * 0.85);
  const isWhole = block !== undefined && addressText(block.address).split(' ').length >= 3;
  return isWhole ? { ...writer, address: block.address, country: block.country } : writer;
}
