import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-node';
import { detectText } from './detect.ts';
import type { LineReader, OcrLine, RecogniseOptions, RgbImage, TextRegion } from './engine.ts';
import { Helper } from './helper.ts';
import { type AlphabetName, findModels } from './models.ts';
import { simplifyModel } from './onnx/simplify.ts';
import { Recognisers } from './recognisers.ts';
import { sessionOptions } from './session-options.ts';
import { takeLines } from './take-lines.ts';

export interface PpOcrOptions {
  threads: number;
  /** Reads every print with this one recogniser. Default: the best for each. */
  alphabet?: AlphabetName;
}

/** Each helper holds some 60 MB of recognisers. */
const MAX_HELPERS = 3;

/** PP-OCR (detection v4; recognition v4, of accented letters v3) on onnxruntime. */
export class PpOcr implements LineReader {
  readonly name = 'pp-ocr-v4';
  readonly #detector: ort.InferenceSession;
  readonly #recognisers: Recognisers;
  readonly #helpers: Helper[];
  /** Pages in memory that threads share. */
  readonly #shared = new WeakMap<RgbImage, RgbImage>();

  private constructor(detector: ort.InferenceSession, recognisers: Recognisers, helpers: Helper[]) {
    this.#detector = detector;
    this.#recognisers = recognisers;
    this.#helpers = helpers;
  }

  /** Throws where onnxruntime or the models can't be loaded. */
  static async create({ threads, alphabet }: PpOcrOptions): Promise<PpOcr> {
    const model = simplifyModel(readFileSync(findModels().detector));
    const detector = await ort.InferenceSession.create(model, sessionOptions(threads));
    const recognisers = new Recognisers(alphabet);
    const count = Math.min(MAX_HELPERS, Math.max(0, threads - 1));
    const [helpers] = await Promise.all([
      Promise.all(Array.from({ length: count }, () => Helper.create(alphabet))),
      recognisers.load(),
    ]);
    return new PpOcr(detector, recognisers, helpers);
  }

  detect(image: RgbImage): Promise<TextRegion[]> {
    return detectText(this.#detector, image);
  }

  async recognise(image: RgbImage, regions: TextRegion[], options: RecogniseOptions = {}): Promise<OcrLine[]> {
    const next = new Int32Array(new SharedArrayBuffer(4));
    const isShared = regions.length > 1 && this.#helpers.length > 0;
    const request = { image: isShared ? this.#share(image) : image, regions, options, next };
    const helped = isShared ? this.#helpers.map((helper) => helper.takeLines(request)) : [];
    const read = (region: TextRegion): Promise<OcrLine | undefined> => this.#recognisers.read(image, region, options);
    const own = await takeLines(next, regions, read);
    const lines = new Map([...own, ...(await Promise.all(helped)).flat()]);
    // What a helper took and lost is read here after all.
    for (const [index, region] of regions.entries()) if (!lines.has(index)) lines.set(index, await read(region));
    return regions.flatMap((region, index) => {
      const line = lines.get(index);
      return line ? [{ ...line, region }] : [];
    });
  }

  async read(image: RgbImage): Promise<OcrLine[]> {
    return this.recognise(image, await this.detect(image));
  }

  async close(): Promise<void> {
    await Promise.all(this.#helpers.map((helper) => helper.close()));
    await this.#detector.release();
    await this.#recognisers.close();
  }

  #share(image: RgbImage): RgbImage {
    const known = this.#shared.get(image);
    if (known) return known;
    const data = new Uint8Array(new SharedArrayBuffer(image.data.length));
    data.set(image.data);
    const shared = { ...image, data };
    this.#shared.set(image, shared);
    return shared;
  }
}
