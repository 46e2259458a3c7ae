import type { Line } from '../../layout/lines.ts';
import type { Box, ExtractionField, Word } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { fold, type LabelledValue, labelledValues, type ValueReader } from '../labels.ts';
import { isInside } from './columns.ts';
import { plain } from './identity.ts';
import type { Parties } from './parties.ts';

type Owner = 'vendor' | 'customer' | 'other' | 'unknown';

const ID_PART = String.raw`[\s.:/-]*(?:(?:uin|e\s*c\.?\s*f|reg(?:istration|istered|\.)?|id(?:entification|ent)?|no|number|nr|nummer|nommer|numero|n[°º]|#|code|intracom\w*|de)\b\.?[\s.:-]*)*`;
/** Numbers for value added tax and its kind; any number that a tax office gave. */
const VAT_NUMBER = new RegExp(
  [
    String.raw`\b(?:vat|btw|tva|gst(?:in)?|iva|mwst|dic|moms|mva|hst|abn|nip|trn|oib|alv|kdv)\b${ID_PART}`,
    String.raw`\b(?:moms|mva|vat|alv)[\s.-]*reg(?:istrerings)?\.?[\s.-]*(?:nr|nummer|no)\b\.?`,
    String.raw`\b(?:adoszam|ic\s*dph|cod\s*(?:unic\s*)?(?:de\s*)?(?:inregistrare\s*)?fiscal\w*|cif|cui|y-?tunnus|vergi\s*(?:kimlik\s*)?no)\b`,
    String.raw`\bvat\s*(?:reg\w*|no|number|id)${ID_PART}`,
    String.raw`\bu(?:msatz)?st(?:euer)?[\s.-]*id(?:ent)?\w*${ID_PART}`,
    String.raw`\buid${ID_PART}`,
    String.raw`\b(?:numero|n[°ºo]\.?)\s*(?:de\s*)?tva\b${ID_PART}`,
    String.raw`\b(?:p\.?\s?iva|partita\s*iva|cif|nif|nipc|cnpj)\b${ID_PART}`,
    String.raw`\bbelasting\s*nommer`,
  ].join('|'),
  'i',
);
const TAX_NUMBER = new RegExp(
  [
    String.raw`\b(?:tax|ein|sst|tin|pin)\b${ID_PART}`,
    String.raw`\bsteuer[\s-]*(?:nummer|nr)\b\.?`,
    String.raw`\bst\.?-?nr\b\.?`,
    String.raw`\bsiret\b${ID_PART}`,
    String.raw`\bcodice\s*fiscale\b`,
    String.raw`\b(?:numero|n[°º]\.?|identificacion|num\.?)\s*(?:de\s*)?(?:identification\s*|identificacion\s*)?fiscal\w*`,
    String.raw`\b(?:belasting|fiscaal|skatte|steuer)[\s-]*(?:nummer|nommer|nr\b\.?)`,
    String.raw`\bpan\s*(?:no\b\.?|:)`,
  ].join('|'),
  'i',
);
const PREFIXES: [Owner, RegExp][] = [
  ['other', /(?:ship\s*(?:to|from)|buyer\s*req\w*|delivery|payee)\W*(?:\w+\W*)?$/],
  [
    'customer',
    /(?:customer'?s?|buyer'?s?|your|client'?s?|purchaser'?s?|bill\s*to|invoicee|ihre?|kunden?|votre|uw|su|vostr[oa]|sua|klant|cliente)\W*(?:\w+\W*)?$/,
  ],
  [
    'vendor',
    /(?:seller'?s?|supplier'?s?|vendor'?s?|dealer'?s?|our|unsere?|notre|onze?|nuestr[oa]|nostr[oa]|verkaufer|company)\W*(?:\w+\W*)?$/,
  ],
];

const readTaxNumber: ValueReader<string> = (text) => {
  const match = /^(?<v>(?:[A-Z]{2}[\s-]?)?[A-Z]{0,3}[\s-]?\d[\dA-Z]*(?:[\s./-]{0,2}\d[\dA-Z]*)*)/i.exec(text);
  const value = match?.groups?.['v'];
  if (!value || value.replace(/\D/g, '').length < 7 || value.replace(/\W/g, '').length > 20) return undefined;
  if (/\d[.,]\d{2}(?!\d)(?:\s|$)/.test(`${value} `) && !/^[A-Z]/.test(value) && !/\d\.\d{3}\.\d/.test(value))
    return undefined;
  return { value: value.replace(/\s/g, ''), index: 0, length: value.length };
};

/** Tax numbers, mail and telephone of both parties: each goes to the party in whose block it stands, or that it names. */
export function contactFields(context: ExtractContext, parties: Parties): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const usual = median(context.lines.map((line) => line.bbox.height));
  const ownerOf = ownership(parties, usual);
  const vat = byOwner(labelledValues(context.lines, VAT_NUMBER, readTaxNumber), ownerOf);
  const tax = byOwner(labelledValues(context.lines, TAX_NUMBER, readTaxNumber), ownerOf);
  put(fields, 'vendor_tax_number', vat.vendor ?? tax.vendor, 0.92);
  put(fields, 'vendor_vat_number', vat.vendor, 0.92);
  if (!vat.vendor) put(fields, 'vendor_tax_id', tax.vendor, 0.85);
  put(fields, 'customer_tax_number', vat.customer ?? tax.customer, 0.88);
  Object.assign(fields, reachFields(context, ownerOf, fields, parties));
  return fields;
}

const put = (
  fields: Record<string, ExtractionField>,
  name: string,
  found: LabelledValue<string> | undefined,
  certainty: number,
): void => {
  if (found) fields[name] = fieldOf(found.value, found.words, found.page, certainty);
};

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 10;

