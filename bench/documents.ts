import { existsSync, mkdtempSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocumentEngine } from '../documents/index.ts';
import { f1, meanOfDocuments, share, type Scored, sureFields, variantLoss } from './documents/measures.ts';
import { mistakesOf } from './documents/mistakes.ts';
import { DATA, manifestRows, score, type Scores } from './documents/scorer.ts';
import { serveEngine } from './documents/shim.ts';
import { printTable } from './report.ts';

const ENTITIES = ['vendor_name', 'date', 'vendor_address', 'total'];
const SCANS = /\.(?:jpe?g|png|webp|tiff?|heic)$/i;
const BALANCES = ['opening_balance', 'closing_balance'];
const MRZ_FIELDS = ['document_number', 'surname', 'given_names', 'nationality', 'date_of_birth', 'sex', 'expiry_date'];
const OTHER_TYPES = [
  'supplier_statement',
  'purchase_order',
  'delivery_note',
  'credit_note',
  'bill',
  'resume',
  'contract',
];

interface Line {
  measure: string;
  ours: number;
  target: number;
  /** What others get, from shared/design/targets.md; they were not run here. */
  others?: string;
  /** The smaller the better. */
  isLoss?: boolean;
}

/** What the engine reads right of the documents of shared/data, by score.py, beside the goals of targets.md. */
export async function benchDocuments(): Promise<void> {
  if (!existsSync(join(DATA, 'manifest.jsonl'))) {
    console.log(`skipped: the documents are not at ${DATA}`);
    return;
  }
  const cache = process.env['DOCUMENTS_CACHE'] ?? mkdtempSync(join(tmpdir(), 'documents-words-'));
  const engine = createDocumentEngine({ log: (line) => console.error(line) });
  const server = await serveEngine(engine, { cache });
  try {
    const whole = await score(server, ['--tasks', 'extract,split,crop']);
    console.log(whole.text);
    printLines([...fieldLines(scoredOf(whole)), ...(await rowLines(server)), ...wholeLines(whole)]);
    const { counts, worst } = await mistakesOf(scoredOf(whole), engine, cache);
    for (const [kind, count] of counts) console.log(`${String(count).padStart(4)} fields ${kind}`);
    console.log(
      `most wrong: ${worst.map(({ file, wrong, of }) => `${file} ${String(wrong)}/${String(of)}`).join(', ')}`,
    );
    const { right, share: sure } = sureFields(scoredOf(whole));
    console.log(
      `of the fields given 0.9 or more ${right.toFixed(3)} are right; they are ${sure.toFixed(2)} of all fields`,
    );
  } finally {
    server.closeAllConnections();
    server.close();
    await engine.close();
  }
}

function scoredOf({ documents }: Scores): Scored[] {
  const rows = new Map(manifestRows().map((row) => [row.file, row]));
  return documents.flatMap((document) => {
    const row = rows.get(document.file);
    return row === undefined ? [] : [{ ...document, row }];
  });
}

function sroieLines(receipts: Scored[]): Line[] {
  return [
    { measure: 'SROIE receipts: total', ours: share(receipts, ['total']), target: 0.92, others: 'naive rules .69' },
    { measure: 'SROIE receipts: date', ours: share(receipts, ['date']), target: 0.95, others: 'naive rules .79' },
    {
      measure: 'SROIE receipts: merchant, fuzzy',
      ours: share(receipts, ['vendor_name'], 'fuzzy'),
      target: 0.88,
      others: 'naive rules .60 (exact)',
    },
    {
      measure: 'SROIE receipts: address, fuzzy',
      ours: share(receipts, ['vendor_address'], 'fuzzy'),
      target: 0.8,
      others: 'naive rules .42 (exact)',
    },
    {
      measure: 'SROIE receipts: four entities, F1 exact',
      ours: f1(receipts, ENTITIES),
      target: 0.8,
      others: 'published, own OCR .89-.90; zero-shot LLM .84',
    },
  ];
}

