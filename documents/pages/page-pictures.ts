import { DocumentError } from '../errors.ts';
import type { Box } from '../types.ts';
import type { Pdfium } from './pdfium.ts';
import type { PageGeometry } from './raster.ts';

/** FPDF_PAGEOBJ_IMAGE, _PATH and _FORM of fpdf_edit.h. */
const [PATH, IMAGE, FORM] = [2, 3, 5];
const MAX_FORM_DEPTH = 8;
/** A page of more objects is a drawing: its pictures are not searched any further. */
const MAX_OBJECTS = 20_000;

export interface PagePictures {
  /** Where pictures lie, in page pixels. */
  boxes: Box[];
  /** Lines, fills and letters drawn as outlines. */
  paths: number;
}

/**
 * The pictures that a PDF page shows, from its objects alone: none is decoded.
 * @throws DocumentError TOO_LARGE where one claims more pixels than a page may have: it would be decoded whole.
 */
export function pagePictures(module: Pdfium, page: number, geometry: PageGeometry, maxPixels: number): PagePictures {
  const found: PagePictures = { boxes: [], paths: 0 };
  const scratch = module.wasmExports.malloc(32);
  const scale = geometry.width / Math.max(1, module._FPDF_GetPageWidth(page));
  let left = MAX_OBJECTS;
  const visit = (count: number, objectAt: (index: number) => number, depth: number): void => {
    for (let index = 0; index < count && left-- > 0; index++) {
      const object = objectAt(index);
      const type = object === 0 ? 0 : module._FPDFPageObj_GetType(object);
      if (type === PATH) found.paths++;
      if (type === IMAGE) {
        checkSize(module, object, scratch, maxPixels);
        if (depth === 0) found.boxes.push(boundsOf(module, object, scratch, scale, geometry.height));
      }
      if (type === FORM && depth < MAX_FORM_DEPTH) {
        const inner = module._FPDFFormObj_CountObjects(object);
        visit(inner, (i) => module._FPDFFormObj_GetObject(object, i), depth + 1);
        if (inner > 0 && depth === 0)
          found.boxes.push(...formPictures(module, object, scratch, scale, geometry.height));
      }
    }
  };
  try {
    visit(module._FPDFPage_CountObjects(page), (index) => module._FPDFPage_GetObject(page, index), 0);
    return found;
  } finally {
    module.wasmExports.free(scratch);
  }
}

/** A form that holds a picture and nothing else is that picture, as some scanners wrap it. */
function formPictures(module: Pdfium, form: number, scratch: number, scale: number, height: number): Box[] {
  const count = module._FPDFFormObj_CountObjects(form);
  for (let index = 0; index < Math.min(count, 4); index++) {
    if (module._FPDFPageObj_GetType(module._FPDFFormObj_GetObject(form, index)) !== IMAGE) return [];
  }
  return [boundsOf(module, form, scratch, scale, height)];
}

function checkSize(module: Pdfium, image: number, scratch: number, maxPixels: number): void {
  if (module._FPDFImageObj_GetImagePixelSize(image, scratch, scratch + 4) === 0) return;
  const view = new DataView(module.HEAPU8.buffer);
  const [width, height] = [view.getUint32(scratch, true), view.getUint32(scratch + 4, true)];
  if (width * height <= maxPixels) return;
  throw new DocumentError(
    'TOO_LARGE',
    `A picture in the PDF has ${String(width)} × ${String(height)} pixels; the limit is ${String(maxPixels)} in all.`,
    'file',
  );
}

function boundsOf(module: Pdfium, object: number, scratch: number, scale: number, pageHeight: number): Box {
  const none: Box = { x: 0, y: 0, width: 0, height: 0 };
  if (module._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return none;
  const view = new DataView(module.HEAPU8.buffer);
  const at = (offset: number): number => view.getFloat32(scratch + offset, true) * scale;
  const [left, bottom, right, top] = [at(0), at(4), at(8), at(12)];
  return { x: left, y: pageHeight - top, width: right - left, height: top - bottom };
}

/** Share of the page under its pictures, 0 to 1: pictures laid over each other count once, as far as a grid shows it. */
export function coverage(boxes: Box[], geometry: PageGeometry): number {
  const cells = 24;
  let covered = 0;
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const x = ((column + 0.5) * geometry.width) / cells;
      const y = ((row + 0.5) * geometry.height) / cells;
      if (boxes.some((box) => contains(box, x, y))) covered++;
    }
  }
  return covered / cells ** 2;
}

export const contains = (box: Box, x: number, y: number): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
