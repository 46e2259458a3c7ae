import type { ExtractionField } from '../../types.ts';
import { fieldOf } from '../field.ts';
import { type Jurisdiction, jurisdictionIn } from './jurisdictions.ts';
import type { Prose } from '../prose.ts';

/** How the clause says it, in English, German, French, Spanish, Dutch, Italian; the surest first. Spaces may be lost. */
const CLAUSES: [RegExp, number][] = [
  [
    /laws?\s*of\s*(?:the\s*)?(?:united states of america,?\s*)?(?:state|commonwealth|province|republic|kingdom|federal republic)\s*of/giu,
    0.95,
  ],
  [/(?:govern(?:ed|ing)|constru(?:ed|ction)|interpreted|accordance|subject)\b.{0,120}?\blaws?\s*of\b/giu, 0.92],
  [/(?:governed|construed)\s*(?:by|under)|\bgoverning\s*law\b|\bapplicable\s*law\b|\bchoice\s*of\s*law\b/giu, 0.8],
  [
    /\b(?:gilt|unterliegt|anwendung|anzuwenden(?:des)?|anwendbares|maßgeblich)\b.{0,60}?(?=deutsch|österr|schweiz|recht)/giu,
    0.9,
  ],
  [/\brecht\s*der\b|\banwendbares recht\b/giu, 0.85],
  [/\b(?:régi|soumis|droit applicable|loi applicable)\w*\b.{0,60}?\b(?:droit|lois?)\b/giu, 0.88],
  [/\b(?:regirá|rige|regido|sujeto|sometid[oa]|ley aplicable|legislación)\b/giu, 0.85],
  [/\btoepasselijk(?:\s*recht)?\b|\bbeheerst door\b/giu, 0.85],
  [/\b(?:is|wordt)\s+(?:uitsluitend\s+)?(?=(?:het\s+)?\p{L}+\s+recht\s+van\s+toepassing)/giu, 0.88],
  [/\blegge\s*applicabile\b|\bregolat[oa]\s*dall/giu, 0.85],
];
const REACH = 90;
/** Laws that a clause cites but doesn't put the contract under. */
const OTHER_LAW =
  /securities|tax|insider|antitrust|gaming|privilege|precludes|corporation\s*(?:organi[sz]ed|incorporated)|organi[sz]ed|incorporated|existing\s*under/i;

/** The state or country whose law governs the contract, by its English name. */
export function governingLaw(prose: Prose): ExtractionField | undefined {
  let best: { found: Jurisdiction; at: number; certainty: number } | undefined;
  for (const [clause, certainty] of CLAUSES) {
    for (const match of prose.text.matchAll(clause)) {
      const from = match.index + match[0].length;
      const found = jurisdictionIn(prose.text.slice(from, from + REACH)) ?? adjectiveBefore(match[0]);
      if (!found) continue;
      const context = prose.text.slice(Math.max(0, match.index - 120), from);
      const sure =
        certainty * distanceFactor(found.index) * (OTHER_LAW.test(context.slice(-80)) ? 0.6 : 1) * bonus(context);
      if (!best || sure > best.certainty) best = { found, at: from, certainty: Math.min(0.97, sure) };
    }
  }
  if (!best) return undefined;
  const { words, page } = prose.wordsAt(best.at + best.found.index, best.found.length);
  return fieldOf(best.found.name, words, page, best.certainty);
}

const distanceFactor = (distance: number): number => (distance < 25 ? 1 : 0.85);

const bonus = (context: string): number => (/govern|constru|interpret|droit|recht|ley|legge/i.test(context) ? 1 : 0.7);

/** "unterliegt deutschem Recht": the jurisdiction is a part of the clause's own words. */
function adjectiveBefore(text: string): Jurisdiction | undefined {
  const found = jurisdictionIn(text);
  return found ? { ...found, index: found.index - text.length } : undefined;
}
