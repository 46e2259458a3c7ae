import type { AccountLesson, AccountSuggestion, Extraction, LedgerAccount } from '../types.ts';
import { expenseKinds } from './expense-words.ts';

/** Weights of what speaks for an account. Once the client has chosen, that counts for more than any general word. */
const LESSON = 3;
const KEYWORD = 1.5;
const NAME_WORD = 1;
const KIND = 1;
/** A vendor's lines mostly go to one account, but the line itself says more. */
const VENDOR = 0.4;
/** How much evidence it takes to be half sure. */
const HALF_SURE = 0.6;
const MIN_CONFIDENCE = 0.2;

type Vector = Map<string, number>;

/**
 * Suggests an account for each line. The words of the line are weighted by how rare they are among the client's accounts
 * and lessons (TF-IDF) and compared with three sources: what people chose for likely lines before, the accounts' own names
 * and keywords, and a built-in vocabulary of kinds of expense in several languages. Lines that nothing speaks for get no
 * suggestion.
 */
export function suggestAccounts(
  { fields, line_items }: Extraction,
  accounts: LedgerAccount[],
  lessons: AccountLesson[],
): AccountSuggestion[] {
  if (accounts.length === 0) return [];
  const vendorValue = fields['vendor_name']?.value ?? fields['merchant_name']?.value;
  const vendor = typeof vendorValue === 'string' ? wordsOf(vendorValue) : [];
  const known = lessons.map((lesson) => ({
    lesson,
    words: wordsOf(lesson.description),
    vendor: wordsOf(lesson.vendor ?? ''),
  }));
  const rarity = rarityOf([...accounts.map(accountWords), ...known.map(({ words }) => words)]);
  return line_items.flatMap((item, line) => {
    const words = wordsOf(typeof item.description.value === 'string' ? item.description.value : '');
    const kinds = kindsOf(words, ({ lines }) => lines);
    const scored = accounts.map((account) => {
      const taught = known.filter(({ lesson }) => lesson.gl_code === account.gl_code);
      const byLesson = Math.max(0, ...taught.map((one) => cosine(words, one.words, rarity)));
      const byVendor = Math.max(0, ...taught.map((one) => cosine(vendor, one.vendor, rarity)));
      const score =
        LESSON * byLesson +
        VENDOR * byVendor +
        NAME_WORD * cosine(words, wordsOf(account.gl_name), rarity) +
        KEYWORD * keywordShare(words, account) +
        KIND * kindShare(kinds, account);
      return { account, score };
    });
    return suggestion(line, scored);
  });
}

function suggestion(line: number, scored: { account: LedgerAccount; score: number }[]): AccountSuggestion[] {
  const [best, next] = [...scored].sort((a, b) => b.score - a.score);
  if (!best || best.score <= 0) return [];
  // Much evidence, and little for another account.
  const share = best.score / (best.score + (next?.score ?? 0));
  const confidence = Math.round((1000 * share * best.score) / (best.score + HALF_SURE)) / 1000;
  if (confidence < MIN_CONFIDENCE) return [];
  return [
    {
      line: line + 1,
      gl_code: best.account.gl_code,
      gl_name: best.account.gl_name,
      confidence: Math.min(0.99, confidence),
    },
  ];
}

/** Words of three letters and more, without accents; a plural's s is dropped. */
function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  return words.map((word) => (word.length > 4 ? word.replace(/(?<!s)s$/, '') : word));
}

const accountWords = ({ gl_name, keywords = [] }: LedgerAccount): string[] => wordsOf([gl_name, ...keywords].join(' '));

/** Inverse document frequency, smoothed; words that were never seen are the rarest. */
function rarityOf(texts: string[][]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + (texts.length + 1) / ((counts.get(word) ?? 0) + 1));
}

function cosine(a: string[], b: string[], rarity: (word: string) => number): number {
  const vector = (words: string[]): Vector => new Map([...new Set(words)].map((word) => [word, rarity(word)]));
  const one = vector(a);
  const other = vector(b);
  let dot = 0;
  for (const [word, weight] of one) dot += weight * (other.get(word) ?? 0);
  const length = (of: Vector): number => Math.sqrt([...of.values()].reduce((sum, weight) => sum + weight * weight, 0));
  return dot === 0 ? 0 : dot / (length(one) * length(other));
}

/** 1 where one of the account's keywords is wholly in the line. */
function keywordShare(words: string[], { keywords = [] }: LedgerAccount): number {
  return keywords.some((keyword) => {
    const parts = wordsOf(keyword);
    return parts.length > 0 && parts.every((part) => words.includes(part));
  })
    ? 1
    : 0;
}

/** Kinds of expense that a text names: how many of the vocabulary's word beginnings it has. */
function kindsOf(words: string[], vocabulary: (kind: (typeof expenseKinds)[number]) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (const kind of expenseKinds) {
    const hits = vocabulary(kind)
      .split(' ')
      .filter((term) => term.split('-').every((part) => words.some((word) => word.startsWith(part)))).length;
    if (hits > 0) found.set(kind.name, hits);
  }
  return found;
}

function kindShare(ofLine: Map<string, number>, account: LedgerAccount): number {
  const ofAccount = kindsOf(accountWords(account), ({ accounts, lines }) => `${accounts} ${lines}`);
  let share = 0;
  for (const [name, hits] of ofLine) {
    const all = [...ofLine.values()].reduce((sum, count) => sum + count, 0);
    if (ofAccount.has(name)) share = Math.max(share, hits / all);
  }
  return share;
}
