import { fieldOf, roundConfidence } from '../extract/field.ts';
import { pageBox } from '../layout/lines.ts';
import type { Extraction, ExtractionField, LineItem, LineItemCell, ModelExtractOptions, PageText } from '../types.ts';
import { decide, type Decision, wordsIn } from './decide.ts';
import type { Comparisons } from './evidence.ts';
import { viewOf } from './page-view.ts';
import { likenessTo } from './places.ts';
import { type ReadRow, readRows } from './table-rows.ts';
import { localeOf } from './values.ts';
import type { FieldModel, TrainedModel } from './types.ts';

/** Below this share of the samples' own likeness a page is of another layout. */
const OTHER_LAYOUT = 0.35;
/** From here on it is as much of the layout as the samples themselves. */
const SAME_LAYOUT = 0.75;

/**
 * The fields of a document of a custom model. A document of another layout gives the same fields with confidences near
 * zero: what is found on it stands where the model's documents have it, and is most likely something else.
 */
export function extractWithModel(
  pages: PageText[],
  model: TrainedModel,
  options: ModelExtractOptions = {},
): Extraction {
  const view = viewOf(pages);
  const locale = localeOf(view.text);
  const layout = layoutFactor(likenessTo(model.layout, view), model.likeness);
  const cache: Comparisons = new Map();
  const fields = new Map<string, ExtractionField>();
  for (const field of view.lines.length === 0 ? [] : model.fields) {
    const decision = decide(view, field, locale, cache);
    if (decision) fields.set(field.name, answer(decision, field, layout));
  }
  let lineItems: LineItem[] = [];
  for (const table of view.lines.length === 0 ? [] : model.tables) {
    const { rows, heading } = readRows(view, table, locale);
    if (rows.length === 0) continue;
    const certainty = layout * trust(table.accuracy, model.samples) * (0.6 + 0.4 * heading);
    fields.set(table.name, tableField(rows, certainty));
    if (lineItems.length === 0) lineItems = rows.map((row) => lineItem(row, certainty));
  }
  const threshold = options.confidence_threshold ?? 0;
  return {
    document_type: options.document_type ?? 'custom',
    document_type_confidence: roundConfidence(layout),
    fields: Object.fromEntries([...fields].filter(([, field]) => field.confidence >= threshold)),
    line_items: lineItems,
    alternatives: [],
  };
}

function layoutFactor(likeness: number, usual: number): number {
  const share = likeness / Math.max(0.2, usual);
  return Math.min(1, Math.max(0.02, (share - OTHER_LAYOUT) / (SAME_LAYOUT - OTHER_LAYOUT)));
}

/** What was measured in training, held back by how few samples it was measured on. */
const trust = (accuracy: number | null, samples: number): number => ((accuracy ?? 0.5) * samples + 0.8) / (samples + 1);

function answer({ value, chance, candidate }: Decision, field: FieldModel, layout: number): ExtractionField {
  const certainty = chance * trust(field.accuracy, field.places?.count ?? 1) * layout;
  const words = candidate ? wordsIn(candidate) : [];
  return fieldOf(value, words, candidate?.pieces[0]?.line.page ?? 1, certainty);
}

function tableField(rows: ReadRow[], certainty: number): ExtractionField {
  const { page } = rows[0]!;
  const words = rows
    .filter((row) => row.page === page)
    .flatMap((row) => Object.values(row.cells).flatMap((cell) => cell.words));
  const value = rows.map(({ cells }) =>
    Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, cell.value])),
  );
  return { ...fieldOf(value, words, page, certainty), bbox: pageBox(words, page) };
}

const EMPTY: LineItemCell = { value: null, confidence: 0 };

function lineItem({ cells, page }: ReadRow, certainty: number): LineItem {
  const own = Object.fromEntries(
    Object.entries(cells).map(([name, { value, words }]) => [name, fieldOf(value, words, page, certainty)]),
  );
  return { description: EMPTY, quantity: EMPTY, unit_price: EMPTY, total: EMPTY, ...own };
}
