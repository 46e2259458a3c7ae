/** What a value of a custom field looks like. */
export const valueKinds = ['text', 'number', 'money', 'date', 'boolean', 'email', 'phone'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** A field of a custom model as its owner describes it. `type` takes common synonyms: string, currency, amount, int … */
export interface CustomField {
  name: string;
  /** Default text. */
  type?: string | undefined;
  required?: boolean | undefined;
  /** Of a table: the names of its columns. */
  columns?: string[] | undefined;
}

export interface ModelDefinition {
  fields: CustomField[];
}

/** A constant phrase of the layout and where a value lies from it; distances in widths of the printed area. */
export interface Anchor {
  /** Folded: capitals and digits only. */
  text: string;
  dx: number;
  dy: number;
  /** How much dy varies, and never 0. */
  spread: number;
  /** Share of the samples that have it. */
  share: number;
}

/** A text that stood beside the value, and the share of the samples in which it did. */
export type Label = [text: string, share: number];

/** Mean and deviation. */
export type Spread = [mean: number, deviation: number];

/** Where a field's values stood in the samples. */
export interface FieldPlaces {
  /** Places that this was learned from. */
  count: number;
  left: Label[];
  above: Label[];
  right: Label[];
  /** Aligned edge of the value in the printed area: 0 left, 1 right. */
  x: Spread;
  /** Distance of the value from the first and from the last line, in widths of the printed area. */
  top: Spread;
  bottom: Spread;
  /** Height of its print over the usual height on the page. */
  height: Spread;
  /** Signs of the value by class: A letters, 9 digits, marks as they are; and the share that has this shape. */
  shapes: Label[];
  anchors: Anchor[];
  /** Words and lines of the value. */
  words: [least: number, most: number];
  lines: [least: number, most: number];
  /** Share of values that begin and end with a segment of their line. */
  starts: number;
  ends: number;
}

export interface FieldModel {
  name: string;
  kind: ValueKind;
  required: boolean;
  places: FieldPlaces | null;
  /** Values as they were annotated and how often, most often first; empty where none repeats. */
  known: [value: unknown, count: number][];
  /** What stands between two lines of a value. */
  joiner: string;
  /** Weights of the evidence, in the order of `evidenceNames`. */
  weights: number[];
  /** Share of the samples whose value was found when it was left out of the training; null where none had one. */
  accuracy: number | null;
}

export interface TableColumn {
  name: string;
  kind: ValueKind;
  /** Folded words above the column. */
  headers: Label[];
  /** Left and right end in the printed area. */
  left: number;
  right: number;
  /** Share of the rows that have a value here. */
  share: number;
}

export interface TableModel {
  name: string;
  required: boolean;
  columns: TableColumn[];
  /** Descriptions run on in the next line. */
  wraps: boolean;
  /** Folded beginnings of the line behind the last row. */
  endings: Label[];
  /** Top of the first row in the printed area. */
  top: Spread;
  accuracy: number | null;
}

/** A trained custom model. Plain JSON, a few kilobytes for a field. */
export interface TrainedModel {
  version: 1;
  samples: number;
  fields: FieldModel[];
  tables: TableModel[];
  /** Constant phrases of the layout, and the share of the samples that has each. */
  layout: Label[];
  /** How alike a sample is to the layout of the others: mean share of the phrases that are found. */
  likeness: number;
  /** Share of the annotated values that were found in samples left out of the training; null where nothing was annotated. */
  accuracy: number | null;
  /** The same by field and table; null where no sample has a value. */
  field_accuracy: Record<string, number | null>;
}

/** Where one corrected value stood. */
export interface LessonField {
  /** What the extraction said; null for nothing. */
  before: unknown;
  /** What is right; null: the document has no such field. */
  after: unknown;
  /** `constant`: the issuer's own name, address, number; `place`: found again by where it stands. */
  way: 'constant' | 'place';
  kind: ValueKind;
  /** One for each place where the value is printed; none where the page doesn't show it as it was given. */
  places: FieldPlaces[];
}

/** What one correction teaches of an issuer. Plain JSON. */
export interface Lesson {
  version: 1;
  document_type: string;
  /** Exact keys for a look-up (`tax:…`, `name:…`). A misread page may have neither: the engine compares more closely. */
  keys: string[];
  issuer: {
    /** Capitals and digits. */
    tax_numbers: string[];
    names: string[];
    /** Hashes of the words in the head of the page: the text itself is not kept. */
    head: number[];
  };
  fields: Record<string, LessonField>;
}
