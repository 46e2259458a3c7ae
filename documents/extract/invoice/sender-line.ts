import type { Line } from '../../layout/lines.ts';
import { findDates } from '../../values/dates.ts';
import { addressScore } from '../address.ts';
import { fold } from '../labels.ts';
import { columnUnder, regionOf, type Run, tailRun } from './columns.ts';
import { isFieldLabel } from './field-labels.ts';
import { plain } from './identity.ts';
import type { PageShape } from './letterhead.ts';
import { addressText, FIELD_LIKE, isLegalName, type Party, partyFrom, splitInlineAddress } from './party-block.ts';
import { hasPostcode } from './postcode.ts';

/** A line at the foot of a page begins there, in parts of its height. */
const FOOT = 0.8;

/** The sender of a letter stands in one small line above the recipient: "Acme GmbH · Street 1 · 12345 Town" (DIN 5008). */
export function letterParties(lines: Line[], shape: PageShape): { vendor: Party; customer?: Party } | undefined {
  for (const line of lines) {
    if (line.bbox.y > shape.height * 0.5) break;
    const sender = senderIn(line);
    if (!sender) continue;
    const customer = partyFrom(lines, columnUnder(lines, sender.run), line.page, 0.78);
    return customer ? { vendor: sender.party, customer } : { vendor: sender.party };
  }
  return undefined;
}

/** Who is named with street and town in one line at the foot of the page: "Acme Ltd | 12 Mill Lane | Leeds LS1 4AB". */
export function footParty(lines: Line[], shape: PageShape, receiver: Party | undefined): Party | undefined {
  const foot = lines.filter((line) => line.bbox.y > shape.height * FOOT);
  const found = foot.map((line) => senderIn(line, true)).find((sender) => sender !== undefined)?.party;
  return found && receiver && plain(found.name.text) === plain(receiver.name.text) ? undefined : found;
}

/** The name and address that one line gives, and the piece of the line that they stand in. */
function senderIn(line: Line, withContacts = false): { party: Party; run: Run } | undefined {
  const whole: Run = { ...line, line };
  // The parts are marked off by signs, or only by gaps.
  const parts = line.segments.map((segment): [Run, string[]] => [{ ...segment, line }, splitParts(segment.text)]);
  const cells = line.segments.map((segment) => segment.text);
  const glued = line.segments.length === 1 && hasPostcode(line.text) ? splitInlineAddress(whole) : undefined;
  if (glued && isSender(glued.name.text, ['', ...glued.address.map((run) => run.text)], 1))
    return { party: senderParty(whole, glued.name.text, [addressText(glued.address)]), run: whole };
  const senders: [Run, string[]][] = [...parts, [whole, cells]];
  for (const [run, named] of senders) {
    const [name, ...rest] = withLegalForm(named);
    // At the foot, numbers and ways to reach the firm follow the town.
    const end = withContacts ? rest.findIndex((part) => FIELD_LIKE.test(fold(part))) : -1;
    const address = end < 0 ? rest : rest.slice(0, end);
    if (name === undefined || !isSender(name, address)) continue;
    return { party: senderParty(run, name, address), run: parts[0]![0] === run ? run : parts[0]![0] };
  }
  return undefined;
}

const splitParts = (text: string): string[] =>
  text.split(/\s*[·•|●*]\s*|\s+[-–—]\s+|,\s*/).filter((part) => part !== '');

/** "Vouga, Lda., Rua da Estação 120": the comma before a legal form does not end the name. */
const withLegalForm = ([name, form, ...rest]: string[]): string[] =>
  name !== undefined && form !== undefined && isLegalName(form) && !/\d/.test(form) && form.length <= 8
    ? [`${name}, ${form}`, ...rest]
    : [name, form, ...rest].filter((part) => part !== undefined);

const isSender = (name: string, address: string[], numbered = 2): boolean =>
  address.length >= 2 &&
  /\p{L}{3}/u.test(name) &&
  // "Via Garibaldi, 118 - 20052 Monza": the number of the house shows that it is no name.
  !/^\d{1,4}\s?\p{L}?$/u.test(address[0]!) &&
  !/\d/.test(name) &&
  // "Bay Street Dental" has a street's word, and no number.
  addressScore(name) < (address.length > 1 ? 1.5 : 0.8) &&
  !FIELD_LIKE.test(fold(name)) &&
  !isFieldLabel(name) &&
  address.some(hasPostcode) &&
  address.filter((part) => /\d/.test(part)).length >= numbered &&
  // "Delivery note no. | DN-88213 | Delivered on | 12 March 2024" is a line of labels and values.
  address.every((part) => !FIELD_LIKE.test(fold(part)) && !isFieldLabel(part) && findDates(part).length === 0);

function senderParty(run: Run, name: string, address: string[]): Party {
  const count = name.split(' ').length;
  return {
    name: tailRun(run, run.words.slice(0, count), name),
    nameTail: [],
    address: [tailRun(run, run.words.slice(count), address.join(', '))],
    page: run.line.page,
    certainty: 0.8,
    region: regionOf([run]),
    country: undefined,
  };
}
