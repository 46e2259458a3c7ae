import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { type DateCandidate, findDateCandidates } from '../date-field.ts';
import { fieldOf } from '../field.ts';

const DATE_LABEL = /\bdat[ea]|\bdt\b|datum|fecha|\bdata\b|tarikh|\bday\b/;
const OTHER_DATE =
  /due|expir|valid|exp\b|birth|member|since|print|deliver|check.?in|check.?out|best before|warranty|effective|until|approved|permit|register/;

/** The day of the purchase: a labelled date, else the one with a time beside it, else the first on the page. */
export function receiptDate(context: ExtractContext): ExtractionField | undefined {
  const candidates = findDateCandidates(context);
  const scored = candidates
    .map((candidate, position) => ({ candidate, score: scoreOf(candidate, position, candidates) }))
    .sort((a, b) => b.score - a.score);
  const best = preferWritten(scored);
  if (!best) return undefined;
  const rival = scored.find((other) => other.candidate.iso !== best.candidate.iso);
  const lead = rival ? Math.min(1, Math.max(0, best.score - rival.score) / 2) : 1;
  const order = best.candidate.ambiguous && !context.dateOrderSure ? 0.95 : 1;
  return fieldOf(best.candidate.iso, best.candidate.words, best.candidate.line.page, (0.8 + 0.19 * lead) * order);
}

interface Scored {
  candidate: DateCandidate;
  score: number;
}

/** Two dates that differ in the year only are one date, misread once: the one whose month is written out is surer. */
function preferWritten(scored: Scored[]): Scored | undefined {
  const best = scored[0];
  if (!best) return undefined;
  const twins = scored.filter(({ candidate }) => candidate.iso.slice(4) === best.candidate.iso.slice(4));
  return twins.find(({ candidate }) => /\p{L}{3}/u.test(candidate.words.map((word) => word.text).join(''))) ?? best;
}

function scoreOf(candidate: DateCandidate, position: number, all: DateCandidate[]): number {
  let score = -0.15 * Math.min(position, 5);
  if (DATE_LABEL.test(candidate.label)) score += 2;
  if (candidate.withTime) score += 1.2;
  if (OTHER_DATE.test(candidate.label)) score -= 2.5;
  score += 0.7 * Math.min(2, all.filter((other) => other.iso === candidate.iso).length - 1);
  const year = Number(candidate.iso.slice(0, 4));
  // Receipts are of this century, and not from the future.
  if (year < 2000 || year > new Date().getUTCFullYear() + 1) score -= 3;
  return score;
}
