import { readFileSync } from 'node:fs';
import { classifyPages } from '../classify/classify.ts';
import type { PageText, SplitDocument } from '../types.ts';
import { gapFeatures } from './gap-features.ts';
import { type PageFacts, pageFacts } from './page-facts.ts';

/** A logistic regression: the log-odds that a new document begins at a gap are the sum of its features' weights. */
export interface SplitModel {
  version: number;
  weights: Record<string, number>;
}

/** A page with fewer letters and digits is blank: a separator, or the back of a sheet. */
const BLANK_BELOW = 3;

let loaded: SplitModel | undefined;

/** The parameters that `node documents/train/splitter.ts` wrote. */
function trainedModel(): SplitModel {
  loaded ??= JSON.parse(readFileSync(new URL('./parameters.json', import.meta.url), 'utf8')) as SplitModel;
  return loaded;
}

/** Probability that a new document begins at a gap. */
export function boundaryProbability(features: Set<string>, model: SplitModel): number {
  const odds = [...features].reduce((sum, name) => sum + (model.weights[name] ?? 0), 0);
  return 1 / (1 + Math.exp(-odds));
}

/**
 * The documents in a run of pages, in order, each with its pages' numbers, its type and how sure its two ends and its
 * wholeness are. Indexes count from 0, pages are as given (1-based). Blank pages belong to no document.
 */
export function splitPages(pages: PageText[]): SplitDocument[] {
  return groupPages(withoutBlanks(pages), trainedModel()).map(({ pages: found, certainty }, index) => ({
    index,
    pages: found.map(({ page }) => page.page),
    type: classifyPages(found.map(({ page }) => page)).document_type,
    confidence: Math.round(certainty * 1000) / 1000,
  }));
}

export interface PageGroup {
  pages: PageFacts[];
  /** Probability that it begins and ends here and that no page in it begins another document. */
  certainty: number;
}

/** Takes the pages one by one: each joins the document before it or begins the next. */
export function groupPages(written: WrittenPage[], model: SplitModel): PageGroup[] {
  const groups: PageGroup[] = [];
  for (const { facts, blankBefore } of written) {
    const open = groups.at(-1);
    const boundary = open
      ? Math.max(
          boundaryProbability(gapFeatures({ pages: open.pages, blankAfter: blankBefore }, facts), model),
          afterCard(open, facts),
        )
      : 1;
    if (open && boundary < 0.5) {
      open.pages.push(facts);
      open.certainty *= 1 - boundary;
    } else {
      if (open) open.certainty *= boundary;
      groups.push({ pages: [facts], certainty: boundary });
    }
  }
  return groups;
}

const CARDS = ['passport', 'id_document', 'drivers_license'];
const AFTER_CARD = 0.9;

/** Nothing of another kind goes on from a passport or a card: what follows it is its back or a new document. */
function afterCard(open: PageGroup, next: PageFacts): number {
  const last = open.pages.at(-1);
  return last && cardShare(last) >= 0.9 && cardShare(next) < 0.1 ? AFTER_CARD : 0;
}

const cardShare = ({ types }: PageFacts): number => CARDS.reduce((sum, type) => sum + (types.get(type) ?? 0), 0);

export interface WrittenPage {
  facts: PageFacts;
  blankBefore: boolean;
}

/** The pages that have text. Where every sheet has a blank back, blank pages separate nothing. */
export function withoutBlanks(pages: PageText[], read: (page: PageText) => PageFacts = pageFacts): WrittenPage[] {
  const ordered = [...pages].sort((a, b) => a.page - b.page);
  const blank = ordered.map(isBlank);
  const backs = ordered.length >= 4 && blank.every((is, index) => is === (index % 2 === 1));
  return ordered.flatMap((page, index) =>
    blank[index] ? [] : [{ facts: read(page), blankBefore: !backs && blank[index - 1] === true }],
  );
}

const isBlank = (page: PageText): boolean =>
  page.words.reduce((sum, word) => sum + word.text.replace(/[^\p{L}\p{N}]/gu, '').length, 0) < BLANK_BELOW;
