import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gapFeatures } from '../split/gap-features.ts';
import { type PageFacts, pageFacts } from '../split/page-facts.ts';
import { boundaryProbability, groupPages, type SplitModel, type WrittenPage, withoutBlanks } from '../split/split.ts';
import { type Composed, composeFile, type Part } from './compose.ts';
import { generateDocuments } from './generate.ts';
import { Random } from './random.ts';
import { calibrationError, type Example, fitRegression } from './regression.ts';
import { loadSamples } from './samples.ts';
import type { PageText, Word } from '../types.ts';

const SEED = 21;
const FOLDS = 5;
const FILES_PER_FOLD = 320;
const GENERATED_PER_TYPE = 60;
const RIDGE = 40;
const STEPS = 250;
const VERSION = 1;

interface Gap {
  features: Set<string>;
  boundary: boolean;
}

interface Fold {
  gaps: Gap[];
  files: Composed[];
  /** Real documents of several pages, which must stay whole. */
  whole: Part[];
}

/**
 * Trains the splitter on files composed of real and generated documents, prints what it does on documents that it was not
 * trained on, and writes documents/split/parameters.json. The same documents give the same bytes.
 *
 *   node documents/train/splitter.ts [--data ../shared/data] [--pages var/pages] [--dry]
 *
 * It classifies pages on the way: train the classifier first.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: '../shared/data' },
      pages: { type: 'string', default: 'var/pages' },
      dry: { type: 'boolean', default: false },
    },
  });
  const folds = composeFolds(await loadParts(values.data, values.pages));
  report(folds);
  if (values.dry) return;
  const model = train(folds.flatMap(({ gaps }) => gaps));
  const rows = Object.entries(model.weights).map(([name, weight]) => `${JSON.stringify(name)}:${String(weight)}`);
  const text = `{"version":${String(VERSION)},"weights":{\n${rows.join(',\n')}\n}}\n`;
  await writeFile(new URL('../split/parameters.json', import.meta.url), text);
  process.stdout.write(`parameters.json: ${String(rows.length)} features, ${String(text.length)} bytes\n`);
}

async function loadParts(data: string, pages: string): Promise<{ part: Part; real: boolean }[]> {
  const real = (await loadSamples(data, pages)).filter(({ pages: read }) => read.some((page) => page.words.length > 3));
  const invented = generateDocuments(GENERATED_PER_TYPE, SEED);
  return [
    ...real.map(({ type, issuer, pages: read }) => ({ part: { type, issuer, pages: read }, real: true })),
    ...invented.map(({ type, language, pages: written }) => ({
      part: { type, issuer: `generated ${type} ${language}`, pages: written },
      real: false,
    })),
  ];
}

/** Files are composed of the documents of one fold only: none of a tested file's issuers is trained on. */
function composeFolds(parts: { part: Part; real: boolean }[]): Fold[] {
  const random = new Random(SEED);
  return Array.from({ length: FOLDS }, (_, fold) => {
    const inFold = parts.filter(({ part }) => hash(part.issuer) % FOLDS === fold);
    const real = inFold.filter((one) => one.real).map(({ part }) => part);
    const invented = inFold.filter((one) => !one.real).map(({ part }) => part);
    const byType = balanced(random, real);
    const files = Array.from({ length: FILES_PER_FOLD }, () => composeFile(random, byType));
    const inventedFiles = Array.from({ length: FILES_PER_FOLD / 2 }, () => composeFile(random, invented));
    return {
      gaps: [...files, ...inventedFiles].flatMap(gapsOf),
      files,
      whole: real.filter(({ pages }) => pages.length > 1),
    };
  });
}

/** Receipts are half of the real documents and need not be half of the files. */
function balanced(random: Random, parts: Part[]): Part[] {
  const byType = Map.groupBy(parts, ({ type }) => type);
  return [...byType.values()].flatMap((list) => random.shuffle(list).slice(0, 14));
}

/** A page is in many composed files; what it says is found out once. */
const known = new WeakMap<Word[], Partial<Record<PageText['source'], PageFacts>>>();

function writtenPages(pages: PageText[]): WrittenPage[] {
  return withoutBlanks(pages, (page) => {
    const facts = known.get(page.words) ?? {};
    known.set(page.words, facts);
    facts[page.source] ??= pageFacts(page);
    return { ...facts[page.source]!, page };
  });
}

