import { axisAlignedBox, type RotatedRect } from '../ocr/geometry.ts';
import type { TextRegion } from '../ocr/engine.ts';
import { printedRectangles } from './faint-papers.ts';
import { type Fit, fitRectangle } from './fit.ts';
import { mergePieces } from './merge.ts';
import { borderOf, colourDifference, type Piece, piecesOf } from './pieces.ts';
import { placeSeeds } from './seeds.ts';
import { isDocument, rectangleAround, textAngle, textBlocks } from './text-blocks.ts';
import { watershed } from './watershed.ts';
import type { EdgeMap } from './work-image.ts';

export interface Paper {
  /** In the picture's pixels. */
  rect: RotatedRect;
  lines: TextRegion[];
  /** 0 to 1. */
  confidence: number;
}

/** A piece that holds this much of the photo's frame is what the papers lie on, or the page itself. */
const GROUND_FRAME_SHARE = 0.25;
/** Of the photo: a card among many on one scan is larger. */
const MIN_AREA = 0.004;
/** Below this the piece is no rectangle: its edges were lost. */
const MIN_FILL = 0.72;
/** A document that fills this much of the picture is the picture. */
const WHOLE_PICTURE = 0.92;
/** How well two parts of one paper (a coloured panel, a folded half) fill their common rectangle. */
const JOINED_FILL = 0.93;
const SAME_COLOUR = 6;
/** Two papers of one colour that touch have at least their shadow between them. */
const TOUCHING_EDGE = 2;
/** Lines of one document follow each other within so many line heights. */
const LINE_GAP = 2.5;
const TEXT_ONLY_CONFIDENCE = 0.7;
const PAGE_CONFIDENCE = 0.9;
/** What holds so much of the text is a page with panels and tables on it; a table top has some false finds at most. */
const PAGE_TEXT = 0.15;
const MIN_PAGE_LINES = 3;
const MIN_FAINT_LINES = 3;
const FAINT_CONFIDENCE = 0.85;

/** A closer look at a part of the picture: the text lines on it, in the picture's pixels. */
export type Look = (rect: RotatedRect) => Promise<TextRegion[]>;

/** The papers and cards on a picture; one, the page itself, where it shows a single document. */
export async function findPapers(map: EdgeMap, lines: TextRegion[], look: Look): Promise<Paper[]> {
  const seeds = placeSeeds(map, lines);
  watershed(map, seeds.labels);
  const { group, limit } = mergePieces(map, seeds);
  const pieces = piecesOf(map, seeds, group);
  const frame = pieces.reduce((sum, piece) => sum + piece.frame, 0);
  const isGround = (piece: Piece): boolean => piece.frame >= GROUND_FRAME_SHARE * frame;
  const ground = pieces.filter((piece) => isGround(piece) || piece.lines.length === 0);
  const size = { width: map.width * map.scale, height: map.height * map.scale };
  const onGround = pieces.filter(isGround);
  const onPage =
    onGround.flatMap((piece) => piece.lines).length >= MIN_PAGE_LINES &&
    textOn(onGround, lines) > PAGE_TEXT * textOn(pieces, lines);
  if (onPage && textBlocks(lines, { ...size, loose: false }).length < 2) return [page(map, ground, lines)];
  const sheets = joinParts(
    map,
    pieces.filter((piece) => !isGround(piece)),
  );
  const seen = withoutNested(sheets.flatMap((sheet) => seenPaper(map, sheet, lines)));
  const found = withLoose(lines, seen, size);
  found.push(...(await faintPapers(printedRectangles(map, ground, limit), map.scale, found, look)));
  return found.length > 0 ? inReadingOrder(found) : [page(map, ground, lines)];
}

function textOn(pieces: Piece[], lines: TextRegion[]): number {
  return pieces.flatMap((piece) => piece.lines).reduce((sum, line) => sum + extentOf(lines[line]!), 0);
}

async function faintPapers(rects: RotatedRect[], scale: number, found: Paper[], look: Look): Promise<Paper[]> {
  const papers: Paper[] = [];
  for (const small of rects) {
    const rect = scaled(small, scale);
    if (found.some((paper) => holds(paper.rect, rect) || holds(rect, paper.rect))) continue;
    const lines = await look(rect);
    if (lines.length >= MIN_FAINT_LINES) papers.push({ rect, lines, confidence: FAINT_CONFIDENCE });
  }
  return papers;
}