type OwnerOf = (line: Line, words: Word[], before: string) => Owner;

function ownership(parties: Parties, usual: number): OwnerOf {
  const inside = (box: Box, page: number, region: NonNullable<Parties['vendor']>['region']): boolean =>
    isInside(box, page, region, usual * 0.6);
  return (line, words, before) => {
    const named = PREFIXES.find(([, pattern]) => pattern.test(fold(before)));
    if (named) return named[0];
    const boxes = words.map((word) => word.bbox);
    const stands = (region: NonNullable<Parties['vendor']>['region']): boolean =>
      boxes.some((box) => inside(box, line.page, region));
    if (stands(parties.vendor?.region)) return 'vendor';
    if (stands(parties.customer?.region)) return 'customer';
    const block = parties.labelled.find((party) => stands(party.region));
    if (!block) return 'unknown';
    // Payments go to the vendor, and goods come from it, unless somebody else is named for that.
    if (block.role === 'customer') return 'customer';
    return block.role === 'ship_to' ? 'other' : 'vendor';
  };
}

/** The text of the run before a label: "Customer" of "Customer GSTIN". */
function textBefore(line: Line, words: Word[]): string {
  const at = words[0] ? line.words.indexOf(words[0]) : 0;
  const segment = line.segments.find((one) => words[0] !== undefined && one.words.includes(words[0]));
  const from = segment?.words[0] ? line.words.indexOf(segment.words[0]) : 0;
  return line.words
    .slice(Math.max(0, from), Math.max(0, at))
    .map((word) => word.text)
    .join(' ');
}

function byOwner(
  found: LabelledValue<string>[],
  ownerOf: OwnerOf,
): { vendor?: LabelledValue<string>; customer?: LabelledValue<string> } {
  const owned = found.map((value) => {
    const glued = value.words[0]?.text.slice(0, Math.max(0, value.words[0].text.search(/\d/))) ?? '';
    const before = `${textBefore(value.line, value.labelWords)} ${/^[A-Za-z]{6,}/.test(glued) ? glued : ''}`;
    return { value, owner: ownerOf(value.line, [...value.labelWords, ...value.words], before.trim()) };
  });
  const vendor = owned.find((one) => one.owner === 'vendor') ?? owned.find((one) => one.owner === 'unknown');
  const customer = owned.find((one) => one.owner === 'customer' && one.value.value !== vendor?.value.value);
  return { ...(vendor ? { vendor: vendor.value } : {}), ...(customer ? { customer: customer.value } : {}) };
}

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const PHONE =
  /(?:\b(?:te[l1](?:efon|ephone|ef[oó]no?|efoon)?|phone|ph|t[ée]l[ée]?(?:phone)?|mobile|mob|cell|call)\b[\s.:]*(?:no\b\.?|number|nr\.?)?[\s.:]*(?<labelled>\+?[\d(][\d\s()/.-]{6,18}\d))|(?<international>(?:\+\d{1,3}[\s(]|\(\d{2,4}\)[\s-]?)[\d\s()/.-]{6,16}\d)/gi;

/** How the parties are reached. An address of the vendor's own domain goes before others. */
function reachFields(
  context: ExtractContext,
  ownerOf: OwnerOf,
  known: Record<string, ExtractionField>,
  parties: Parties,
): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const name = parties.vendor ? plain(parties.vendor.name.text) : '';
  const mails = matches(context.lines, EMAIL, (match) => match[0], ownerOf);
  const isOwn = (mail: Found): boolean => {
    const domain = plain(mail.text.split('@')[1]?.split('.')[0] ?? '');
    return domain.length >= 4 && name.length >= 4 && (name.startsWith(domain) || domain.startsWith(name));
  };
  const phones = matches(
    context.lines.filter((line) => !/^\W*fax/.test(fold(line.text))),
    PHONE,
    (match) => match.groups?.['labelled'] ?? match.groups?.['international'] ?? '',
    ownerOf,
  ).filter((phone) => !isTaken(phone.text, known));
  for (const role of ['vendor', 'customer'] as const) {
    const mail = ofOwner(mails, role, isOwn);
    if (mail) fields[`${role}_email`] = fieldOf(mail.text, mail.words, mail.line.page, 0.85);
    const phone = ofOwner(phones, role, () => false);
    if (phone) fields[`${role}_phone`] = fieldOf(phone.text, phone.words, phone.line.page, 0.82);
  }
  return fields;
}

interface Found {
  text: string;
  words: Word[];
  line: Line;
  owner: Owner;
}

function ofOwner(found: Found[], role: 'vendor' | 'customer', isOwn: (one: Found) => boolean): Found | undefined {
  const own = found.filter((one) => one.owner === role);
  if (role === 'customer') return own[0];
  const free = found.filter((one) => one.owner === 'unknown');
  return own[0] ?? free.find(isOwn) ?? free[0];
}

const isTaken = (text: string, known: Record<string, ExtractionField>): boolean =>
  Object.values(known).some((field) => String(field.value).replace(/\D/g, '') === text.replace(/\D/g, ''));

function matches(lines: Line[], pattern: RegExp, read: (match: RegExpMatchArray) => string, ownerOf: OwnerOf): Found[] {
  return lines.flatMap((line) =>
    [...line.text.matchAll(pattern)].map((match) => {
      const text = read(match).trim();
      const words = wordsAt(line, match.index + match[0].indexOf(text), text.length);
      return { text, words, line, owner: ownerOf(line, words, textBefore(line, words)) };
    }),
  );
}
