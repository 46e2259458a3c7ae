import type { RgbImage } from '../ocr/engine.ts';
import type { Pdfium } from './pdfium.ts';

const BGRX = 3; // FPDFBitmap_BGRx
const RENDER_FLAGS = 0x01 | 0x800; // annotations, print quality
const POINTS_PER_INCH = 72;
const BASE_DPI = 200;
/** A page this large in points (a poster, or a photo placed at 1 point a pixel) is rendered smaller. */
const MAX_RENDER_PIXELS = 12_000_000;

export interface PageGeometry {
  width: number;
  height: number;
  dpi: number;
}

/** The page's size in pixels at the resolution that we read and report it at. */
export function pageGeometry(module: Pdfium, page: number): PageGeometry {
  const widthPoints = Math.max(1, module._FPDF_GetPageWidth(page));
  const heightPoints = Math.max(1, module._FPDF_GetPageHeight(page));
  const pixelsAtBase = widthPoints * heightPoints * (BASE_DPI / POINTS_PER_INCH) ** 2;
  const shrink = Math.min(1, Math.sqrt(MAX_RENDER_PIXELS / pixelsAtBase));
  const dpi = BASE_DPI * shrink;
  return {
    width: Math.max(1, Math.round((widthPoints * dpi) / POINTS_PER_INCH)),
    height: Math.max(1, Math.round((heightPoints * dpi) / POINTS_PER_INCH)),
    dpi: Math.round(dpi),
  };
}

export function renderPage(module: Pdfium, page: number, geometry: PageGeometry): RgbImage {
  const { width, height } = geometry;
  const stride = width * 4;
  const buffer = module.wasmExports.malloc(stride * height);
  const bitmap = module._FPDFBitmap_CreateEx(width, height, BGRX, buffer, stride);
  try {
    module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    module._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
    return { data: toRgb(module.HEAPU8.subarray(buffer, buffer + stride * height)), width, height };
  } finally {
    module._FPDFBitmap_Destroy(bitmap);
    module.wasmExports.free(buffer);
  }
}

function toRgb(bgrx: Uint8Array): Uint8Array {
  const pixels = bgrx.length / 4;
  const rgb = new Uint8Array(pixels * 3);
  for (let i = 0, from = 0, to = 0; i < pixels; i++, from += 4, to += 3) {
    rgb[to] = bgrx[from + 2]!;
    rgb[to + 1] = bgrx[from + 1]!;
    rgb[to + 2] = bgrx[from]!;
  }
  return rgb;
}