const extentOf = ({ width, height }: TextRegion): number => Math.max(width, height);

interface Sheet {
  piece: Piece;
  fit: Fit;
}

function sheetOf(map: EdgeMap, piece: Piece): Sheet {
  return { piece, fit: fitRectangle({ width: map.width, pixels: piece.pixels }) };
}

/** Puts the parts of a paper together that edges of its print divide: coloured panels, halves with a fold between. */
function joinParts(map: EdgeMap, pieces: Piece[]): Sheet[] {
  const least = (MIN_AREA * map.width * map.height) / 2;
  let sheets = pieces
    .filter(({ pixels, lines }) => pixels.length >= least && lines.length > 0)
    .map((p) => sheetOf(map, p));
  for (let joined = true; joined;) {
    joined = false;
    for (let i = 0; i < sheets.length && !joined; i++) {
      for (let k = i + 1; k < sheets.length && !joined; k++) {
        const whole = asOne(map, sheets[i]!, sheets[k]!);
        if (!whole) continue;
        sheets = [...sheets.filter((_, index) => index !== i && index !== k), whole];
        joined = true;
      }
    }
  }
  return sheets;
}

function asOne(map: EdgeMap, a: Sheet, b: Sheet): Sheet | undefined {
  if (!boxesTouch(a.fit.rect, b.fit.rect)) return undefined;
  const { length, edge } = borderOf(map, a.piece, b.piece);
  if (length < Math.min(...[a, b].flatMap(({ fit }) => [fit.rect.width, fit.rect.height])) / 2) return undefined;
  if (edge > TOUCHING_EDGE && colourDifference(map, a.piece, b.piece) < SAME_COLOUR) return undefined;
  const whole = sheetOf(map, {
    pixels: [...a.piece.pixels, ...b.piece.pixels],
    frame: a.piece.frame + b.piece.frame,
    lines: [...a.piece.lines, ...b.piece.lines],
  });
  return whole.fit.fill >= JOINED_FILL ? whole : undefined;
}

function boxesTouch(one: RotatedRect, other: RotatedRect): boolean {
  const a = axisAlignedBox(one);
  const b = axisAlignedBox(other);
  const margin = 3;
  return (
    a.x <= b.x + b.width + margin &&
    b.x <= a.x + a.width + margin &&
    a.y <= b.y + b.height + margin &&
    b.y <= a.y + a.height + margin
  );
}

function seenPaper(map: EdgeMap, { piece, fit }: Sheet, lines: TextRegion[]): Paper[] {
  if (piece.pixels.length < MIN_AREA * map.width * map.height) return [];
  const own = piece.lines.map((line) => lines[line]!);
  const { rect, fill } = fitRectangle({ width: map.width, pixels: piece.pixels }, textAngle(own));
  const best = fill >= fit.fill ? { rect, fill } : fit;
  if (best.fill < MIN_FILL) return [];
  return [{ rect: scaled(best.rect, map.scale), lines: own, confidence: Math.min(0.99, 0.4 + 0.6 * best.fill) }];
}

const scaled = ({ cx, cy, width, height, angle }: RotatedRect, scale: number): RotatedRect => ({
  cx: cx * scale,
  cy: cy * scale,
  width: width * scale,
  height: height * scale,
  angle,
});

/** Panels, cells and photos on a paper have edges of their own. */
function withoutNested(papers: Paper[]): Paper[] {
  const bySize = [...papers].sort((a, b) => b.rect.width * b.rect.height - a.rect.width * a.rect.height);
  const kept: Paper[] = [];
  for (const paper of bySize) {
    const outer = kept.find(({ rect }) => holds(rect, paper.rect));
    if (outer) outer.lines = [...outer.lines, ...paper.lines];
    else kept.push(paper);
  }
  return kept;
}

