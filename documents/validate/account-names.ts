import type { LedgerAccount } from '../types.ts';
import { type ExpenseKind, expenseKinds } from './expense-words.ts';
import { indexOf, likeness, scaleOf, type Weighed, wordsOf } from './line-words.ts';

/** How likely an account is right when one of its keywords stands in the line, the line is its name, or both are of one kind. */
const KEYWORD = 0.7;
const NAME = 0.65;
const KIND = 0.5;
/** Words alone, without anybody's decision, are never surer than that. */
const MOST = 0.8;
/** A name that shares a word in passing says nothing. */
const LEAST_LIKE = 0.3;

/** What the names and keywords of a chart of accounts, and the kinds of expense they stand for, say of a line. */
export class AccountNames {
  readonly #names: Weighed[];
  readonly #byName: Map<string, number[]>;
  /** Keywords by their first word. */
  readonly #keywords = new Map<string, { account: number; words: string[] }[]>();
  readonly #byKind: Map<string, number[]>;
  readonly #weigh: (words: string[]) => Weighed;

  constructor(accounts: LedgerAccount[]) {
    const names = accounts.map(({ gl_name }) => wordsOf(gl_name));
    this.#weigh = scaleOf(names);
    this.#names = names.map(this.#weigh);
    this.#byName = indexOf(names);
    for (const [account, { keywords = [] }] of accounts.entries()) {
      for (const words of keywords.map(wordsOf)) {
        const [first] = words;
        if (first !== undefined) this.#keywords.set(first, [...(this.#keywords.get(first) ?? []), { account, words }]);
      }
    }
    const kinds = accounts.map(({ gl_name, keywords = [] }) =>
      kindsOf(wordsOf([gl_name, ...keywords].join(' ')), ({ accounts: own, lines }) => `${own} ${lines}`).keys(),
    );
    this.#byKind = indexOf(kinds);
  }

  /** Chance of each account that anything speaks for, by its place in the chart, 0 to 0.8. */
  evidenceFor(words: string[]): Map<number, number> {
    const doubt = new Map<number, number>();
    const speaksFor = (account: number, chance: number): void => {
      doubt.set(account, (doubt.get(account) ?? 1) * (1 - chance));
    };
    for (const account of this.#withKeywordIn(words)) speaksFor(account, KEYWORD);
    const line = this.#weigh(words);
    for (const account of new Set(words.flatMap((word) => this.#byName.get(word) ?? []))) {
      const like = likeness(line, this.#names[account]!);
      if (like >= LEAST_LIKE) speaksFor(account, NAME * like);
    }
    for (const [account, share] of this.#sameKind(words)) speaksFor(account, KIND * share);
    return new Map([...doubt].map(([account, left]) => [account, Math.min(MOST, 1 - left)]));
  }

  #withKeywordIn(words: string[]): Set<number> {
    const own = new Set(words);
    const found = words.flatMap((word) => this.#keywords.get(word) ?? []);
    return new Set(
      found.filter((keyword) => keyword.words.every((part) => own.has(part))).map(({ account }) => account),
    );
  }

  /** Accounts of the kinds of expense that the line names, with the share of its words of expense that are of that kind. */
  #sameKind(words: string[]): Map<number, number> {
    const kinds = kindsOf(words, ({ lines }) => lines);
    const all = [...kinds.values()].reduce((sum, hits) => sum + hits, 0);
    const shares = new Map<number, number>();
    for (const [kind, hits] of kinds) {
      for (const account of this.#byKind.get(kind) ?? []) {
        shares.set(account, Math.max(shares.get(account) ?? 0, hits / all));
      }
    }
    return shares;
  }
}

const TERMS = new Map<string, string[][]>();

/** Beginnings of words, by the list that they stand in; the parts of a term all have to be there. */
function termsOf(list: string): string[][] {
  const known = TERMS.get(list) ?? list.split(' ').map((term) => term.split('-'));
  TERMS.set(list, known);
  return known;
}

/** Kinds of expense that a text names, and how many of the vocabulary's word beginnings it has. */
function kindsOf(words: string[], vocabulary: (kind: ExpenseKind) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (const kind of expenseKinds) {
    const hits = termsOf(vocabulary(kind)).filter((parts) =>
      parts.every((part) => words.some((word) => word.startsWith(part))),
    ).length;
    if (hits > 0) found.set(kind.name, hits);
  }
  return found;
}
