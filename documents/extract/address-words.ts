/** Words that occur in postal addresses and hardly elsewhere at the head of a document, by country. */
const STREET_WORDS =
  'jalan jln jin lorong lrg persiaran lebuh lebuhraya taman tmn bandar kampung kg kompleks pusat bukit seksyen seksven section sek batu mukim wisma ' +
  'menara dataran desa lot unit floor level tingkat blok block plaza tower mall centre complex industrial perindustrian park street road rd ' +
  'avenue ave lane drive boulevard blvd suite highway hwy parkway terrace square court close crescent place building rue place chemin allée ' +
  'strasse straße str platz weg allee gasse calle avenida plaza via viale piazza corso laan straat plein rua travessa po box p.o';
const PLACES =
  'darul ehsan takzim khusus iman aman ridzuan naim selangor johor bahru kuala lumpur penang pulau pinang perak melaka kedah kelantan pahang terengganu sabah sarawak negeri sembilan perlis ' +
  'putrajaya wilayah persekutuan malaysia singapore petaling jaya subang shah alam klang puchong cheras kepong ampang rawang kajang ipoh ' +
  'seremban india deutschland germany france england scotland wales ireland netherlands nederland belgium australia zealand africa ' +
  'johannesburg pretoria sandton durban london paris berlin york california texas florida washington';

const words = (text: string): Set<string> => new Set(text.split(' '));
export const streetWords = words(STREET_WORDS);
export const placeWords = words(PLACES);
/** Long enough to be told apart after an OCR error. */
export const repairableWords = [...streetWords, ...placeWords].filter((word) => word.length >= 5);

/** Postal codes that are told apart by their form: five digits, GB, NL, CA, US with state. */
export const POSTCODE =
  /(?<![\d-])\d{5}(?![\d-])|\b(?:[ABDFIL]|CH|NL|DE|FR|AT|BE)-\d{4,5}\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b\d{4} ?[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b|\b[A-Z]{2} \d{5}(?:-\d{4})?\b/;
