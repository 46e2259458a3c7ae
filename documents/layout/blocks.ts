import type { Line, Segment } from './lines.ts';
import { unionBox } from './lines.ts';
import type { Box } from '../types.ts';

export interface BlockLine extends Segment {
  line: Line;
}

/** Segments that stand under each other with a common left edge: an address, a column of labels. */
export interface Block {
  page: number;
  lines: BlockLine[];
  bbox: Box;
}

/** Line gaps wider than this many line heights end a block. */
const MAX_GAP = 1.1;
const LEFT_TOLERANCE = 1;

export function layoutBlocks(lines: Line[]): Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    for (const segment of line.segments) {
      const entry: BlockLine = { ...segment, line };
      const home = blocks.findLast((block) => continues(block, entry));
      if (home) {
        home.lines.push(entry);
        home.bbox = unionBox([home.bbox, segment.bbox]);
      } else blocks.push({ page: line.page, lines: [entry], bbox: segment.bbox });
    }
  }
  return blocks;
}

function continues(block: Block, entry: BlockLine): boolean {
  const last = block.lines.at(-1)!;
  if (block.page !== entry.line.page || last.line === entry.line) return false;
  const height = Math.min(last.bbox.height, entry.bbox.height);
  const gap = entry.bbox.y - (last.bbox.y + last.bbox.height);
  const aligned = Math.abs(entry.bbox.x - last.bbox.x) <= height * LEFT_TOLERANCE;
  const sameSize = Math.max(last.bbox.height, entry.bbox.height) < height * 1.6;
  return gap < height * MAX_GAP && gap > -height && aligned && sameSize;
}
