import { rotateImage } from '../orientation/rotate.ts';
import type { Rotation } from '../types.ts';
import type { OcrEngine, OcrLine, RgbImage } from './engine.ts';

/** Words read with less are noise as often as text. */
const BELIEVABLE = 0.7;
/** Share of believable characters. Upright receipts gave 0.52 and more, upside down and sideways 0.14 and less (10 each). */
const UPRIGHT_SHARE = 0.3;
const TURNS = [180, 90, 270] as const satisfies Rotation[];

/**
 * For a reader that only reads whole pages: a page that reads as noise is probed in the other directions, on its middle
 * because noise takes several times as long to read as text.
 */
export async function readByTrial(
  ocr: OcrEngine,
  source: RgbImage,
): Promise<{ image: RgbImage; lines: OcrLine[]; rotation: Rotation }> {
  const lines = await ocr.read(source);
  if (lines.length === 0 || believableShare(lines) >= UPRIGHT_SHARE) return { image: source, lines, rotation: 0 };
  const middle = cropMiddle(source);
  let best = { share: UPRIGHT_SHARE, rotation: 0 as Rotation };
  for (const rotation of TURNS) {
    const share = believableShare(await ocr.read(rotateImage(middle, rotation)));
    if (share > best.share) best = { share, rotation };
  }
  if (best.rotation === 0) return { image: source, lines, rotation: 0 };
  const image = rotateImage(source, best.rotation);
  return { image, lines: await ocr.read(image), rotation: best.rotation };
}

function believableShare(lines: OcrLine[]): number {
  let believable = 0;
  let all = 0;
  for (const word of lines.flatMap((line) => line.words)) {
    all += word.text.length;
    if (word.confidence >= BELIEVABLE) believable += word.text.length;
  }
  return all === 0 ? 0 : believable / all;
}

/** The middle half of the width and of the height. */
function cropMiddle(image: RgbImage): RgbImage {
  const width = Math.ceil(image.width / 2);
  const height = Math.ceil(image.height / 2);
  const left = Math.floor((image.width - width) / 2);
  const top = Math.floor((image.height - height) / 2);
  const data = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const start = ((top + row) * image.width + left) * 3;
    data.set(image.data.subarray(start, start + width * 3), row * width * 3);
  }
  return { data, width, height };
}
