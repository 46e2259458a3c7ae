import { classifyPages } from '../classify/classify.ts';
import { extractDocument } from '../einvoice/extract.ts';
import { extractWithModel } from '../learn/apply.ts';
import { lessonOf } from '../learn/lessons.ts';
import { trainModel } from '../learn/train.ts';
import { assembleDocuments } from '../pipeline/assemble.ts';
import { splitPages } from '../split/split.ts';
import type { Computation, DocumentEngine, PageText } from '../types.ts';
import { validateExtraction } from '../validate/validate.ts';

/** The engine's pure functions by name: plain JSON in and out, so that each can be called here or in a child process. */
export const computations: Pick<DocumentEngine, Computation> = {
  classify: classifyPages,
  split: (pages: PageText[]) => splitPages(pages),
  extract: extractDocument,
  assemble: assembleDocuments,
  validate: validateExtraction,
  trainModel,
  extractWith: extractWithModel,
  lessonOf,
};
