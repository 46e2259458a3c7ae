import * as ort from 'onnxruntime-node';
import type { Word } from '../types.ts';
import { isIdeograph, latinClasses } from './alphabet.ts';
import { cropLine, LINE_HEIGHT, type LineStrip, STEP_PIXELS, withMargin } from './crop.ts';
import { type CtcCharacter, decodeCtc } from './ctc.ts';
import type { OcrLine, RgbImage, TextRegion } from './engine.ts';
import { betterMrz, couldBeMrz, isComplete, looksLikeMrz, MRZ_STRETCH } from './mrz-line.ts';
import { splitWords, wholeLine } from './words.ts';

/** A line with more ideographs than this is read as Chinese, else it is Latin text with confusions. */
const IDEOGRAPH_SHARE = 0.5;
/**
 * Strip pixels behind a line, as behind all but the longest line of a batch that PP-OCR was trained on. With them, and in exact
 * proportion, four fields of 60 receipts: .864 (F1, exact); without, and widened to whole time steps: .828. 32 or 64: the same.
 */
const MARGIN = 16;

export interface Recogniser {
  session: ort.InferenceSession;
  alphabet: string[];
  latin: Uint32Array;
}

export function createRecogniser(session: ort.InferenceSession, alphabet: string[]): Recogniser {
  const mask = latinClasses(alphabet);
  const latin = Uint32Array.from([...mask.keys()].filter((index) => index > 0 && mask[index] === 1));
  return { session, alphabet, latin };
}

/**
 * Reads one region; undefined where it holds no text. A line of a machine readable zone is read by the recogniser `mrz`. One
 * line a run: batches cost as much a pixel on a CPU (70 µs each), and the padding of their shorter lines on top.
 */
export async function recogniseLine(
  { recogniser, mrz }: { recogniser: Recogniser; mrz: Recogniser },
  image: RgbImage,
  region: TextRegion,
  flipped: boolean,
): Promise<OcrLine | undefined> {
  const strip = cropLine(image, region, { flipped });
  const characters = await recogniseStrip(recogniser, strip);
  if (couldBeMrz(region, characters)) {
    const found = mrz === recogniser ? characters : await recogniseStrip(mrz, strip);
    if (looksLikeMrz(found)) return mrzLine(mrz, image, region, { strip, characters: found, flipped });
  }
  return toLine(region, splitWords(region, strip, characters), characters);
}

/** Reads the line once more in a wider strip where characters are missing. */
async function mrzLine(
  mrz: Recogniser,
  image: RgbImage,
  region: TextRegion,
  first: { strip: LineStrip; characters: CtcCharacter[]; flipped: boolean },
): Promise<OcrLine | undefined> {
  const { strip, characters, flipped } = first;
  if (isComplete(characters)) return toLine(region, [wholeLine(region, strip, characters)], characters);
  const wide = cropLine(image, region, { flipped, stretch: MRZ_STRETCH });
  const again = await recogniseStrip(mrz, wide);
  const best = betterMrz(characters, again);
  return toLine(region, [wholeLine(region, best === again ? wide : strip, best)], best);
}

async function recogniseStrip(recogniser: Recogniser, strip: LineStrip): Promise<CtcCharacter[]> {
  const { session, alphabet, latin } = recogniser;
  const { planes, width } = withMargin(strip, MARGIN);
  const tensor = new ort.Tensor('float32', planes, [1, 3, LINE_HEIGHT, width]);
  const output = (await session.run({ [session.inputNames[0]!]: tensor }))[session.outputNames[0]!]!;
  const [, steps = 0, classes = 0] = output.dims;
  const data = output.data as Float32Array;
  const any = decodeCtc(data, 0, steps, classes, { alphabet });
  const ideographs = any.filter((c) => isIdeograph(c.character)).length;
  const isText = ideographs === 0 || ideographs > any.length * IDEOGRAPH_SHARE;
  const read = isText ? any : decodeCtc(data, 0, steps, classes, { alphabet, allowed: latin });
  // A last letter may peak in the margin.
  const last = Math.ceil(strip.width / STEP_PIXELS) - 1;
  return read.map((c) => (c.step > last ? { ...c, step: last } : c));
}

function toLine(region: TextRegion, words: Word[], characters: CtcCharacter[]): OcrLine | undefined {
  if (words.length === 0) return undefined;
  const confidence = characters.reduce((sum, c) => sum + c.probability, 0) / characters.length;
  return { text: words.map((word) => word.text).join(' '), confidence, region, words };
}
