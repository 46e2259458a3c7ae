import { misreading } from './misreading.ts';
import { correctableWords, streetWords, placeWords } from './address-words.ts';

/** Names of several words: so long that two wrong letters leave no doubt. */
const PHRASES = (
  'kuala lumpur,petaling jaya,shah alam,johor bahru,subang jaya,negeri sembilan,pulau pinang,darul ehsan,darul takzim,kota kinabalu,kota bharu,' +
  'kuala terengganu,alor setar,george town,seri kembangan,wilayah persekutuan,bandar baru,' +
  'new york,los angeles,san francisco,san diego,san antonio,las vegas,north carolina,south carolina,new jersey,new mexico,new hampshire,' +
  'west virginia,rhode island,north dakota,south dakota,cape town,port elizabeth,east london,western cape,eastern cape,northern cape,' +
  'kwazulu-natal,free state,south africa,new zealand,united kingdom,united states,frankfurt am main,den haag,buenos aires,hong kong,' +
  'shopping centre,shopping center,shopping mall,ground floor,first floor,industrial park,business park,kawasan perindustrian'
).split(',');

const KNOWN = new Set(PHRASES.map((phrase) => phrase.replace(/[^a-z]/g, '')));

/** Puts right what the reader got wrong in an address: digits inside words, and words that addresses are made of. */
export function repairAddress(text: string): string {
  return repairPhrases(repairDigits(text)).replace(/\p{L}{5,}/gu, repairWord);
}

/** "SHOPP1NG", "N0.15", "4750O", "l18B", "Wisma ll": a letter for a digit or a digit for a letter. */
function repairDigits(text: string): string {
  return text
    .replace(/(?<=\p{Lu}{2})1(?=\p{Lu})/gu, 'I')
    .replace(/(?<=\p{Ll}{2})1(?=\p{Ll})/gu, 'l')
    .replace(/(?<=\p{Lu}{2})0(?=\p{Lu})/gu, 'O')
    .replace(/(?<=\p{Ll}{2})0(?=\p{Ll})/gu, 'o')
    .replace(/\bN0(?=[.:\s]\s?\d)/g, 'NO')
    .replace(/\bNO(?=[.:]\s?[OQ]\d)/g, 'NO')
    .replace(/(?<!\S)(\d{3,4})[OQ](?=[\s,]|$)/g, '$10')
    .replace(/(?<!\S)[OQ](\d{4})(?=[\s,]|$)/g, '0$1')
    .replace(/(?<=[/\s])l(?=\d{1,3}[A-Z]?\b)/g, '1')
    .replace(/\bll\b/g, 'II')
    .replace(/\bJ[Il1i]?n\b/g, 'Jln')
    .replace(/\bJIN(?=\.?\s+\p{L})/gu, 'JLN');
}

function repairPhrases(text: string): string {
  let repaired = text;
  for (const phrase of PHRASES) {
    const letters = phrase.replace(/[^a-z]/g, '');
    const limit = letters.length >= 11 ? 2 : letters.length >= 9 ? 1 : 0;
    for (const { found, index } of runs(repaired, phrase.split(/[ -]/).length)) {
      const flat = found.toLowerCase().replace(/[ -]/g, '');
      if (KNOWN.has(flat) || Math.abs(flat.length - letters.length) > limit) continue;
      if (misreading(flat, letters, limit) > limit) continue;
      repaired = repaired.slice(0, index) + cased(phrase, found) + repaired.slice(index + found.length);
      break;
    }
  }
  return repaired;
}

/** Every word of a text, and every run of so many words with nothing but a space or a hyphen between them. */
function runs(text: string, count: number): { found: string; index: number }[] {
  const words = [...text.matchAll(/[\p{L}\d|!]+/gu)];
  return words.flatMap((word, i) =>
    [words[i], words[i + count - 1]].flatMap((last) => {
      if (last === undefined) return [];
      const found = text.slice(word.index, last.index + last[0].length);
      return /^[\p{L}\d|!]+(?:[ -][\p{L}\d|!]+)*$/u.test(found) ? [{ found, index: word.index }] : [];
    }),
  );
}

const vocabulary = correctableWords.map((word) => word.normalize('NFC'));

function repairWord(word: string): string {
  const lower = word.toLowerCase();
  if (streetWords.has(lower) || placeWords.has(lower)) return word;
  const limit = word.length >= 8 ? 1 : 0.5;
  let best: string | undefined;
  let lowest = limit + 0.01;
  for (const candidate of vocabulary) {
    if (Math.abs(candidate.length - word.length) > 1) continue;
    const cost = misreading(lower, candidate, lowest);
    if (cost < lowest) {
      lowest = cost;
      best = candidate;
    }
  }
  return best === undefined ? word : cased(best, word);
}

const cased = (text: string, like: string): string => {
  if (like === like.toUpperCase()) return text.toUpperCase();
  return /^\p{Lu}/u.test(like) ? text.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()) : text;
};
