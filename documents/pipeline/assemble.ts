import { classifyPages } from '../classify/classify.ts';
import { extractDocument } from '../einvoice/extract.ts';
import { DocumentError } from '../errors.ts';
import { splitPages } from '../split/split.ts';
import type { Cut, FoundDocument, PageText, PipelineInput, PipelineStep } from '../types.ts';
import { orderProblem, problemText } from './order.ts';
import { onSourcePage } from './source-boxes.ts';

/** @throws DocumentError BAD_STEPS */
export function checkSteps(steps: PipelineStep[]): void {
  const problem = orderProblem(steps.map(({ action }) => action));
  if (problem) throw new DocumentError('BAD_STEPS', problemText(problem), `steps[${String(problem.step - 1)}].action`);
}

/** One document on its way through the steps. */
interface Draft {
  pages: PageText[];
  /** 1-based pages of the file. */
  numbers: number[];
  cut?: Cut;
  result: Omit<FoundDocument, 'document'>;
}

/**
 * Runs a pipeline's steps over what was read of a file. Without a step that finds documents, the file is one.
 *
 * `crop`: papers become documents of their own where at least one page of the document shows several; a document whose
 * pages each show one paper (a scanned invoice of two pages) stays one document.
 */
export function assembleDocuments(steps: PipelineStep[], input: PipelineInput): FoundDocument[] {
  checkSteps(steps);
  const cuts = [...input.cuts].sort((a, b) => a.page - b.page || a.index - b.index);
  let drafts = [wholeFile(input.pages, cuts)];
  for (const { action, options } of steps) {
    if (action === 'split') drafts = drafts.flatMap(({ pages }) => splitDrafts(pages));
    else if (action === 'crop') drafts = drafts.flatMap((draft) => cutDrafts(draft, cuts));
    else if (action === 'classify') drafts.forEach(classify);
    else {
      // The XML in a file tells of the whole file: it can't be the truth of one of several documents.
      const einvoice = drafts.length === 1 && !drafts[0]!.cut ? input.einvoice : undefined;
      for (const draft of drafts) extract(draft, { ...options, einvoice });
    }
  }
  return drafts.map(({ numbers, cut, result }, index) => ({
    document: { index, pages: numbers, ...(cut ? { bbox: cut.bbox, rotation: cut.rotation } : {}) },
    ...result,
  }));
}

function wholeFile(pages: PageText[], cuts: Cut[]): Draft {
  const numbers = pages.length > 0 ? pages.map(({ page }) => page) : [...new Set(cuts.map(({ page }) => page))];
  return { pages, numbers, result: {} };
}

function splitDrafts(pages: PageText[]): Draft[] {
  return splitPages(pages).map((found) => ({
    pages: pages.filter(({ page }) => found.pages.includes(page)),
    numbers: found.pages,
    result: {},
  }));
}

function cutDrafts(draft: Draft, cuts: Cut[]): Draft[] {
  const own = cuts.filter(({ page }) => draft.numbers.includes(page));
  if (own.length === 0) return [draft];
  const severalOnOne = own.some(({ page }, index) => own.findIndex((cut) => cut.page === page) < index);
  const [only] = own;
  if (severalOnOne || own.length === 1) {
    return own.map((cut) =>
      cut === only && own.length === 1 && cut.whole_page ? withPages(draft, own) : cutDraft(cut),
    );
  }
  return [withPages(draft, own)];
}

const cutDraft = (cut: Cut): Draft => ({ pages: [pageOf(cut)], numbers: [cut.page], cut, result: {} });

/** The pages themselves where they were read; else what was read of the one paper on each. */
const withPages = (draft: Draft, cuts: Cut[]): Draft => ({
  ...draft,
  pages: draft.pages.length > 0 ? draft.pages : cuts.map(pageOf),
});

const pageOf = ({ page, text }: Cut): PageText => ({ ...text, page });

function classify(draft: Draft): void {
  const { document_type, confidence, alternatives } = classifyPages(draft.pages);
  draft.result = { ...draft.result, document_type, document_type_confidence: confidence, alternatives };
}

function extract(draft: Draft, options: NonNullable<PipelineStep['options']>): void {
  const extraction = extractDocument(draft.pages, options);
  draft.result = draft.cut && !draft.cut.whole_page ? onSourcePage(extraction, draft.cut) : extraction;
}
