import { describe, expect, it } from '@jest/globals';
import { LINE_HEIGHT, type LineStrip, STEP_PIXELS } from '../../../documents/ocr/crop.ts';
import type { CtcCharacter } from '../../../documents/ocr/ctc.ts';
import type { TextRegion } from '../../../documents/ocr/engine.ts';
import { splitWords, wholeLine } from '../../../documents/ocr/words.ts';

interface Printed {
  region: TextRegion;
  strip: LineStrip;
  characters: CtcCharacter[];
}

/** A strip as the recogniser sees it: letters are black blocks of 20 by 24 pixels; `·` is a gap of 4 pixels, `_` of 24. */
function printed(line: string, read = line.replace(/[·_]/g, '')): Printed {
  const marks: { from: number; to: number }[] = [];
  let x = 8;
  for (const character of line) {
    if (character === '·') x += 4;
    else if (character === '_') x += 24;
    else {
      marks.push({ from: x, to: x + 20 });
      x += 24;
    }
  }
  const width = Math.ceil((x + 8) / STEP_PIXELS) * STEP_PIXELS;
  const planes = new Float32Array(3 * LINE_HEIGHT * width).fill(1);
  for (const { from, to } of marks) {
    for (let row = 0; row < 3 * LINE_HEIGHT; row++) {
      const inLetter = Math.abs((row % LINE_HEIGHT) - LINE_HEIGHT / 2) < 12;
      if (inLetter) planes.fill(-1, row * width + from, row * width + to);
    }
  }
  let next = 0;
  const characters = Array.from(read, (character) => {
    const mark = character === ' ' ? marks[next]! : marks[next++]!;
    const middle = character === ' ' ? mark.from - 6 : (mark.from + mark.to) / 2;
    return { character, probability: 0.9, step: Math.floor(middle / STEP_PIXELS) };
  });
  const region = { cx: 500, cy: 100, width: width / 2, height: LINE_HEIGHT / 2, angle: 0, score: 1 };
  return { region, strip: { planes, width }, characters };
}

const textsOf = ({ region, strip, characters }: Printed): string[] =>
  splitWords(region, strip, characters).map((word) => word.text);

describe('the words of a line', () => {
  it('part where the recogniser read a space', () => {
    expect(textsOf(printed('TOTAL·RM', 'TOTAL RM'))).toEqual(['TOTAL', 'RM']);
  });

  it('part at a wide gap in the ink where the recogniser dropped the space', () => {
    expect(textsOf(printed('TOTAL_RM'))).toEqual(['TOTAL', 'RM']);
  });

  it('stay whole where letters merely stand a little apart', () => {
    expect(textsOf(printed('T·OTAL'))).toEqual(['TOTAL']);
  });

  it('keep a number whole that is printed with its separators spaced out', () => {
    expect(textsOf(printed('12_._50'))).toEqual(['12.50']);
  });

  it('stand in the page where their letters stand in the strip', () => {
    const line = printed('AB_CD');
    const [first, second] = splitWords(line.region, line.strip, line.characters);
    const left = line.region.cx - line.region.width / 2;
    // Strip pixels are half page pixels here: AB is printed from 8 to 52, CD from 80 to 124.
    expect(first!.bbox.x).toBeGreaterThanOrEqual(left);
    expect(Math.abs(first!.bbox.x + first!.bbox.width - (left + 26))).toBeLessThan(6);
    expect(Math.abs(second!.bbox.x - (left + 40))).toBeLessThan(6);
  });

  it('are none where nothing was read', () => {
    const { region, strip } = printed('A');
    expect(splitWords(region, strip, [])).toEqual([]);
  });

  it('are one in a machine readable zone, whatever its gaps', () => {
    const { region, strip, characters } = printed('P<_UTO', 'P< UTO');
    expect(wholeLine(region, strip, characters).text).toBe('P<UTO');
  });
});
