import type { CtcCharacter } from './ctc.ts';
import type { TextRegion } from './engine.ts';

/** Characters a line has in the machine readable zones of ICAO 9303: TD1, TD2 and MRV-B, TD3 and MRV-A. */
const LENGTHS = [30, 36, 44];
/** Fillers that make a line an MRZ: ordinary print has hardly one. */
const MIN_FILLERS = 3;
const MIN_LENGTH = 20;
/** A line of 30 characters of OCR-B is about 20 times as long as high. */
const MIN_ASPECT = 14;
/** What is left of a line whose fillers were not read. */
const MIN_REST = 10;
const MAX_GAPS = 2;

/**
 * The strip of such a line is read again this much wider: CTC needs a blank step between two equal letters, and a row of
 * fillers in condensed OCR-B has fewer steps than that.
 */
export const MRZ_STRETCH = 1.5;

const textOf = (characters: CtcCharacter[]): string =>
  characters
    .map((c) => c.character)
    .join('')
    .replace(/\s/g, '');

/**
 * Whether a line may belong to a machine readable zone, going by a recogniser that skips fillers: the one for ASCII kept
 * 19 to 29 of 44 characters on lines where that of accented letters kept 44.
 */
export function couldBeMrz({ width, height }: TextRegion, characters: CtcCharacter[]): boolean {
  if (width < height * MIN_ASPECT) return false;
  const text = textOf(characters);
  const proper = text.replace(/[^A-Z0-9<«]/g, '').length;
  const gaps = characters.filter((c) => c.character.trim() === '').length;
  return text.length >= MIN_REST && proper >= text.length * 0.85 && gaps <= MAX_GAPS;
}

/** Whether a line belongs to a machine readable zone: long, many fillers, no small letters to speak of. */
export function looksLikeMrz(characters: CtcCharacter[]): boolean {
  const text = textOf(characters);
  const fillers = text.replace(/[^<«]/g, '').length;
  const small = text.replace(/[^a-z]/g, '').length;
  return text.length >= MIN_LENGTH && fillers >= MIN_FILLERS && small <= text.length * 0.2;
}

/** Of two readings of the line the one that has a length of ICAO 9303; of two such, or none, the surer one. */
export function betterMrz(first: CtcCharacter[], second: CtcCharacter[]): CtcCharacter[] {
  if (isComplete(first) !== isComplete(second)) return isComplete(first) ? first : second;
  return sureness(second) > sureness(first) ? second : first;
}

/** Whether the reading has as many characters as a line of ICAO 9303. */
export const isComplete = (reading: CtcCharacter[]): boolean => LENGTHS.includes(textOf(reading).length);

const sureness = (reading: CtcCharacter[]): number =>
  reading.reduce((sum, c) => sum + c.probability, 0) / Math.max(1, reading.length);
