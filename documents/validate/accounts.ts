import type { AccountLesson, AccountSuggestion, Extraction, LedgerAccount } from '../types.ts';
import { AccountChoices } from './account-choices.ts';
import { AccountNames } from './account-names.ts';
import { wordsOf } from './line-words.ts';

/** A guess that is likelier wrong than this helps nobody. */
const MIN_CONFIDENCE = 0.35;
/** Of several accounts that a line's words speak for, the one that they speak for most has most of the chance. */
const SHARPNESS = 3;

/**
 * Suggests an account for each line that there is something to go by, with the chance that it is right. What people chose
 * for lines like it comes first; what that leaves open goes to the chart's own words, and the rest to what all lines of the
 * vendor had in common (a back-off, as language models have it), so that the chances of all accounts sum to at most 1.
 * What nobody chose for anything alike is never copied from another line.
 * @param lessons newest first
 */
export function suggestAccounts(
  { fields, line_items: lines }: Extraction,
  accounts: LedgerAccount[],
  lessons: AccountLesson[],
): AccountSuggestion[] {
  if (accounts.length === 0) return [];
  const vendor = fields['vendor_name']?.value ?? fields['merchant_name']?.value;
  const codes = new Set(accounts.map(({ gl_code }) => gl_code));
  const known = lessons.filter(({ gl_code }) => codes.has(gl_code));
  const choices = new AccountChoices(known, typeof vendor === 'string' ? vendor : '');
  const names = new AccountNames(accounts);
  const seen = new Map<string, { account: LedgerAccount; confidence: number } | undefined>();
  return lines.flatMap(({ description: { value } }, index) => {
    if (typeof value !== 'string') return [];
    if (!seen.has(value)) seen.set(value, likeliest(value, accounts, choices, names));
    const found = seen.get(value);
    if (found === undefined) return [];
    const { gl_code, gl_name } = found.account;
    return [{ line: index + 1, gl_code, gl_name, confidence: found.confidence }];
  });
}

function likeliest(
  description: string,
  accounts: LedgerAccount[],
  choices: AccountChoices,
  names: AccountNames,
): { account: LedgerAccount; confidence: number } | undefined {
  const words = wordsOf(description);
  const chosen = choices.evidenceFor(description, words);
  const named = dealtOut(names.evidenceFor(words));
  const habit = words.length === 0 ? new Map<string, number>() : choices.habit;
  const open = 1 - sumOf(chosen);
  const leftOpen = open * (1 - sumOf(named));
  const chances = accounts.map((account, place) => ({
    account,
    chance:
      (chosen.get(account.gl_code) ?? 0) +
      open * (named.get(place) ?? 0) +
      leftOpen * (habit.get(account.gl_code) ?? 0),
  }));
  const best = chances.reduce((a, b) => (b.chance > a.chance ? b : a));
  if (best.chance < MIN_CONFIDENCE) return undefined;
  return { account: best.account, confidence: Math.round(1_000 * Math.min(0.99, best.chance)) / 1_000 };
}

const sumOf = (chances: Map<unknown, number>): number => [...chances.values()].reduce((sum, chance) => sum + chance, 0);

/** The best account's evidence, dealt out among all that have some. */
function dealtOut(evidence: Map<number, number>): Map<number, number> {
  const most = Math.max(0, ...evidence.values());
  const all = [...evidence.values()].reduce((sum, chance) => sum + chance ** SHARPNESS, 0);
  return new Map([...evidence].map(([place, chance]) => [place, (most * chance ** SHARPNESS) / all]));
}
