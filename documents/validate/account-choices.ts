import type { AccountLesson } from '../types.ts';
import { indexOf, likeness, scaleOf, spelling, type Weighed, wordsOf } from './line-words.ts';
import { isSameName } from './vendor.ts';

/**
 * How likely the account of an equal line is right again, by whose line it was: the vendor's own, of a vendor that is not
 * known, of another vendor.
 */
const EQUAL_LINE = { own: 0.95, unknown: 0.7, other: 0.5 } as const;
type Whose = keyof typeof EQUAL_LINE;
/** Lines that say the same with other numbers (of an order, a month, a size) are nearly equal. */
const OTHER_NUMBERS = 0.95;
/** Less alike than that, two lines have a word in common and nothing else. */
const LEAST_LIKE = 0.4;
/** The chance falls faster than the likeness, and a less likely line has little to say beside the likest. */
const FALL = 1.5;
const SHARPNESS = 6;
/** Different lines of a vendor that have to go to one account before the next goes there for the vendor's sake alone. */
const HABIT_LINES = 3;
const HABIT = 0.8;

interface Choice {
  account: string;
  spelling: string;
  words: Weighed;
  whose: Whose;
}

/** What people chose for lines before, as seen from a document of one vendor. */
export class AccountChoices {
  readonly #choices: Choice[];
  readonly #byWord: Map<string, number[]>;
  readonly #bySpelling: Map<string, number[]>;
  readonly #weigh: (words: string[]) => Weighed;
  /** Chance of each account for any line of the vendor. */
  readonly habit: Map<string, number>;

  /** @param lessons newest first */
  constructor(lessons: AccountLesson[], vendor: string) {
    const words = lessons.map(({ description }) => wordsOf(description));
    this.#weigh = scaleOf(words);
    const whose = new Map<string, Whose>();
    this.#choices = lessons.map(({ gl_code, description, vendor: of }, index) => {
      const name = of ?? '';
      if (!whose.has(name)) whose.set(name, whoseLine(vendor, name));
      return {
        account: gl_code,
        spelling: spelling(description),
        words: this.#weigh(words[index]!),
        whose: whose.get(name)!,
      };
    });
    this.#byWord = indexOf(words);
    this.#bySpelling = indexOf(this.#choices.map((choice) => [choice.spelling]));
    this.habit = habitOf(this.#choices.filter((choice) => choice.whose === 'own'));
  }

  /**
   * Chance of each account by what was chosen for lines like this one. Of choices that contradict each other the likest
   * line's counts, among those as like the newest, and the others take from its chance.
   */
  evidenceFor(description: string, words: string[]): Map<string, number> {
    const own = spelling(description);
    const line = this.#weigh(words);
    const numbers = new Set([
      ...(own === '' ? [] : (this.#bySpelling.get(own) ?? [])),
      ...words.flatMap((word) => this.#byWord.get(word) ?? []),
    ]);
    const alike = [...numbers]
      .sort((a, b) => a - b)
      .map((number) => this.#choices[number]!)
      .map((choice) => ({ account: choice.account, chance: chanceOf(choice, own, line) }))
      .filter(({ chance }) => chance > 0)
      .sort((a, b) => b.chance - a.chance);
    const most = alike[0]?.chance ?? 0;
    const votes = alike.map(({ account, chance }, rank) => ({
      account,
      weight: (chance / most) ** SHARPNESS * 0.5 ** rank,
    }));
    return shared(most, votes);
  }
}

function whoseLine(vendor: string, other: string): Whose {
  if (vendor === '' || other === '') return 'unknown';
  return isSameName(vendor, other) ? 'own' : 'other';
}

function chanceOf(choice: Choice, own: string, line: Weighed): number {
  const alike = choice.spelling === own ? 1 : OTHER_NUMBERS * likeness(line, choice.words);
  return alike < LEAST_LIKE ? 0 : EQUAL_LINE[choice.whose] * alike ** FALL;
}

/** Of each line only its newest choice counts: one that comes every month is one line. */
function habitOf(choices: Choice[]): Map<string, number> {
  const lines = new Map<string, string>();
  for (const { words, account } of choices) {
    const key = [...words.weights.keys()].sort().join(' ');
    if (!lines.has(key)) lines.set(key, account);
  }
  if (lines.size < HABIT_LINES) return new Map();
  const most = (HABIT * lines.size) / (lines.size + 2);
  return shared(
    most,
    [...lines.values()].map((account) => ({ account, weight: 1 })),
  );
}

/** Deals a chance out to accounts by their votes. */
function shared(chance: number, votes: { account: string; weight: number }[]): Map<string, number> {
  const all = votes.reduce((sum, { weight }) => sum + weight, 0);
  const chances = new Map<string, number>();
  for (const { account, weight } of votes) {
    chances.set(account, (chances.get(account) ?? 0) + (chance * weight) / all);
  }
  return chances;
}
