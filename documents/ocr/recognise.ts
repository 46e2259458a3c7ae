import * as ort from 'onnxruntime-node';
import type { Word } from '../types.ts';
import { isIdeograph, latinClasses } from './alphabet.ts';
import { cropLine, LINE_HEIGHT, type LineStrip } from './crop.ts';
import { type CtcCharacter, decodeCtc } from './ctc.ts';
import type { OcrLine, RgbImage, TextRegion } from './engine.ts';
import { betterMrz, couldBeMrz, isComplete, looksLikeMrz, MRZ_STRETCH } from './mrz-line.ts';
import { splitWords, wholeLine } from './words.ts';

/** A line with more ideographs than this is read as Chinese, else it is Latin text with confusions. */
const IDEOGRAPH_SHARE = 0.5;

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
 * Reads each region; the result keeps the order of the regions and leaves out those without text. Lines of a machine
 * readable zone are read by the recogniser `mrz`. One line a run: batches
 * cost as much a pixel on a CPU (70 µs each), and the padding of their shorter lines on top.
 */
export async function recogniseLines(
  recogniser: Recogniser,
  image: RgbImage,
  regions: TextRegion[],
  { flipped = false, mrz }: { flipped?: boolean | undefined; mrz?: Recogniser } = {},
): Promise<OcrLine[]> {
  const lines: OcrLine[] = [];
  for (const region of regions) {
    const line = await recogniseLine({ recogniser, mrz: mrz ?? recogniser }, image, region, flipped);
    if (line) lines.push(line);
  }
  return lines;
}

async function recogniseLine(
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
  const tensor = new ort.Tensor('float32', strip.planes, [1, 3, LINE_HEIGHT, strip.width]);
  const output = (await session.run({ [session.inputNames[0]!]: tensor }))[session.outputNames[0]!]!;
  const [, steps = 0, classes = 0] = output.dims;
  const data = output.data as Float32Array;
  const any = decodeCtc(data, 0, steps, classes, { alphabet });
  const ideographs = any.filter((c) => isIdeograph(c.character)).length;
  if (ideographs === 0 || ideographs > any.length * IDEOGRAPH_SHARE) return any;
  return decodeCtc(data, 0, steps, classes, { alphabet, allowed: latin });
}

function toLine(region: TextRegion, words: Word[], characters: CtcCharacter[]): OcrLine | undefined {
  if (words.length === 0) return undefined;
  const confidence = characters.reduce((sum, c) => sum + c.probability, 0) / characters.length;
  return { text: words.map((word) => word.text).join(' '), confidence, region, words };
}
