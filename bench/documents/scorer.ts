import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const DATA = resolve(import.meta.dirname, '../../../shared/data');

export interface FieldScore {
  /** Our name of the field; null where it was not returned. */
  name: string | null;
  truth: unknown;
  exact: boolean;
  fuzzy: boolean;
  confidence: number | null;
}

export interface DocumentScore {
  file: string;
  type: string | null;
  fields: Record<string, FieldScore>;
}

/** What score.py wrote and printed. */
export interface Scores {
  documents: DocumentScore[];
  classification: number;
  boundaryF1: number;
  cropCount: number;
  cropIou: number;
  rowF1: number;
  wholeRowF1: number;
  ece: number;
  text: string;
}

interface Written {
  extract?: { details: DocumentScore[] };
  split?: { boundary_f1: number };
  crop?: { count_accuracy: number; mean_iou: number };
}

/** Runs shared/data/score.py, unchanged, against a server. */
export async function score(server: Server, options: readonly string[]): Promise<Scores> {
  const out = join(mkdtempSync(join(tmpdir(), 'scores-')), 'scores.json');
  const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const scorer = spawn('python3', [`${DATA}/score.py`, '--base', base, '--data', DATA, '--out', out, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  scorer.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((done) => scorer.once('close', done));
  if (code !== 0) throw new Error(`score.py ended with ${String(code)}`);
  const text = Buffer.concat(chunks).toString();
  const { extract, split, crop } = JSON.parse(readFileSync(out, 'utf8')) as Written;
  return {
    documents: extract?.details ?? [],
    classification: numberAfter(text, /type from \/extract\): accuracy /),
    boundaryF1: split?.boundary_f1 ?? NaN,
    cropCount: crop?.count_accuracy ?? NaN,
    cropIou: crop?.mean_iou ?? NaN,
    rowF1: numberAfter(text, /row match F1 /),
    wholeRowF1: numberAfter(text, /full-row exact F1 /),
    ece: numberAfter(text, /ECE /),
    text,
  };
}

function numberAfter(text: string, label: RegExp): number {
  return Number(new RegExp(`${label.source}([\\d.]+)`).exec(text)?.[1] ?? NaN);
}

export interface ManifestRow {
  file: string;
  base_file?: string;
  task: string;
  document_type: string;
  set: string;
  variant?: string;
}

export function manifestRows(): ManifestRow[] {
  const lines = readFileSync(join(DATA, 'manifest.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as ManifestRow);
}