function fieldLines(documents: Scored[]): Line[] {
  const ofSet = (set: string): Scored[] => documents.filter(({ row }) => row.set === set);
  const ofType = (...types: string[]): Scored[] =>
    documents.filter(({ row }) => types.includes(row.document_type) && row.variant === undefined);
  const invoices = ofType('invoice');
  const layer = invoices.filter(({ file }) => !SCANS.test(file));
  const scans = invoices.filter(({ file }) => SCANS.test(file));
  const invoiceLines = (of: Scored[], what: string, target: number): Line[] =>
    ['invoice_number', 'date', 'total', 'vendor_name'].map((field) => ({
      measure: `${what}: ${field}`,
      ours: share(of, [field]),
      target,
    }));
  return [
    ...sroieLines(ofSet('receipt')),
    { measure: 'bank statements: balances', ours: share(ofType('bank_statement'), BALANCES), target: 0.92 },
    ...invoiceLines(layer, 'invoices, text layer', 0.95),
    ...invoiceLines(scans, 'invoices, scans', 0.88),
    {
      measure: 'passports and IDs: fields of the MRZ',
      ours: share(ofType('passport', 'id_document'), MRZ_FIELDS),
      target: 0.9,
    },
    ...OTHER_TYPES.map((type) => ({
      measure: `${type}: mean of documents`,
      ours: meanOfDocuments(ofType(type)),
      target: 0.9,
    })),
    {
      measure: 'those seven types, scans',
      ours: meanOfDocuments(ofType(...OTHER_TYPES).filter(({ file }) => SCANS.test(file))),
      target: 0.8,
    },
    {
      measure: 'all fields of all documents',
      ours: share(documents, 'all'),
      target: NaN,
      others: 'OmniAI, other documents: Azure .85, Textract .74, Google .68',
    },
    {
      measure: 'points lost by variants of a document',
      ours: variantLoss(documents, ofSet('variant')),
      target: 3,
      isLoss: true,
    },
  ];
}

/** Rows of tables: the scorer prints them for all documents of a run together, so that each group is a run. */
async function rowLines(server: Server): Promise<Line[]> {
  const lines: Line[] = [];
  const group = async (measure: string, target: number, ...options: string[]): Promise<void> => {
    const { rowF1 } = await score(server, ['--tasks', 'extract', ...options]);
    lines.push({ measure, ours: rowF1, target });
  };
  await group('bank statements: transactions, row F1', 0.85, '--types', 'bank_statement');
  await group('invoices, text layer: line items, row F1', 0.9, '--types', 'invoice', '--set', 'einvoice');
  await group('invoices, mixed: line items, row F1', 0.75, '--types', 'invoice', '--set', 'invoice,synthetic');
  await group('supplier statements: rows, row F1', 0.75, '--types', 'supplier_statement');
  return lines;
}

function wholeLines(scores: Scores): Line[] {
  return [
    { measure: 'classification of 14 types', ours: scores.classification, target: 0.96 },
    { measure: 'calibration error of fields', ours: scores.ece, target: 0.05, isLoss: true },
    { measure: 'split: boundaries, F1', ours: scores.boundaryF1, target: 0.93 },
    { measure: 'crop: count right', ours: scores.cropCount, target: 0.95 },
    { measure: 'crop: mean IoU', ours: scores.cropIou, target: 0.9 },
  ];
}

function printLines(lines: Line[]): void {
  const cells = lines.map(({ measure, ours, target, others = '', isLoss = false }) => {
    if (Number.isNaN(target)) return [measure, ours.toFixed(3), '', '', others];
    const isReached = isLoss ? ours <= target : ours >= target;
    return [
      measure,
      ours.toFixed(3),
      `${isLoss ? '<=' : '>='} ${String(target)}`,
      isReached ? 'reached' : 'BELOW',
      others,
    ];
  });
  printTable(['measure', 'ours', 'goal', '', 'others (targets.md)'], cells);
}
