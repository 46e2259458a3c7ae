import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { documentFeatures } from '../classify/features.ts';
import type { TypeModel } from '../classify/model.ts';
import { documentTypes } from '../types.ts';
import { placeOnSheet } from './compose.ts';
import { generateDocuments, generateUnreadable } from './generate.ts';
import {
  calibrationError,
  type Example,
  fitRegression,
  fitTemperature,
  probabilities,
  scoresOf,
} from './regression.ts';
import { loadSamples } from './samples.ts';

const SEED = 8;
const GENERATED_PER_TYPE = 240;
/** All generated documents of a type count together as so many real ones. */
const GENERATED_WEIGHT = 25;
/** Invented pages without evidence, and how many real documents of each type they count as. */
const UNREADABLE = 60;
const UNREADABLE_WEIGHT = 6;
const FOLDS = 6;
const RIDGE = 0.4;
const STEPS = 220;
const CLASSES = documentTypes.length;
const VERSION = 1;

/** A document ready for the regression. */
interface Case {
  name: string;
  features: Set<string>;
  label: number;
  accepted: number[];
  group: string;
  weight: number;
  real: boolean;
}

interface Held {
  item: Case;
  scores: number[];
}

/**
 * Trains the classifier on generated documents and on the real ones of shared/data, prints what it does on issuers that
 * it was not trained on, and writes documents/classify/parameters.json. The same documents give the same bytes.
 *
 *   node documents/train/classifier.ts [--data ../shared/data] [--pages var/pages] [--dry]
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: '../shared/data' },
      pages: { type: 'string', default: 'var/pages' },
      dry: { type: 'boolean', default: false },
    },
  });
  const cases = [...(await realCases(values.data, values.pages)), ...generatedCases(), ...unreadableCases()];
  const held = crossValidate(cases);
  const temperature = fitTemperature(
    held.filter(({ item }) => item.real).map(({ item, scores }) => ({ scores, accepted: item.accepted })),
  );
  report(held, temperature);
  if (values.dry) return;
  const { names, weights } = train(cases);
  const model: TypeModel = { version: VERSION, temperature, types: [...documentTypes], weights: {} };
  for (const [index, name] of names.entries()) {
    const row = [...weights.slice(index * CLASSES, (index + 1) * CLASSES)].map(
      (value) => Math.round(value * 100) / 100,
    );
    if (row.some((value) => value !== 0)) model.weights[name] = row;
  }
  const rows = Object.entries(model.weights).map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`);
  const head = JSON.stringify({ ...model, weights: undefined }).slice(0, -1);
  const text = `${head},"weights":{\n${rows.join(',\n')}\n}}\n`;
  await writeFile(new URL('../classify/parameters.json', import.meta.url), text);
  process.stdout.write(`parameters.json: ${String(names.length)} features, ${String(text.length)} bytes\n`);
}

async function realCases(data: string, pages: string): Promise<Case[]> {
  const samples = await loadSamples(data, pages);
  const perIssuer = new Map<string, number>();
  for (const { issuer } of samples) perIssuer.set(issuer, (perIssuer.get(issuer) ?? 0) + 1);
  return samples.flatMap(({ file, type, accepted, issuer, pages: read }) => {
    const known = {
      name: file,
      label: documentTypes.indexOf(type),
      accepted: accepted.map((name) => documentTypes.findIndex((one) => one === name)).filter((index) => index >= 0),
      group: issuer,
      // Fifty receipts of one shop teach little more than five.
      weight: 1 / Math.sqrt(perIssuer.get(issuer)!),
    };
    // People print pictures to PDF: the same paper, in the middle of a sheet.
    const onSheet = read.every((page) => page.source === 'ocr')
      ? [{ ...known, features: documentFeatures(read.map(placeOnSheet)), weight: known.weight / 2, real: false }]
      : [];
    return [{ ...known, features: documentFeatures(read), real: true }, ...onSheet];
  });
}

function generatedCases(): Case[] {
  return generateDocuments(GENERATED_PER_TYPE, SEED).map(({ type, language, pages }, index) => ({
    name: `generated ${type} ${language} ${String(index)}`,
    features: documentFeatures(pages),
    label: documentTypes.indexOf(type),
    accepted: [documentTypes.indexOf(type)],
    group: `generated ${String(index)}`,
    weight: GENERATED_WEIGHT / GENERATED_PER_TYPE,
    real: false,
  }));
}

/** The same page once under each type: nothing on it speaks for any. */
function unreadableCases(): Case[] {
  return generateUnreadable(UNREADABLE, SEED).flatMap((page, index) => {
    const features = documentFeatures([page]);
    return documentTypes.map((_, label) => ({
      name: `unreadable ${String(index)}`,
      features,
      label,
      accepted: documentTypes.map((_type, at) => at),
      group: `unreadable ${String(index)}`,
      weight: UNREADABLE_WEIGHT / UNREADABLE,
      real: false,
    }));
  });
}

