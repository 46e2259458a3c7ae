import { withThreshold } from '../extract/threshold.ts';
import type { Extraction, ExtractOptions, PageText } from '../types.ts';
import { extractWithModel } from './apply.ts';
import { applyLessons } from './apply-lessons.ts';

/** The fields of a document of a custom model, with what corrections taught of its issuers. */
export function extractCustom(
  pages: PageText[],
  { document_type, model }: NonNullable<ExtractOptions['custom']>,
  options: ExtractOptions,
): Extraction {
  const read = extractWithModel(pages, model, { document_type });
  const learned = options.lessons ? applyLessons(pages, read, options.lessons) : read;
  const wanted = { ...learned, line_items: options.extract_line_items === false ? [] : learned.line_items };
  return withThreshold(wanted, options.confidence_threshold);
}
