/** States, provinces and countries whose law contracts are put under, as English texts name them. */
const US_STATES =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|District of Columbia|Puerto Rico';
const REGIONS =
  'Ontario|Quebec|British Columbia|Alberta|Manitoba|Saskatchewan|Nova Scotia|New Brunswick|Newfoundland and Labrador|New South Wales|Victoria|Queensland|Western Australia|South Australia|Tasmania|England and Wales|England & Wales|England|Scotland|Northern Ireland|Wales|Hong Kong|Cayman Islands|British Virgin Islands|Bermuda|Jersey|Guernsey|Isle of Man|Dubai';
const COUNTRIES =
  'South Africa|Namibia|Botswana|Zimbabwe|Zambia|Kenya|Nigeria|Ghana|Tanzania|Uganda|Rwanda|Mauritius|Mozambique|Angola|Egypt|Morocco|Ireland|Germany|France|Spain|Italy|Portugal|Netherlands|Belgium|Luxembourg|Austria|Switzerland|Denmark|Sweden|Norway|Finland|Iceland|Poland|Czech Republic|Hungary|Romania|Greece|Cyprus|Malta|Turkey|Israel|India|Pakistan|Bangladesh|Sri Lanka|China|Japan|Korea|Taiwan|Singapore|Malaysia|Indonesia|Thailand|Vietnam|Philippines|Australia|New Zealand|Canada|Mexico|Brazil|Argentina|Chile|Colombia|Peru|Panama|United Arab Emirates|Saudi Arabia|Qatar|Russia|Ukraine|United Kingdom|United States';

/** Names and adjectives of other languages, and English adjectives, with the jurisdiction that they mean. */
const OTHER_NAMES: [string, string][] = [
  ['Bundesrepublik Deutschland|Deutschland|deutsche[mns]?|German', 'Germany'],
  ['Österreichs?|österreichische[mns]?|Austrian', 'Austria'],
  ['Schweiz|schweizerische[mns]?|Suisse|suisse|Swiss', 'Switzerland'],
  ['français(?:e|es)?|République française|French', 'France'],
  ['belges?|Belgique|België|Belgisch(?:e)?|Belgian', 'Belgium'],
  ['luxembourgeois(?:e)?', 'Luxembourg'],
  ['España|española?s?|Reino de España|Spanish', 'Spain'],
  ['México|mexicanas?', 'Mexico'],
  ['Nederlands(?:e)?|Nederland|Dutch', 'Netherlands'],
  ['Italia|italiana?|Italian', 'Italy'],
  ['portuguesa?|Portuguese', 'Portugal'],
  ['English', 'England and Wales'],
  ['Scots|Scottish', 'Scotland'],
  ['Irish', 'Ireland'],
  ['South African', 'South Africa'],
  ['Singaporean', 'Singapore'],
  ['Swedish', 'Sweden'],
  ['Danish', 'Denmark'],
];

const canonical = [...US_STATES.split('|'), ...REGIONS.split('|'), ...COUNTRIES.split('|')];
/** Longest first: West Virginia before Virginia. Spaces may be lost in reading. */
const entries: [RegExp, string][] = [
  ...canonical.map((name): [string, string] => [name.replaceAll(' ', String.raw`\s*`), name.replace('&', 'and')]),
  ...OTHER_NAMES,
]
  .sort((a, b) => b[0].length - a[0].length)
  .map(([source, name]) => [new RegExp(`(?<![a-z])(?:${source})`, /^[a-zö]/.test(source) ? 'iu' : 'u'), name]);

export interface Jurisdiction {
  name: string;
  index: number;
  length: number;
}

/** The first jurisdiction named in a text; a state is preferred to the country that it is named with. */
export function jurisdictionIn(text: string): Jurisdiction | undefined {
  let best: Jurisdiction | undefined;
  for (const [pattern, name] of entries) {
    const match = pattern.exec(text);
    if (!match) continue;
    const found = { name, index: match.index, length: match[0].length };
    if (!best || rank(found) < rank(best)) best = found;
  }
  return best;
}

/** "the United States of America, State of California" means California. */
const rank = (found: Jurisdiction): number => found.index + (found.name === 'United States' ? 60 : 0);
