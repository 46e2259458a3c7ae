import type { Box, Word } from '../types.ts';
import { contains, coverage, type PagePictures } from './page-pictures.ts';
import type { PageGeometry } from './raster.ts';
import type { TextLayer } from './text-layer.ts';

/** Below this share of believable characters a text layer is read from the picture instead. */
const MIN_TRUST = 0.9;
/** A scan with a stamp or a page number as its only text is a picture. */
const MIN_CHARACTERS = 40;
/** So many lines and fills with hardly a letter beside them are letters drawn as outlines. */
const OUTLINED_PATHS = 150;
/** Pictures on this share of a page are more than its logo. */
const MIXED_COVERAGE = 0.35;
/** A picture under so many words is the page's background. */
const BACKGROUND_WORDS = 12;

/** What of a PDF page is read: its layer, its picture, or both (the picture holds what the layer lacks). */
export type LayerChoice = 'layer' | 'picture' | 'both';

export function chooseLayer(layer: TextLayer, pictures: PagePictures, geometry: PageGeometry): LayerChoice {
  const drawn = pictures.boxes.length > 0 || pictures.paths >= OUTLINED_PATHS;
  const characters = layer.words.reduce((sum, word) => sum + word.text.length, 0);
  // Nothing there at all, or a few words on an otherwise empty page.
  if (!drawn && (characters === 0 || layer.trust >= MIN_TRUST)) return 'layer';
  if (layer.trust < MIN_TRUST || characters === 0) return 'picture';
  if (characters < MIN_CHARACTERS) return 'both';
  if (coverage(pictures.boxes, geometry) < MIXED_COVERAGE) return 'layer';
  const onPictures = layer.words.filter((word) => pictures.boxes.some((box) => isOn(word, box))).length;
  return onPictures >= BACKGROUND_WORDS || layer.rotation !== 0 ? 'layer' : 'both';
}

const isOn = ({ bbox }: Word, box: Box): boolean => contains(box, bbox.x + bbox.width / 2, bbox.y + bbox.height / 2);

/** The layer's words, exact as they are, and those of the picture that stand where the layer has none. */
export function mergeWords(layer: Word[], read: Word[]): Word[] {
  return [...layer, ...read.filter((word) => !layer.some((known) => overlaps(known.bbox, word.bbox)))];
}

function overlaps(a: Box, b: Box): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 && width * height > 0.25 * Math.min(a.width * a.height, b.width * b.height);
}
