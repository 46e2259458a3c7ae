import type { Line } from '../../layout/lines.ts';
import type { PageBox } from '../../types.ts';
import { findDates } from '../../values/dates.ts';
import { addressScore, endsAddress, trimAddress } from '../address.ts';
import { hasLegalForm } from '../company.ts';
import { fold } from '../labels.ts';
import { columnUnder, regionOf, type Run, tailRun } from './columns.ts';
import { countryNamed } from './countries.ts';
import { isFieldLabel } from './field-labels.ts';
import { partyLabelAt } from './party-labels.ts';
import { piecesOf } from './pieces.ts';
import { hasPostcode } from './postcode.ts';

export interface Party {
  name: Run;
  /** Lines of the name under the first: a legal form, the second half of a long name. */
  nameTail: Run[];
  address: Run[];
  page: number;
  certainty: number;
  /** Everything that belongs to the party on its page: its telephone and tax numbers are looked for there. */
  region: PageBox | undefined;
  /** The country that stands under the address. */
  country: string | undefined;
}

/** Titles of documents, alone on a line. */
export const DOCUMENT_TITLE =
  /^\W*(?:(?:tax|commercial|pro\s?forma|final|sales|credit|debit|vat|electricity|gas|water|utility|telephone|phone|e-?)\s*)*(?:invoice|note|memo|\w*rechnung|\w*beleg|facture|factuur|faktuur|factura|fattura|fatura|faktura|statement|bill|receipt|quote|order|purchase order|order confirmation|packing slip.*|delivery note|lieferschein|bestellung|bestelling|commande|pedido|ordine|leverbon|creditfactuur|factura rectificativa|abono|rechnungskorrektur|nota de encomenda|orden de \w+|bon de \w+|orden de compra|pedido de compra|encomenda|ordine d'acquisto|bestelbon|inkooporder|nota (?:de|di) cred\w+|credit ?nota|kredit\w*|eingangsrechnung|faktura vat|aankoopbestelling|aankooporder|kwitansie|guia de remessa|documento di trasporto|bolla|aflewerings\w+|pakbon|albaran|avoir|gutschrift|copy|original|duplicate|page\b.*|seite\b.*|pagina\b.*|stylesheet.*|visualisierung.*|e-?rechnung.*)\W*(?:\(?(?:copy|original|duplicate)\)?)?\W*$/;
/** A label with its value, or a sentence of the small print: no name and no line of an address. */
export const FIELD_LIKE =
  /:|\b(?:date|datum|number|nummer|invoice|rechnung|facture|page|seite|total|amount|terms|iban|bic|adresse|address|livraison|contact|kunden-?nr|lief-?nr|gln|registergericht|gericht|swift|vat|tax|phone|tel|fax|e-?mail|www|http|due|order|gstin|kvk|siret|btw|qty|description|subtotal|summary|account no|cin|pan|reg(?:istration)? no|licen[cs]e|model|chassis|inzake|betreft|betreff|concerne|asunto|oggetto|objet)\b|@|\d[.,]\d{2}\b(?!\s*\p{L}{3})|\?/u;
const NAMED = String.raw`(?:name|firma|company(?:\s*name)?|nom|nombre|nome|naam|raison sociale|razao social|razon social|ragione sociale|trading name|nazwa)`;
const NAME_LABEL = new RegExp(String.raw`^${NAMED}\s*:?\s*$`);
/** "Razão social: Aurora Ltda" in one cell. */
const FILLED_NAME = new RegExp(String.raw`^${NAMED}\s*:\s+(?=\S)`);
const ADDRESS_LABEL =
  /^(?:(?:street\s*|postal\s*|billing\s*)?address|anschrift|adresse|street|strasse|straße|direccion|domicilio|domicile|indirizzo|sede|endereco|morada|adres)\s*:?\s*$/;
/** "Address: 12 Mill Lane" in one cell. */
const FILLED_LABEL =
  /^(?:(?:street\s*|postal\s*|billing\s*)?address|anschrift|adresse|strasse|direccion|domicilio|domicile|indirizzo|sede|endereco|morada|adres)\s*:\s+(?=\S)/;
/** A building between the name and the street. */
const BUILDING =
  /^(?:the\s)?[\p{L}'’.-]+(?:\s[\p{L}'’.-]+){0,3}\s(?:house|building|towers?|court|mill|foundry|hall|cent(?:re|er)|park|estate|wharf|works|chambers|mansions?|arcade|campus|complex|plaza)$/u;
