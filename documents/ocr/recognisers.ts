import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-node';
import { readAlphabet } from './alphabet.ts';
import type { OcrLine, Print, RecogniseOptions, RgbImage, TextRegion } from './engine.ts';
import { type AlphabetName, findModels, type ModelFiles } from './models.ts';
import { simplifyModel } from './onnx/simplify.ts';
import { createRecogniser, type Recogniser, recogniseLine } from './recognise.ts';
import { sessionOptions } from './session-options.ts';

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

/** The recognisers of one thread, each loaded when it is first asked for. */
export class Recognisers {
  readonly #models: ModelFiles = findModels();
  readonly #only: AlphabetName | undefined;
  readonly #loaded = new Map<AlphabetName, Promise<Recogniser>>();

  /** @param only reads every print with this one. Default: the best for each. */
  constructor(only?: AlphabetName) {
    this.#only = only;
  }

  /** The first page is not to wait for the recognisers that most pages need. */
  async load(): Promise<void> {
    await Promise.all([this.#recogniser('clean'), this.#recogniser('rough')]);
  }

  /** The line with the region as it was given; undefined where it holds no text. */
  async read(image: RgbImage, region: TextRegion, options: RecogniseOptions): Promise<OcrLine | undefined> {
    const { print = 'rough', flipped = false } = options;
    const readers = { recogniser: await this.#recogniser(print), mrz: await this.#recogniser('clean') };
    const line = await recogniseLine(readers, image, print === 'rough' ? grown(region) : region, flipped);
    return line && { ...line, region };
  }

  async close(): Promise<void> {
    for (const recogniser of this.#loaded.values()) await (await recogniser).session.release();
  }

  #recogniser(print: Print): Promise<Recogniser> {
    const wanted = this.#only ?? BEST[print];
    const name = this.#models.recognisers[wanted] ? wanted : 'ch';
    const loaded = this.#loaded.get(name) ?? this.#load(name);
    this.#loaded.set(name, loaded);
    return loaded;
  }

  async #load(name: AlphabetName): Promise<Recogniser> {
    const files = this.#models.recognisers[name];
    if (!files) throw new Error(`PP-OCR's recogniser for ${name} is not installed`);
    // One thread each: lines are shared out between threads instead, which wait for each other at the end of a page only.
    const session = await ort.InferenceSession.create(simplifyModel(readFileSync(files.model)), sessionOptions(1));
    return createRecogniser(session, readAlphabet(files.dictionary));
  }
}
