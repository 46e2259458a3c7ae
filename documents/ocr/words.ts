import type { Word } from '../types.ts';
import { LINE_HEIGHT, type LineStrip, STEP_PIXELS } from './crop.ts';
import type { CtcCharacter } from './ctc.ts';
import type { TextRegion } from './engine.ts';
import { axisAlignedBox } from './geometry.ts';
import { quantiles } from './quantiles.ts';

/** A blank run this wide (in line heights) between two characters is a space that the recogniser may have dropped. */
const SPACE_WIDTH = 0.2;

/** Splits a line at the spaces that were read, and at gaps in the ink that are wide for this line. */
export function splitWords(region: TextRegion, strip: LineStrip, characters: CtcCharacter[]): Word[] {
  const gaps = inkGaps(strip, characters);
  const inner = gaps.filter((gap) => gap > 0).sort((a, b) => a - b);
  const usual = inner[Math.floor(inner.length / 2)] ?? 0;
  const threshold = Math.max(SPACE_WIDTH * LINE_HEIGHT, 2.5 * usual);
  const words: Word[] = [];
  let run: CtcCharacter[] = [];
  const finish = (): void => {
    if (run.length > 0) words.push(toWord(region, strip, run));
    run = [];
  };
  for (const [index, character] of characters.entries()) {
    if (character.character.trim() === '') {
      finish();
      continue;
    }
    const gap = gaps[index - 1] ?? 0;
    if (run.length > 0 && gap > threshold && !joinsNumber(characters, index)) finish();
    run.push(character);
  }
  finish();
  return words;
}

/** The line as one word, whatever its gaps: a machine readable zone has no spaces. */
export function wholeLine(region: TextRegion, strip: LineStrip, characters: CtcCharacter[]): Word {
  return toWord(
    region,
    strip,
    characters.filter((c) => c.character.trim() !== ''),
  );
}

/** "1 , 250 . 00": printers space the separators of a number out, but it is one word. */
function joinsNumber(characters: CtcCharacter[], index: number): boolean {
  const before = characters[index - 1]?.character ?? '';
  const here = characters[index]?.character ?? '';
  return (/\d/.test(before) && /[.,]/.test(here)) || (/[.,]/.test(before) && /\d/.test(here) && index > 1);
}

/** For each character but the last: the widest run of columns without ink up to the next character. */
function inkGaps(strip: LineStrip, characters: CtcCharacter[]): number[] {
  const ink = inkColumns(strip);
  const gaps: number[] = [];
  for (let index = 0; index + 1 < characters.length; index++) {
    const from = Math.round((characters[index]!.step + 0.5) * STEP_PIXELS);
    const to = Math.min(strip.width, Math.round((characters[index + 1]!.step + 0.5) * STEP_PIXELS));
    let widest = 0;
    let run = 0;
    for (let x = from; x < to; x++) {
      run = ink[x] ? 0 : run + 1;
      if (run > widest) widest = run;
    }
    gaps.push(widest);
  }
  return gaps;
}

/** 1 for each column that holds a pixel clearly away from the line's background. */
function inkColumns(strip: LineStrip): Uint8Array {
  const green = strip.planes.subarray(LINE_HEIGHT * strip.width, 2 * LINE_HEIGHT * strip.width);
  const [dark = -1, median = 1, light = 1] = quantiles(green, [0.05, 0.5, 0.95]);
  const background = light - median < median - dark ? light : dark;
  const limit = (light - dark) * 0.4;
  const ink = new Uint8Array(strip.width);
  // The outermost rows often hold parts of the neighbouring lines.
  for (let row = 5; row < LINE_HEIGHT - 5; row++) {
    for (let x = 0; x < strip.width; x++) {
      if (Math.abs(green[row * strip.width + x]! - background) > limit) ink[x] = 1;
    }
  }
  return ink;
}

function toWord(region: TextRegion, strip: LineStrip, run: CtcCharacter[]): Word {
  const pitch = run.length > 1 ? ((run.at(-1)!.step - run[0]!.step) * STEP_PIXELS) / (run.length - 1) : LINE_HEIGHT / 2;
  const left = Math.max(0, (run[0]!.step + 0.5) * STEP_PIXELS - pitch / 2 - 2);
  const right = Math.min(strip.width, (run.at(-1)!.step + 0.5) * STEP_PIXELS + pitch / 2 + 2);
  const scale = region.width / strip.width;
  const along = ((left + right) / 2) * scale - region.width / 2;
  const bbox = axisAlignedBox({
    cx: region.cx + along * Math.cos(region.angle),
    cy: region.cy + along * Math.sin(region.angle),
    width: (right - left) * scale,
    height: region.height,
    angle: region.angle,
  });
  return {
    text: run.map((c) => c.character).join(''),
    confidence: run.reduce((sum, c) => sum + c.probability, 0) / run.length,
    bbox,
  };
}
