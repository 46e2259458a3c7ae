/** Words that occur in postal addresses and hardly elsewhere at the head of a document, by country. */
const STREET_WORDS =
  'jalan jln jin jn lorong lrg persiaran lebuh lebuhraya taman tmn bandar kampung kg kompleks pusat bukit seksyen seksven section sek batu mukim wisma ' +
  'menara dataran desa lot unit floor level tingkat blok block plaza tower mall centre complex industrial perindustrian park street road rd ' +
  'avenue ave lane drive boulevard blvd suite highway hwy parkway terrace square court close crescent place building rue place chemin allée ' +
  'laman industries industri pinggiran psn ' +
  'straat weg steenweg dreef singel kade gracht passage quai cours impasse allee route ring ufer damm markt platz strasse straße str platz weg allee gasse calle avenida plaza via viale piazza corso laan straat plein rua travessa po box p.o';
const PLACES =
  'darul ehsan takzim khusus iman aman ridzuan naim selangor johor bahru kuala lumpur penang pulau pinang perak melaka kedah kelantan pahang terengganu sabah sarawak negeri sembilan perlis ' +
  'putrajaya wilayah persekutuan malaysia singapore petaling jaya subang shah alam klang puchong cheras kepong ampang rawang kajang ipoh ' +
  'seremban india deutschland germany france england scotland wales ireland netherlands nederland belgium australia zealand africa ' +
  'kelang setapak ampang damansara sentul gombak selayang semenyih bangi skudai masai pontian muar kluang segamat kuantan bentong temerloh ' +
  'taiping kulim butterworth miri sibu kuching sandakan tawau bintulu labuan ' +
  'johannesburg pretoria sandton durban gauteng soweto stellenbosch bloemfontein polokwane nelspruit windhoek gaborone kaapstad ' +
  'london manchester birmingham liverpool leeds glasgow edinburgh bristol cardiff belfast dublin ' +
  'paris lyon marseille toulouse bordeaux lille strasbourg nantes bruxelles brussel antwerpen ' +
  'berlin hamburg münchen munich köln frankfurt stuttgart düsseldorf leipzig dresden hannover nürnberg bremen wien zürich genève basel ' +
  'madrid barcelona valencia sevilla zaragoza málaga lisboa porto coimbra braga roma milano torino napoli bologna firenze venezia ' +
  'amsterdam rotterdam utrecht eindhoven groningen york chicago houston phoenix philadelphia dallas austin seattle denver boston ' +
  'alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas ' +
  'kentucky louisiana maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon ' +
  'pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming ontario quebec toronto vancouver montréal calgary ' +
  'sydney melbourne brisbane perth adelaide auckland wellington christchurch';

const words = (text: string): Set<string> => new Set(text.split(' '));
export const streetWords = words(STREET_WORDS);
export const placeWords = words(PLACES);
/** Short words that are repaired: names and foreign words, that no other word of an address is one letter away from. */
const SHORT_REPAIRABLE = words(
  'jalan taman bandar lorong bukit johor bahru kuala lumpur penang pahang melaka subang cheras kepong ampang puchong rawang',
);
/** Long enough to be put right after an OCR error. */
export const correctableWords = [...streetWords, ...placeWords].filter(
  (word) => word.length >= 7 || SHORT_REPAIRABLE.has(word),
);
/** Long enough to be told apart after an OCR error. */
export const repairableWords = [...streetWords, ...placeWords].filter((word) => word.length >= 5);

/** Postal codes that are told apart by their form: five digits, GB, NL, CA, US with state. */
export const POSTCODE =
  /(?<![\d-])\d{5}(?![\d-])|\b(?:[ABDFIL]|CH|NL|DE|FR|AT|BE)-\d{4,5}\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b\d{4} ?[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b|\b[A-Z]{2} \d{5}(?:-\d{4})?\b/;