function holds(rect: RotatedRect, { cx, cy }: { cx: number; cy: number }): boolean {
  const along = (cx - rect.cx) * Math.cos(rect.angle) + (cy - rect.cy) * Math.sin(rect.angle);
  const across = (cy - rect.cy) * Math.cos(rect.angle) - (cx - rect.cx) * Math.sin(rect.angle);
  return Math.abs(along) <= rect.width / 2 && Math.abs(across) <= rect.height / 2;
}

interface Size {
  width: number;
  height: number;
}

/**
 * Adds the documents whose edges can't be seen. A piece that text goes on beside is not a paper but a part of one that
 * an edge of its print closed off: its text is then loose, too.
 */
function withLoose(lines: TextRegion[], seen: Paper[], size: Size): Paper[] {
  const blocks = looseBlocks(lines, seen, size);
  const parts = seen.filter((paper) =>
    blocks.some((block) => block.lines.length * 2 >= paper.lines.length && goesOnBeside(paper, block)),
  );
  return parts.length === 0
    ? [...seen, ...blocks]
    : withLoose(
        lines,
        seen.filter((paper) => !parts.includes(paper)),
        size,
      );
}

function goesOnBeside(paper: Paper, block: Paper): boolean {
  const reach = LINE_GAP * usualHeight(paper.lines);
  const rect = { ...paper.rect, width: paper.rect.width + 2 * reach, height: paper.rect.height + 2 * reach };
  return block.lines.some((line) => endsOf(line).some((end) => holds(rect, end)));
}

function usualHeight(lines: TextRegion[]): number {
  const heights = lines.map(({ width, height }) => Math.min(width, height)).sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] ?? 0;
}

/** Both ends and the middle of a line. */
function endsOf({ cx, cy, width, height, angle }: TextRegion): { cx: number; cy: number }[] {
  const direction = width >= height ? angle : angle + Math.PI / 2;
  const half = (Math.max(width, height) - Math.min(width, height)) / 2;
  return [-half, 0, half].map((at) => ({ cx: cx + at * Math.cos(direction), cy: cy + at * Math.sin(direction) }));
}

function looseBlocks(lines: TextRegion[], seen: Paper[], size: Size): Paper[] {
  const free = lines.filter((line) => !seen.some(({ rect }) => holds(rect, line)));
  // What lies beside papers is more papers; alone, text in blocks is most often one page.
  const options = { ...size, loose: seen.length > 0 };
  return textBlocks(free, options)
    .filter((block) =>
      isDocument(
        block.map((line) => ({ box: axisAlignedBox(line) })),
        options,
      ),
    )
    .map((block) => ({ rect: rectangleAround(block), lines: block, confidence: TEXT_ONLY_CONFIDENCE }));
}

/** The whole picture, or the part of it that the page takes where its edge can be seen on some sides. */
function page(map: EdgeMap, ground: Piece[], lines: TextRegion[]): Paper {
  const { width, height, scale } = map;
  const whole = {
    cx: (width * scale) / 2,
    cy: (height * scale) / 2,
    width: width * scale,
    height: height * scale,
    angle: 0,
  };
  const pixels = ground.filter((piece) => piece.lines.length > 0).flatMap((piece) => piece.pixels);
  if (pixels.length === 0) return { rect: whole, lines, confidence: PAGE_CONFIDENCE };
  const { rect, fill } = fitRectangle({ width, pixels });
  const isPart = fill > WHOLE_PICTURE && rect.width * rect.height < WHOLE_PICTURE * width * height;
  const part = scaled(rect, scale);
  return isPart && lines.every((line) => holds(part, line))
    ? { rect: part, lines, confidence: PAGE_CONFIDENCE * fill }
    : { rect: whole, lines, confidence: PAGE_CONFIDENCE };
}

/** Row by row from the top, from the left in each. */
function inReadingOrder(papers: Paper[]): Paper[] {
  const left = [...papers].sort((a, b) => a.rect.cy - b.rect.cy);
  const ordered: Paper[] = [];
  while (left.length > 0) {
    const box = axisAlignedBox(left[0]!.rect);
    const row = left.filter(({ rect }) => rect.cy < box.y + box.height);
    ordered.push(...row.sort((a, b) => a.rect.cx - b.rect.cx));
    for (const paper of row) left.splice(left.indexOf(paper), 1);
  }
  return ordered;
}
