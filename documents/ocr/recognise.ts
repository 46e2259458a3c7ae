import * as ort from 'onnxruntime-node';
import { isIdeograph, latinClasses } from './alphabet.ts';
import { cropLine, LINE_HEIGHT, type LineStrip, stripWidth } from './crop.ts';
import { type CtcCharacter, decodeCtc } from './ctc.ts';
import type { OcrLine, RgbImage, TextRegion } from './engine.ts';
import { splitWords } from './words.ts';

/** Strip pixels in one run of the network: bounds its memory, and keeps the padding of short lines small. */
const BATCH_PIXELS = 2400;
const BATCH_LINES = 8;
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

/** Reads each region; the result keeps the order of the regions and leaves out those without text. */
export async function recogniseLines(
  recogniser: Recogniser,
  image: RgbImage,
  regions: TextRegion[],
  flipped = false,
): Promise<OcrLine[]> {
  const order = [...regions.keys()].sort((a, b) => stripWidth(regions[a]!) - stripWidth(regions[b]!));
  const lines = new Array<OcrLine | undefined>(regions.length);
  for (const batch of batchesOf(order, regions)) {
    const strips = batch.map((index) => cropLine(image, regions[index]!, flipped));
    const texts = await recogniseBatch(recogniser, strips);
    for (const [position, index] of batch.entries()) {
      lines[index] = toLine(regions[index]!, strips[position]!, texts[position]!);
    }
  }
  return lines.filter((line) => line !== undefined);
}

function* batchesOf(order: number[], regions: TextRegion[]): Generator<number[]> {
  let batch: number[] = [];
  let widest = 0;
  for (const index of order) {
    const width = stripWidth(regions[index]!);
    const narrowest = batch.length > 0 ? stripWidth(regions[batch[0]!]!) : width;
    const full = batch.length >= BATCH_LINES || Math.max(widest, width) * (batch.length + 1) > BATCH_PIXELS;
    if (batch.length > 0 && (full || width > narrowest * 1.3 + 16)) {
      yield batch;
      batch = [];
      widest = 0;
    }
    batch.push(index);
    widest = Math.max(widest, width);
  }
  if (batch.length > 0) yield batch;
}

async function recogniseBatch(recogniser: Recogniser, strips: LineStrip[]): Promise<CtcCharacter[][]> {
  const { session, alphabet, latin } = recogniser;
  const width = Math.ceil(Math.max(...strips.map((strip) => strip.width)) / 8) * 8;
  const input = new Float32Array(strips.length * 3 * LINE_HEIGHT * width);
  for (const [position, strip] of strips.entries()) copyStrip(strip, input, position, width);
  const tensor = new ort.Tensor('float32', input, [strips.length, 3, LINE_HEIGHT, width]);
  const output = (await session.run({ [session.inputNames[0]!]: tensor }))[session.outputNames[0]!]!;
  const [, steps = 0, classes = 0] = output.dims;
  const data = output.data as Float32Array;
  return strips.map((_, position) => {
    const offset = position * steps * classes;
    const any = decodeCtc(data, offset, steps, classes, { alphabet });
    const ideographs = any.filter((c) => isIdeograph(c.character)).length;
    if (ideographs === 0 || ideographs > any.length * IDEOGRAPH_SHARE) return any;
    return decodeCtc(data, offset, steps, classes, { alphabet, allowed: latin });
  });
}

function copyStrip(strip: LineStrip, input: Float32Array, position: number, width: number): void {
  const rows = 3 * LINE_HEIGHT;
  for (let row = 0; row < rows; row++) {
    input.set(strip.planes.subarray(row * strip.width, (row + 1) * strip.width), position * rows * width + row * width);
  }
}

function toLine(region: TextRegion, strip: LineStrip, characters: CtcCharacter[]): OcrLine | undefined {
  const words = splitWords(region, strip, characters);
  if (words.length === 0) return undefined;
  const confidence = characters.reduce((sum, c) => sum + c.probability, 0) / characters.length;
  return { text: words.map((word) => word.text).join(' '), confidence, region, words };
}
