import type { FoundDocument } from '../types.ts';

/** The answer to a request that asks for one extraction, of a file in which documents were looked for. */
export type CombinedExtraction<Found extends FoundDocument> = Partial<Omit<Found, 'document'>> & {
  /** All of them in order, the first included. */
  documents: Found[];
};

/**
 * `extract` with `split` or `crop`: the answer has the shape of one document. It is the first one's, so that a caller who
 * knows nothing of several sees what was on top; all of them are in `documents`.
 */
export function combineDocuments<Found extends FoundDocument>(found: Found[]): CombinedExtraction<Found> {
  const [first] = found;
  if (first === undefined) return { documents: [] } as unknown as CombinedExtraction<Found>;
  const { document: _, ...extraction } = first;
  return { ...extraction, documents: found };
}
