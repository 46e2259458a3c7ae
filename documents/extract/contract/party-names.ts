import { hasLegalForm } from '../company.ts';

const LEGAL_TAIL = String.raw`(?:Inc|INC|INCORPORATED|LTD|LIMITED|CORP|CORPORATION|COMPANY|Incorporated|L\.?L\.?C|Ltd|Limited|L\.?P|L\.?L\.?P|Corp|Corporation|Company|Co|N\.?A|S\.?A|S\.?A\.?R\.?L|SAS|P\.?L\.?C|GmbH|AG|KG|B\.?V|N\.?V|Pty|Bhd|Trust|III|II|IV|Jr|Sr|M\.?D|Ph\.?D|Esq)\b`;
/** A comma that ends a name: the legal form and a person's suffix go on behind theirs. */
const NAME_END = new RegExp(
  String.raw`\s*(?:[,;](?!\s*${LEGAL_TAIL})|[.,]\s?(?=(?:an?|eine?|une|een|una)\s?\p{L})|\s(?=(?:an?|the|its|with|having|whose|located|residing|resident|of|geboren|wohnhaft|vertreten|mit Sitz|ayant|dont|dom[ií]cili|con domicilio|gevestigd|wonende|acting|represented|as)\s(?!\p{Lu}\p{L}*\s*(?:${LEGAL_TAIL})))|\s?(?:\((?!(?:[Pp][Tt][Yy]|Proprietary|Private|Pvt|PVT|M|SA|RF)\))|[“"])|\s(?=(?:Registration|Company|Identity|ID|Passport|Reg\.?)\s(?:[Nn]umber|[Nn]o))|\s-\s|\s–\s)`,
  'u',
);
const DESCRIPTION =
  /^(?:an?|the|its|with|having|whose|which|who|located|residing|of|organi[sz]ed|incorporated|and|eine?|une?|ein|een|una?|mit|ayant|con|geboren|wohnhaft|vertreten|dont|gevestigd|represented|mayor de edad|acting|hereinafter|collectively)\s?/;
const LEAD =
  /^(?:\W*(?:between|among|amongst|by|and|und|et|y|e|en|zwischen|entre|tussen|ende|of\s*the\s*one\s*part|the\s*(?:undersigned|company|employer|landlord|lessor|client|seller)|\(?[ivx1-9a-d]{1,3}\)|[1-9a-d][.)]|messrs?\.?|herrn?|frau|monsieur|madame|m\.|mme|mr\.?|mrs\.?|ms\.?|dr\.?|dña\.?|d\.|de (?:la )?(?:una|otra) parte|d['’]une part|d['’]autre part|don|doña|de heer|mevrouw|the firm|die firma|la société|der firma|der|die)(?![\p{L}])[\s:,;.]*)+/iu;

const MAX_WORDS = 9;

/** The names at the head of a stretch like "and Cisco Systems, Inc., a California corporation, with offices at …". */
export function namesIn(stretch: string): string[] {
  const names: string[] = [];
  let rest = stretch.trim();
  while (rest.length > 1) {
    const lead = LEAD.exec(rest);
    if (lead) rest = rest.slice(lead[0].length).trim();
    const end = NAME_END.exec(rest);
    const name = tidy(end ? rest.slice(0, end.index) : rest);
    const first = names.length === 0;
    if (isPartyName(name) && (first || hasLegalForm(name) || / (?:Company|Corporation|Bank|Trust)$/.test(name)))
      names.push(...splitNames(name));
    else if (!first) break;
    if (!end || end[0] === '') break;
    rest = rest.slice(end.index + end[0].length).trim();
    if (!first && DESCRIPTION.test(rest)) break;
    if (names.length > 0 && DESCRIPTION.test(rest)) break;
  }
  return names;
}

/** "Kimberly Gold Mines, Inc. Shoshone Silver Mining Company": a comma was forgotten behind the first. */
function splitNames(name: string): string[] {
  const at = /(?:Inc|Ltd|Corp|LLC|Co)\.\s+(?=\p{Lu}\p{Ll}+\s+\p{Lu})/u.exec(name);
  if (!at || at.index === 0) return [name];
  const cut = at.index + at[0].trimEnd().length;
  return [name.slice(0, cut), name.slice(cut).trim()];
}

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\b(Inc|Ltd|LLC|Corp)\.?,?\s+\1\b(?=\.|$)/g, '$1')
    .replace(/^[\s,;:.*“”"'‘’_[(-]+|[\s,;:*“”"'‘’_–[\]()-]+$/g, '')
    .replace(
      /(?<!\b(?:Inc|Ltd|Co|Corp|Jr|Sr|L\.P|L\.L\.C|N\.A|S\.A|B\.V|N\.V|P\.L\.C|S\.p\.A|\.[A-Z]|\b[A-Z]))\.$/,
      '',
    );

const NOT_A_NAME =
  /\bagreement\b|vertrag\b|vereinbarung\b|\bcontrat\b|\bcontrato\b|overeenkomst\b|^dear\b|^(?:this|that|each|any|both|either|you|us|the\s+(?:parties|party|undersigned|following|date)|parties|agreement|state|date|effective|in|on|at|it|witness|whereas|now|recitals?|article|section|exhibit|schedule|whom|dated|its)(?![\p{L}])/iu;

export function isPartyName(name: string): boolean {
  const words = name.split(' ');
  if (name.length < 3 || /^[^(]*\)/.test(name) || words.length > MAX_WORDS || NOT_A_NAME.test(name)) return false;
  if (!/^[\p{Lu}\d]|^(?:e|i|n|u|d|x)\p{Lu}|^\p{Ll}+\p{Lu}|^(?:de|van|von|la|le|el) /u.test(name)) return false;
  if (hasLegalForm(name)) return /\p{L}{2}/u.test(name);
  const capital = words.filter((word) => /^[\p{Lu}&]/u.test(word)).length;
  return (
    !/\d/.test(name) &&
    capital >= Math.min(2, words.length) &&
    capital >= words.length * 0.6 &&
    (words.length > 1 || name.length > 3)
  );
}
