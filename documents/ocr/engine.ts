import type { Word } from '../types.ts';

/** Interleaved 8-bit RGB. */
export interface RgbImage {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A text line as a rotated rectangle: centre, size along and across the reading direction, angle in radians. */
export interface TextRegion {
  cx: number;
  cy: number;
  width: number;
  height: number;
  angle: number;
  score: number;
}

export interface OcrLine {
  text: string;
  confidence: number;
  region: TextRegion;
  words: Word[];
}

export interface OcrEngine {
  readonly name: string;
  read(image: RgbImage): Promise<OcrLine[]>;
  close(): Promise<void>;
}

/**
 * Which recogniser reads best: `clean` print (rendered pages, good scans) that with the accented letters, `rough` print
 * (worn receipts, photos) that for ASCII, `chinese` that for ideographs.
 */
export type Print = 'clean' | 'rough' | 'chinese';

export interface RecogniseOptions {
  /** The lines are read upside down. Default false. */
  flipped?: boolean;
  /** Default `rough`. */
  print?: Print;
}

/** A reader that finds the lines of a page first, and then reads any of them, also upside down. */
export interface LineReader extends OcrEngine {
  detect(image: RgbImage): Promise<TextRegion[]>;
  /** Reads each region, in their order; regions without text give no line. Boxes are in the pixels of `image`. */
  recognise(image: RgbImage, regions: TextRegion[], options?: RecogniseOptions): Promise<OcrLine[]>;
}

export const isLineReader = (ocr: OcrEngine): ocr is LineReader => 'detect' in ocr && 'recognise' in ocr;
