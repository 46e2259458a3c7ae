import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-node';
import { readAlphabet } from './alphabet.ts';
import { detectText } from './detect.ts';
import type { LineReader, OcrLine, Print, RecogniseOptions, RgbImage, TextRegion } from './engine.ts';
import { type AlphabetName, findModels, type ModelFiles } from './models.ts';
import { simplifyModel } from './onnx/simplify.ts';
import { createRecogniser, type Recogniser, recogniseLines } from './recognise.ts';

export interface PpOcrOptions {
  threads: number;
  /** Reads every print with this one recogniser. Default: the best for each. */
  alphabet?: AlphabetName;
}

/**
 * Worn print runs beyond what the detector sees of it: its lines are read from boxes that are larger by this share of their
 * height (PaddleOCR's unclip ratio is then 1.8 instead of 1.5). Of receipts, .96 of the totals are right with it, .90 without.
 */
const ROUGH_GROWTH = 0.12;

const BEST: Record<Print, AlphabetName> = { clean: 'latin', rough: 'ch', chinese: 'ch' };

/** The line with some of what surrounds it. */
function grown(region: TextRegion): TextRegion {
  const more = ROUGH_GROWTH * Math.min(region.width, region.height);
  return { ...region, width: region.width + more, height: region.height + more };
}

/** PP-OCR (detection v4; recognition v4, of accented letters v3) on onnxruntime. */
export class PpOcr implements LineReader {
  readonly name = 'pp-ocr-v4';
  readonly #detector: ort.InferenceSession;
  readonly #models: ModelFiles;
  readonly #options: PpOcrOptions;
  readonly #recognisers = new Map<AlphabetName, Promise<Recogniser>>();

  private constructor(detector: ort.InferenceSession, models: ModelFiles, options: PpOcrOptions) {
    this.#detector = detector;
    this.#models = models;
    this.#options = options;
  }

  /** Throws where onnxruntime or the models can't be loaded. */
  static async create(options: PpOcrOptions): Promise<PpOcr> {
    const models = findModels();
    const detector = await ort.InferenceSession.create(
      simplifyModel(readFileSync(models.detector)),
      sessionOptions(options.threads),
    );
    const reader = new PpOcr(detector, models, options);
    // The first page is not to wait for the recognisers that most pages need; few need the Chinese one.
    await Promise.all([reader.#recogniser('clean'), reader.#recogniser('rough')]);
    return reader;
  }

  detect(image: RgbImage): Promise<TextRegion[]> {
    return detectText(this.#detector, image);
  }

  async recognise(image: RgbImage, regions: TextRegion[], options: RecogniseOptions = {}): Promise<OcrLine[]> {
    const { print = 'rough', flipped } = options;
    const recogniser = await this.#recogniser(print);
    const mrz = await this.#recogniser('clean');
    if (print !== 'rough') return recogniseLines(recogniser, image, regions, { flipped, mrz });
    const found = new Map(regions.map((region) => [grown(region), region]));
    const lines = await recogniseLines(recogniser, image, [...found.keys()], { flipped, mrz });
    return lines.map((line) => ({ ...line, region: found.get(line.region) ?? line.region }));
  }

  async read(image: RgbImage): Promise<OcrLine[]> {
    return this.recognise(image, await this.detect(image));
  }

  async close(): Promise<void> {
    await this.#detector.release();
    for (const recogniser of this.#recognisers.values()) await (await recogniser).session.release();
  }

  #recogniser(print: Print): Promise<Recogniser> {
    const wanted = this.#options.alphabet ?? BEST[print];
    const name = this.#models.recognisers[wanted] ? wanted : 'ch';
    const loaded = this.#recognisers.get(name) ?? this.#load(name);
    this.#recognisers.set(name, loaded);
    return loaded;
  }

  async #load(name: AlphabetName): Promise<Recogniser> {
    const files = this.#models.recognisers[name];
    if (!files) throw new Error(`PP-OCR's recogniser for ${name} is not installed`);
    const model = simplifyModel(readFileSync(files.model));
    const session = await ort.InferenceSession.create(model, sessionOptions(this.#options.threads));
    return createRecogniser(session, readAlphabet(files.dictionary));
  }
}

function sessionOptions(threads: number): ort.InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // Every page has another shape: arenas and patterns of past shapes would only pile up.
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
    // A spinning thread takes the core from the other children.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
}
