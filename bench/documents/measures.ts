import type { DocumentScore, FieldScore, ManifestRow } from './scorer.ts';

/** A document's scores beside what the manifest says of it. */
export interface Scored extends DocumentScore {
  row: ManifestRow;
}

type Kind = 'exact' | 'fuzzy';

/** Share of the truth of these fields that was read. NaN where there is none. */
export function share(documents: readonly Scored[], fields: readonly string[] | 'all', kind: Kind = 'exact'): number {
  const found = documents.flatMap((document) => fieldsOf(document, fields));
  return found.filter((field) => field[kind]).length / found.length;
}

/** F1 of the returned values of these fields. */
export function f1(documents: readonly Scored[], fields: readonly string[]): number {
  const truth = documents.flatMap((document) => fieldsOf(document, fields));
  const returned = truth.filter((field) => field.name !== null).length;
  const right = truth.filter((field) => field.exact).length;
  return (2 * right) / (truth.length + returned);
}

/** Mean over documents of the share of their fields that was read. */
export function meanOfDocuments(documents: readonly Scored[]): number {
  const shares = documents.map((document) => share([document], 'all')).filter((value) => !Number.isNaN(value));
  return shares.reduce((sum, value) => sum + value, 0) / shares.length;
}

function fieldsOf({ fields }: Scored, names: readonly string[] | 'all'): FieldScore[] {
  return names === 'all' ? Object.values(fields) : names.flatMap((name) => fields[name] ?? []);
}

/** Points that a variant (rotated, low resolution, another format) loses against its original, over all of them. */
export function variantLoss(documents: readonly Scored[], variants: readonly Scored[]): number {
  const byFile = new Map(documents.map((document) => [document.file, document]));
  const pairs = variants.flatMap((variant) => {
    const original = byFile.get(variant.row.base_file ?? '');
    return original === undefined ? [] : [{ variant, original }];
  });
  const ofVariants = share(
    pairs.map((pair) => pair.variant),
    'all',
  );
  return (
    100 *
    (share(
      pairs.map((pair) => pair.original),
      'all',
    ) -
      ofVariants)
  );
}

const SURE = 0.9;

/** How often a field that is given 0.9 or more is right, and how many are. */
export function sureFields(documents: readonly Scored[]): { right: number; share: number } {
  const returned = documents
    .flatMap((document) => Object.values(document.fields))
    .filter((field) => field.name !== null);
  const sure = returned.filter((field) => (field.confidence ?? 0) >= SURE);
  return { right: sure.filter((field) => field.exact).length / sure.length, share: sure.length / returned.length };
}
