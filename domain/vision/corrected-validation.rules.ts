import type { ValidationData } from '../contracts/vision.ts';
import type { ResultDocument } from './result-documents.rules.ts';

type AccountSuggestions = NonNullable<ValidationData['gl_code_suggestions']>;

/**
 * What of a validation still holds when a document was corrected: the accounts. Its checks looked at other values, and are
 * left out until they are made again.
 */
export function stillValid({ validation }: ResultDocument): ValidationData {
  const suggestions = validation?.gl_code_suggestions;
  return suggestions === undefined ? {} : { gl_code_suggestions: suggestions };
}

/** A validation that was made again, with the accounts that people chose in place of what is suggested for those lines. */
export function withChosenAccounts(document: ResultDocument, made: ValidationData): ValidationData {
  const chosen = new Set(
    (document.line_items ?? []).flatMap((row, line) => (row['gl_code']?.corrected === true ? [line + 1] : [])),
  );
  if (chosen.size === 0) return made;
  const keep = (of: ValidationData | undefined, isChosen: boolean): AccountSuggestions =>
    (of?.gl_code_suggestions ?? []).filter(({ line }) => chosen.has(line) === isChosen);
  const suggestions = [...keep(document.validation, true), ...keep(made, false)].sort((a, b) => a.line - b.line);
  return { ...made, gl_code_suggestions: suggestions };
}
