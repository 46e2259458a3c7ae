import type { Line } from '../../layout/lines.ts';
import { fold } from '../labels.ts';
import { columnUnder, isInside, runsOf } from './columns.ts';
import { isFieldLabel } from './field-labels.ts';
import { plain } from './identity.ts';
import type { PageShape } from './letterhead.ts';
import {
  addressText,
  DOCUMENT_TITLE,
  FIELD_LIKE,
  isAddressLine,
  type Party,
  partyFrom,
  SALUTATION,
} from './party-block.ts';
import { hasPostcode } from './postcode.ts';

/** "M/s Rift Valley Tea": the salutation of a firm, before its name. */
const MESSRS = /^\W*(?:m\/s|messrs)\.?\s+\p{L}/iu;

/** "Herrn", "Ms": the lines of the recipient begin there. */
export function saluted(lines: Line[], shape: PageShape): Party | undefined {
  const upper = runsOf(lines).filter((one) => one.bbox.y < shape.height * 0.5);
  const run = upper.find((one) => SALUTATION.test(fold(one.text)) || MESSRS.test(one.text));
  const named = run && MESSRS.test(run.text) ? [run] : [];
  return run && partyFrom(lines, [...named, ...columnUnder(lines, run)], run.line.page, 0.8);
}

/** A name with a street and a town in the upper half of the page that is not the writer's. */
export function unlabelledRecipient(
  lines: Line[],
  writer: Party | undefined,
  shape: PageShape,
  labelled: Party[],
): Party | undefined {
  for (const run of runsOf(lines)) {
    if (run.bbox.y > shape.height * 0.45) break;
    if (isFieldLabel(run.text) || labelled.some((party) => isInside(run.bbox, run.line.page, party.region, 0)))
      continue;
    const own = writer && plain(run.text) === plain(writer.name.text);
    if (own || !isName(run.text)) continue;
    if (isInside(run.bbox, run.line.page, writer?.region, shape.usual * 0.3)) continue;
    const under = columnUnder(lines, run, 6);
    if (!under.slice(0, 4).some((line) => hasPostcode(line.text))) continue;
    const party = partyFrom(lines, [run, ...under], run.line.page, 0.68);
    if (party && party.address.length > 0 && !sameAddress(party, writer)) return party;
  }
  return undefined;
}

const sameAddress = (a: Party, b: Party | undefined): boolean =>
  b !== undefined && b.address.length > 0 && plain(addressText(a.address)) === plain(addressText(b.address));

export const isName = (text: string): boolean => {
  const folded = fold(text);
  const words = text.split(' ').length;
  return (
    /\p{L}{3}/u.test(text) &&
    words <= 6 &&
    !isAddressLine(text) &&
    !FIELD_LIKE.test(folded) &&
    !DOCUMENT_TITLE.test(folded)
  );
};
