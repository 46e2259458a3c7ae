import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const halfNames = ['dev', 'check'] as const;
export type HalfName = (typeof halfNames)[number];

interface Row {
  file: string;
  base_file?: string;
  document_type: string;
  fields?: { vendor_name?: string; bank_name?: string };
}

/**
 * The manifest of one half of the documents. Extractors are written on `dev`; `check` tells what that brought on issuers
 * that nobody looked at. All documents of an issuer, and all variants of a document, are in the same half.
 */
export function manifestOfHalf(data: string, half: HalfName): string {
  const lines = readFileSync(join(data, 'manifest.jsonl'), 'utf8').trim().split('\n');
  const rows = lines.map((line) => ({ line, row: JSON.parse(line) as Row }));
  const issuers = new Map(rows.map(({ row }) => [row.file, issuerOf(row)]));
  const kept = rows.filter(({ row }) => halfOf(issuers.get(row.base_file ?? row.file) ?? issuerOf(row)) === half);
  const path = join(mkdtempSync(join(tmpdir(), 'documents-half-')), 'manifest.jsonl');
  writeFileSync(path, kept.map(({ line }) => line).join('\n'));
  return path;
}

/** Spelling differs between the documents of one issuer, so its first letters stand for it. */
function issuerOf({ fields, file, document_type }: Row): string {
  const template = /synth_dev\d+/.exec(file)?.[0];
  if (template !== undefined) return `${document_type} ${template}`;
  const name = fields?.vendor_name ?? fields?.bank_name;
  if (name === undefined) return file;
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 8);
}

function halfOf(issuer: string): HalfName {
  return createHash('sha256').update(issuer).digest().readUInt8() % 2 === 0 ? 'dev' : 'check';
}