/** Every gap between written pages, seen from the true document before it. */
function gapsOf({ pages, owner }: Composed): Gap[] {
  const gaps: Gap[] = [];
  let open: { pages: PageFacts[]; owner: number | undefined } | undefined;
  for (const { facts, blankBefore } of writtenPages(pages)) {
    const part = owner[facts.page.page - 1];
    if (open) {
      const features = gapFeatures({ pages: open.pages, blankAfter: blankBefore }, facts);
      gaps.push({ features, boundary: part !== open.owner });
    }
    if (open && part === open.owner) open.pages.push(facts);
    else open = { pages: [facts], owner: part };
  }
  return gaps;
}

function train(gaps: Gap[]): SplitModel {
  const names = [...new Set(gaps.flatMap(({ features }) => [...features]))].sort();
  const index = new Map(names.map((name, at) => [name, at]));
  const boundaries = gaps.filter(({ boundary }) => boundary).length;
  // Pages that belong together count as much as boundaries, however many of each the files have.
  const whole = boundaries / Math.max(1, gaps.length - boundaries);
  const examples: Example[] = gaps.map(({ features, boundary }) => ({
    features: [...features].map((name) => index.get(name)!),
    label: boundary ? 1 : 0,
    weight: boundary ? 1 : whole,
  }));
  const weights = fitRegression(examples, { features: names.length, classes: 2, ridge: RIDGE, steps: STEPS });
  const odds = names.map(
    (name, at) => [name, Math.round((weights[at * 2 + 1]! - weights[at * 2]!) * 1000) / 1000] as const,
  );
  return { version: VERSION, weights: Object.fromEntries(odds) };
}

function hash(text: string): number {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0)!, 16777619) >>> 0;
  return value;
}

function report(folds: Fold[]): void {
  const counts = { hit: 0, said: 0, real: 0, perfect: 0, files: 0, broken: 0, whole: 0 };
  const claims: { confidence: number; right: boolean }[] = [];
  for (const [fold, { gaps, files, whole }] of folds.entries()) {
    const model = train(folds.filter((_, other) => other !== fold).flatMap((one) => one.gaps));
    for (const { features, boundary } of gaps) {
      const probability = boundaryProbability(features, model);
      claims.push({ confidence: Math.max(probability, 1 - probability), right: probability >= 0.5 === boundary });
    }
    for (const file of files) {
      const truth = starts(file);
      const found = firstPages(file.pages, model).slice(1);
      counts.hit += found.filter((page) => truth.includes(page)).length;
      counts.said += found.length;
      counts.real += truth.length;
      counts.files++;
      if (found.join() === truth.join()) counts.perfect++;
    }
    for (const part of whole) {
      counts.whole++;
      const found = firstPages(part.pages, model);
      if (found.length > 1) {
        counts.broken++;
        process.stdout.write(`  broken: ${part.type} ${part.issuer} ${found.join()} of ${String(part.pages.length)}\n`);
      }
    }
  }
  const [precision, recall] = [counts.hit / counts.said, counts.hit / counts.real];
  process.stdout.write(
    `composed files: boundary P ${precision.toFixed(3)} R ${recall.toFixed(3)} F1 ${((2 * precision * recall) / (precision + recall)).toFixed(3)}; ` +
      `perfect ${String(counts.perfect)}/${String(counts.files)}; whole documents kept ${String(counts.whole - counts.broken)}/${String(counts.whole)}; ` +
      `gaps: ECE ${calibrationError(claims).toFixed(3)}, right ${(claims.filter(({ right }) => right).length / claims.length).toFixed(3)}\n`,
  );
}

function firstPages(pages: PageText[], model: SplitModel): number[] {
  return groupPages(writtenPages(pages), model).map((group) => group.pages[0]!.page.page);
}

/** Pages on which the second and later documents begin. */
function starts({ owner }: Composed): number[] {
  const known = owner.flatMap((part, index) => (part === undefined ? [] : [{ part, page: index + 1 }]));
  return known.filter(({ part }, index) => index > 0 && part !== known[index - 1]!.part).map(({ page }) => page);
}

await main();
