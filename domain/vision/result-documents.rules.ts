import { ApiError } from '../contracts/errors.ts';
import type { ValidationData } from '../contracts/vision.ts';
import type { CorrectableDocument } from './corrections.rules.ts';

/** An extracted document of a result. */
export interface ResultDocument extends CorrectableDocument {
  document_type: string;
  /** Where it lay, of one that was found in a file of several. */
  document?: { index: number; pages: number[]; bbox?: unknown };
  validation?: ValidationData;
}

/** The documents of an answer: of a plain extraction, the answer itself. */
function documentsOf(result: Record<string, unknown>): Partial<ResultDocument>[] {
  const several = result['documents'] ?? result['results'];
  return (Array.isArray(several) ? several : [result]) as Partial<ResultDocument>[];
}

/** One extracted document; CONFLICT where the call extracted nothing, VALIDATION_ERROR where it has not so many. */
export function documentAt(result: Record<string, unknown>, index: number): ResultDocument {
  const documents = documentsOf(result);
  if (documents.every(({ fields }) => fields === undefined)) {
    throw new ApiError('CONFLICT', 'The call extracted no fields that could be corrected.');
  }
  const document = documents[index];
  if (document?.fields === undefined) {
    throw ApiError.invalid('document', `the result has ${String(documents.length)} documents, counted from 0`);
  }
  return document as ResultDocument;
}

/** The answer with that document in place of the old one. Beside `documents`, an extraction's answer shows the first. */
export function withDocument(
  result: Record<string, unknown>,
  index: number,
  document: ResultDocument,
): Record<string, unknown> {
  const name = ['documents', 'results'].find((one) => Array.isArray(result[one]));
  if (name === undefined) return { ...result, ...document };
  const replaced = (result[name] as unknown[]).map((one, position) => (position === index ? document : one));
  if (name === 'results' || index > 0) return { ...result, [name]: replaced };
  const { document: _place, ...first } = document;
  return { ...result, ...first, [name]: replaced };
}