export const SALUTATION =
  /^(?:herrn?|frau|mr|mrs|ms|dr|monsieur|madame|mme|firma|senor|sra?|signora?|dhr|mevr|an|an (?:den|die|das)|familie|fam|aan|to)\.?$/;
const CARE_OF = /^\W*(?:attn|attention|att|c\/o|z\.?\s?hd\.?|t\.?a\.?v\.?|m\/s|messrs|a l'attention de)\b\.?\s*:?\s*/i;
const STREET =
  /\b\p{L}*(?:str\.?|stra(?:ss|ß)e|weg|platz|gasse|allee|laan|straat|gracht|plein|kade|gatan|vagen|vej|gade|veien|ulica)\b|\b(?:rue|chemin|avenue|boulevard|impasse|quai|calle|plaza|paseo|avda|avenida|carrer|carretera|ctra|pol(?:igono)?\.? ?ind(?:ustrial)?|zone industrielle|z\.?i\.? de|via|viale|piazza|corso|rua|travessa|largo|ul\.|street|road|lane|drive|way|crescent|terrace|p\.?\s?o\.? ?box|plot|nagar|marg|sector \d|postfach|bp \d)\b|^\W*\d+\w?[\s,].*\b(?:st|ave|rd|blvd|dr|ln|hwy|pkwy|ct|sq|pl)\b/u;

const GREETING = /^(?:hi|hello|dear|greetings|sehr geehrte\w*|bonjour|estimad\w*|gentile|beste|geachte|thank you)\b/;

const MAX_SKIPPED = 4;
const MAX_ADDRESS_LINES = 6;

/** A line of a street, a town or a building. */
export const isAddressLine = (text: string): boolean =>
  addressScore(text) >= 0.7 || STREET.test(fold(text)) || hasPostcode(text);

const isField = (text: string): boolean => FIELD_LIKE.test(fold(text));

/** The party whose lines begin with a run: what is right of a label, or the first line of a block. */
export function partyFrom(lines: Line[], first: Run[], page: number, certainty: number): Party | undefined {
  const runs = unfoldForm(lines, first).flatMap(piecesOf);
  const start = nameAt(runs);
  const name = runs[start];
  if (!name) return undefined;
  const cleaned = withoutPrefix(name);
  const inline = splitInlineAddress(cleaned);
  const named = inline?.name ?? cleaned;
  const text = fold(named.text);
  if (named.text.length < 2 || !/\p{L}{2}/u.test(named.text) || DOCUMENT_TITLE.test(text) || GREETING.test(text))
    return undefined;
  const rest = runs.slice(start + 1);
  const nameTail = inline ? [] : tailOf(named, rest);
  const { address, country } = addressOf(rest.slice(nameTail.length));
  return {
    name: named,
    nameTail,
    address: inline ? inline.address : address,
    page,
    certainty,
    region: regionOf(ownRuns(runs, inline ? [] : address)),
    country,
  };
}

/** The name, the address and the fields right under them: another name begins another block. */
function ownRuns(runs: Run[], address: Run[]): Run[] {
  const last = address.at(-1);
  const from = last ? runs.findIndex((run) => run.line === last.line) + 1 : 1;
  const end = runs.findIndex((run, index) => index >= from && !belongs(run.text, last !== undefined));
  return end < 0 ? runs : runs.slice(0, end);
}

const belongs = (text: string, complete: boolean): boolean => {
  if (DOCUMENT_TITLE.test(fold(text)) || SALUTATION.test(fold(text)) || partyLabelAt(fold(text))?.strong) return false;
  return !complete || isField(text) || endsAddress(text) || countryNamed(text) !== undefined || !/\p{L}{3}/u.test(text);
};

/** References, salutations and bare numbers stand between the heading and the name. */
function nameAt(runs: Run[]): number {
  let at = 0;
  while (at < MAX_SKIPPED && runs[at] && isNoName(runs[at]!.text)) at++;
  return at;
}

const isNoName = (text: string): boolean => {
  const plain = text.replace(CARE_OF, '');
  if (/^\(.*\)$/.test(plain) || isDate(plain)) return true;
  return (
    (isField(plain) || isFieldLabel(plain) || SALUTATION.test(fold(plain)) || !/\p{L}{2}/u.test(plain)) &&
    !hasLegalFormAlone(plain)
  );
};

const isDate = (text: string): boolean => (findDates(text)[0]?.length ?? 0) >= text.length - 1;

/** "Order Systems Ltd" is a name although it has a label's word. */
const hasLegalFormAlone = (text: string): boolean => hasLegalForm(text) && !/[:@]|\d{3}/.test(text);

function withoutPrefix(run: Run): Run {
  const text = run.text.replace(CARE_OF, '');
  if (text === run.text || text === '') return run;
  return tailRun(run, run.words.slice(-text.split(' ').length), text);
}

/** The end of a company's name, where its address goes on without a mark. */
const NAME_END =
  /^.{2,}?\b(?:GmbH(?:\s*&\s*Co\.?\s*KG)?|AG|KG|UG|e\.?K\.?|Ltd\.?|Limited|PLC|LLC|Inc\.?|SARL|SAS|S\.A\.|S\.?r\.?l\.?|S\.?p\.?A\.?|B\.?V\.?|N\.V\.)(?=\s+\p{Lu}|\s+\d)/u;

/** "Acme Ltd, 12 Main Street, Leeds LS1 4AB" in one line. */
export function splitInlineAddress(run: Run): { name: Run; address: Run[] } | undefined {
  const comma = run.text.search(
    /\s*(?:,(?!\s*(?:Lda|Ltda|Inc|Ltd|LLC|S\.?[AL]|GmbH|B\.?V)\b)|[;|·•]|[-–]\s)\s*(?=\S)/i,
  );
  const ends = NAME_END.exec(run.text)?.[0].length ?? -1;
  for (const end of [comma, ends]) {
    if (end < 3) continue;
    const rest = run.text.slice(end).replace(/^[\s,;|·•–-]+/, '');
    if (addressScore(rest) < (end === comma ? 1.2 : 1) || !/\d/.test(rest) || !hasPostcode(rest)) continue;
    if (addressScore(run.text.slice(0, end)) >= 1) continue;
    const count = run.text.slice(0, end).split(' ').length;
    return {
      name: tailRun(run, run.words.slice(0, count), run.text.slice(0, end)),
      address: [tailRun(run, run.words.slice(count), rest.replace(/\s*[·•|]\s*/g, ', '))],
    };
  }
  return undefined;
}

/** Mutual societies, associations and cooperatives beside the companies. */
const SOCIETY = /\b(?:a\.\s?g\.|e\.\s?v\.|e\.\s?g\.|v\.v\.a\.g|vvag|eg\b|verein|genossenschaft|stiftung)/i;
export const isLegalName = (text: string): boolean => hasLegalForm(text) || SOCIETY.test(text);

/** A name of two lines: the legal form is in the second. */
function tailOf(name: Run, rest: Run[]): Run[] {
  const next = rest[0];
  if (!next || isLegalName(name.text) || !isLegalName(next.text)) return [];
  if (/\d/.test(next.text) || isField(next.text) || isAddressLine(next.text)) return [];
  return [next];
}

/** The lines of the address under a name; contact persons and departments above the street are left out. */
function addressOf(runs: Run[]): { address: Run[]; country: string | undefined } {
  const address: Run[] = [];
  for (const [index, run] of runs.slice(0, MAX_ADDRESS_LINES + 2).entries()) {
    if (address.length === 0 && index > MAX_SKIPPED) break;
    const country = countryNamed(run.text);
    if (country !== undefined && address.length > 0) return { address: real(address), country };
    const text = fold(run.text);
    if (findDates(run.text).length > 0) break;
    if (address.length === 0 && CARE_OF.test(run.text)) continue;
    if (SALUTATION.test(text) || DOCUMENT_TITLE.test(text) || partyLabelAt(text)?.strong) break;
    const trimmed = trimAddress(run.text);
    // A tax number between the name and the street.
    if (address.length === 0 && isStop(run.text) && !isAddressLine(trimmed)) continue;
    if (isStop(run.text) && !(trimmed.length < run.text.length && isAddressLine(trimmed) && !isStop(trimmed))) break;
    const isStreet =
      isAddressLine(run.text) ||
      startsWithNumber(run.text) ||
      isAboveTown(run, runs[index + 1]) ||
      isAboveStreet(run, runs[index + 1]);
    if (address.length === 0 && !isStreet) continue;
    if (isComplete(address) && !isAddressLine(run.text)) break;
    address.push(trimmed === run.text ? run : tailRun(run, run.words.slice(0, trimmed.split(' ').length), trimmed));
    if (address.length >= MAX_ADDRESS_LINES) break;
  }
  return { address: real(address), country: undefined };
}

/** Words of a slogan can look like streets; an address has a number somewhere. */
const real = (address: Run[]): Run[] => (address.some((run) => /\d/.test(run.text)) ? address : []);

const isStop = (text: string): boolean => (endsAddress(text) && !STREET.test(fold(text))) || isField(text);
const startsWithNumber = (text: string): boolean => /^\W*\d+\w?[\s,]+\p{L}{2}/u.test(text);
/** "Weena 664" over "3012 CN Rotterdam", "Avda. del Mar 9, 2º B" over "41001 Sevilla": no street's word that we know. */
const isAboveTown = (run: Run, next: Run | undefined): boolean =>
  /^\p{L}[\p{L}\s.'/,-]+\s\d{1,4}\s?\p{L}?(?:\s?[-/]\s?\d+)?(?:,\s?[\p{L}\d.ºª\s]{1,16})?$/u.test(run.text) &&
  next !== undefined &&
  hasPostcode(next.text);
const isAboveStreet = (run: Run, next: Run | undefined): boolean =>
  BUILDING.test(fold(run.text)) && !isLegalName(run.text) && next !== undefined && isAddressLine(next.text);
const isComplete = (address: Run[]): boolean => address.some((run) => hasPostcode(run.text));

/** A form prints "Name: X" and "Address: Y" under its heading: the values take the place of the labels. */
function unfoldForm(lines: Line[], runs: Run[]): Run[] {
  return runs.flatMap((run, index) => {
    const folded = fold(run.text);
    const named = FILLED_NAME.exec(folded);
    if (named) {
      const text = run.text.slice(named[0].length);
      return [tailRun(run, run.words.slice(-text.split(' ').length), text)];
    }
    const filled = FILLED_LABEL.exec(folded);
    if (filled) {
      const text = run.text.slice(filled[0].length);
      const value = tailRun(run, run.words.slice(-text.split(' ').length), text);
      const until = runs[index + 1]?.line.index ?? Infinity;
      return [value, ...columnUnder(lines, value).filter((under) => under.line.index < until)];
    }
    const isAddress = ADDRESS_LABEL.test(folded);
    if (!NAME_LABEL.test(folded) && !isAddress) return [run];
    const position = run.line.segments.findIndex((s) => s.words[0] === run.words[0]);
    const beside = run.line.segments[position + 1];
    if (!beside) return [];
    const value: Run = { ...beside, line: run.line };
    const until = runs[index + 1]?.line.index ?? Infinity;
    return isAddress ? [value, ...columnUnder(lines, value).filter((under) => under.line.index < until)] : [value];
  });
}

const LEADING_COUNTRY = /^(?:[A-Z]{1,2}\s?-\s?|(?:DE|AT|FR|CH|IT|ES|NL|BE|LU|PT|DK|SE|NO|FI|PL|CZ) )(?=\d{4,5} \p{L})/u;

/** "80333 München, Deutschland" and "75002 Paris FR": the country behind the town. */
function withoutCountry(text: string): string {
  const match = /^(?<town>.*\b\d{4,5}\b.*\p{L}{3})(?<mark>[,\s(–-]+)(?<country>\p{L}[\p{L}.\s]+?)\)?$/u.exec(text);
  const { town, mark, country } = match?.groups ?? {};
  if (town === undefined || country === undefined || countryNamed(country) === undefined) return text;
  // "Fremont, CA" is no Canada: a code needs the postal code of a European town before it.
  if (country.length <= 3 && !/^(?:.*[ ,])?\d{4,5} \p{L}/u.test(town)) return text;
  return mark === undefined ? text : town;
}

/** The street and the town without the country: it is what an address is matched by. */
export const addressText = (address: Run[]): string =>
  address
    .map((run) =>
      withoutCountry(run.text)
        .replace(LEADING_COUNTRY, '')
        .replace(/[\s,;·|]+$/, ''),
    )
    .join(', ');
