import { describe, expect, it } from '@jest/globals';
import type { CtcCharacter } from '../../../documents/ocr/ctc.ts';
import { betterMrz, couldBeMrz, looksLikeMrz } from '../../../documents/ocr/mrz-line.ts';

const reading = (text: string, probability = 0.9): CtcCharacter[] =>
  Array.from(text, (character, step) => ({ character, probability, step }));

/** The specimen of ICAO 9303 part 4, appendix B. */
const TD3 = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10';

describe('a line of a machine readable zone', () => {
  it('is known by its fillers', () => {
    expect(looksLikeMrz(reading(TD3))).toBe(true);
    expect(looksLikeMrz(reading('P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<'))).toBe(true);
  });

  it('is not a line of text, nor a short one with arrows', () => {
    expect(looksLikeMrz(reading('Total amount payable 1,250.00 MYR'))).toBe(false);
    expect(looksLikeMrz(reading('<<< next'))).toBe(false);
    expect(looksLikeMrz(reading('for (a<b; b<c; c<d) print the results'))).toBe(false);
    expect(looksLikeMrz([])).toBe(false);
  });

  it('may be one though the recogniser skipped its fillers, if it is long, in capitals and without spaces', () => {
    const region = { cx: 0, cy: 0, width: 600, height: 20, angle: 0, score: 1 };
    expect(couldBeMrz(region, reading('PUTOERIKSSONANNAMARIA<'))).toBe(true);
    expect(couldBeMrz({ ...region, width: 200 }, reading('PUTOERIKSSONANNAMARIA<'))).toBe(false);
    expect(couldBeMrz(region, reading('Eriksson, Anna Maria, born in Zenith'))).toBe(false);
    expect(couldBeMrz(region, reading('TOTAL 12 500 00 EUR'))).toBe(false);
    expect(couldBeMrz(region, reading('RM 12'))).toBe(false);
  });

  it('is taken from the reading that kept all of its characters, though the other is surer', () => {
    const short = reading(TD3.replace('<<<<<', '<<<'), 0.99);
    expect(betterMrz(short, reading(TD3, 0.8))).toEqual(reading(TD3, 0.8));
    expect(betterMrz(reading(TD3, 0.8), short)).toEqual(reading(TD3, 0.8));
  });

  it('is taken from the surer of two complete readings', () => {
    expect(betterMrz(reading(TD3, 0.8), reading(TD3, 0.9))).toEqual(reading(TD3, 0.9));
  });
});