function train(cases: Case[]): { names: string[]; weights: Float64Array } {
  const names = [...new Set(cases.flatMap(({ features }) => [...features]))].sort();
  const index = new Map(names.map((name, at) => [name, at]));
  const examples: Example[] = cases.map(({ features, label, weight }) => ({
    features: [...features].map((name) => index.get(name)!),
    label,
    weight,
  }));
  const weights = fitRegression(examples, { features: names.length, classes: CLASSES, ridge: RIDGE, steps: STEPS });
  return { names, weights };
}

/** Scores of every document by a model that saw none of its issuer. */
function crossValidate(cases: Case[]): Held[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const inFold = ({ group }: Case): boolean => hash(group) % FOLDS === fold;
    const { names, weights } = train(cases.filter((item) => !inFold(item)));
    const index = new Map(names.map((name, at) => [name, at]));
    return cases.filter(inFold).map((item) => {
      const known = [...item.features].map((name) => index.get(name)).filter((at) => at !== undefined);
      return { item, scores: scoresOf(known, weights, CLASSES) };
    });
  }).flat();
}

function hash(text: string): number {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0)!, 16777619) >>> 0;
  return value;
}

function report(held: Held[], temperature: number): void {
  for (const real of [true, false]) {
    const judged = held
      .filter(({ item }) => item.real === real && item.accepted.length < CLASSES)
      .map(({ item, scores }) => {
        const spread = probabilities(scores, temperature);
        const confidence = Math.max(...spread);
        const predicted = spread.indexOf(confidence);
        return { item, predicted, confidence, right: item.accepted.includes(predicted) };
      });
    const right = judged.filter((one) => one.right).length;
    const out = (line: string): void => void process.stdout.write(`${line}\n`);
    out(
      `${real ? 'real' : 'generated, and pictures put on sheets'}: accuracy ${(right / judged.length).toFixed(3)} (${String(right)}/${String(judged.length)}), ` +
        `ECE ${calibrationError(judged).toFixed(3)}, temperature ${String(temperature)}`,
    );
    for (const [label, type] of documentTypes.entries()) {
      const ofType = judged.filter(({ item }) => item.label === label);
      if (ofType.length === 0) continue;
      const wrong = ofType.filter((one) => !one.right).map(({ predicted }) => documentTypes[predicted]!);
      const counts = Object.entries(Object.groupBy(wrong, (name) => name)).map(
        ([name, list]) => `${name} ${String(list.length)}`,
      );
      out(
        `  ${type.padEnd(20)} ${String(ofType.length - wrong.length)}/${String(ofType.length)}  ${counts.join(', ')}`,
      );
    }
    if (real)
      for (const { item, predicted, confidence } of judged.filter((one) => !one.right))
        out(`    ${item.name}: ${documentTypes[predicted]!} ${confidence.toFixed(2)}`);
  }
}

await main();
