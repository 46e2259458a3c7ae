import { ApiError } from '../contracts/errors.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import type { Correction } from './corrections.rules.ts';
import { learnAccount, listAccounts } from './ledger-accounts.service.ts';
import type { ResultDocument } from './result-documents.rules.ts';

/** Fields of a document that tell of all its lines whose they are. */
const VENDOR_FIELDS = ['vendor_name', 'merchant_name'];
const MAX_WORDS = 500;

interface Place {
  requestId: string;
  document: number;
  environment: string;
}

/**
 * Remembers the accounts that were chosen for lines, and puts them among the suggestions. Where description or vendor of a
 * line were corrected, what was chosen for it before is remembered of those.
 */
export async function withAccounts(
  tx: TenantTransaction,
  document: ResultDocument,
  place: Place,
  corrections: readonly Correction[],
): Promise<ResultDocument> {
  for (const line of reworded(document, corrections)) {
    const code = document.line_items?.[line]?.['gl_code']?.value;
    if (typeof code === 'string') {
      learnAccount(tx, { ...place, line }, { gl_code: code, ...lineWords(document, line) });
    }
  }
  const choices = corrections.filter(({ field, line }) => line !== undefined && field === 'gl_code');
  if (choices.length === 0) return document;
  const { accounts } = await listAccounts(tx);
  const suggestions = new Map((document.validation?.gl_code_suggestions ?? []).map((one) => [one.line, one]));
  for (const { path, line = 0, value } of choices) {
    suggestions.delete(line + 1);
    if (value === null) {
      learnAccount(tx, { ...place, line }, null);
      continue;
    }
    const account = accounts.find(({ gl_code, is_active }) => gl_code === value && is_active);
    if (account === undefined) {
      throw ApiError.invalid(
        `corrections.${path}`,
        'is no active account of the chart; GET /api/v1/vision/ledger-accounts lists them',
      );
    }
    const { gl_code, gl_name } = account;
    learnAccount(tx, { ...place, line }, { gl_code, ...lineWords(document, line) });
    suggestions.set(line + 1, { line: line + 1, gl_code, gl_name, confidence: 1 });
  }
  const sorted = [...suggestions.values()].sort((a, b) => a.line - b.line);
  return { ...document, validation: { ...document.validation, gl_code_suggestions: sorted } };
}

/** Lines, counted from 0, whose account was chosen before and whose words these corrections change. */
function reworded({ line_items: lines = [] }: ResultDocument, corrections: readonly Correction[]): number[] {
  const isOfAll = corrections.some(({ field, line }) => line === undefined && VENDOR_FIELDS.includes(field));
  const changed = new Set(corrections.flatMap(({ field, line }) => (field === 'description' ? [line] : [])));
  const chosenNow = new Set(corrections.flatMap(({ field, line }) => (field === 'gl_code' ? [line] : [])));
  return lines.flatMap((row, line) => {
    const concerned = isOfAll || changed.has(line);
    return concerned && !chosenNow.has(line) && row['gl_code']?.corrected === true ? [line] : [];
  });
}

/** What of a line tells which account the next one like it goes to. */
function lineWords(
  { fields, line_items: lines = [] }: ResultDocument,
  line: number,
): { description: string; vendor: string | null } {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' ? value.slice(0, MAX_WORDS).toWellFormed() : undefined;
  const [vendor] = VENDOR_FIELDS.flatMap((name) => text(fields[name]?.value) ?? []);
  return { description: text(lines[line]?.['description']?.value) ?? '', vendor: vendor ?? null };
}
