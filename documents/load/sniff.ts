export type Mime =
  'application/pdf' | 'image/png' | 'image/jpeg' | 'image/webp' | 'image/tiff' | 'image/heic' | 'application/xml';

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

/** Brands of ISO 23008-12 (HEIF) that a HEVC-coded picture is stored under. */
const HEIC_BRANDS = new Set(['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1']);
/** Readers accept a PDF header anywhere in the first kilobyte (ISO 32000-1 annex H): printer jobs put lines before it. */
const PDF_HEADER_REACH = 1024;
/** XML without a declaration is known by its first element. */
const XML_ROOT =
  /^(?:\uFEFF|\s)*(?:<\?xml\s|(?:<!--[\s\S]*?-->\s*)*<(?:[\w.-]+:)?(?:Invoice|CreditNote|Order|CrossIndustryInvoice|CrossIndustryDocument|SCRDMCCBDACIOMessageStructure)[\s>])/;

/** What people upload by mistake, by the bytes it begins with: so that the refusal can say what it is. */
const OTHERS: [RegExp, string][] = [
  [/^PK[^\x20-\x7e]{2}/, 'a ZIP archive or an Office document'],
  [/^\xd0\xcf[^\x20-\x7e]\xe0/, 'an old Office document'],
  [/^GIF8[79]a/, 'a GIF picture'],
  [/^BM[\s\S]{4}\0\0\0\0/, 'a BMP picture'],
  [/^[\s\S]{4}ftypavi[fs]/, 'an AVIF picture'],
  [/^[\s\S]{4}ftyp/, 'a video'],
  [/^[^\x20-\x7e]\x8b[^\x20-\x7e]/, 'a gzip archive'],
  [/^7z\xbc\xaf/, 'a 7z archive'],
  [/^Rar!/, 'a RAR archive'],
  [/^(?:MZ|\x7fELF|\xcf\xfa\xed\xfe|#!)/, 'a program'],
  [/^\{\\rtf/, 'an RTF document'],
  [/^%!PS/, 'a PostScript file'],
  [/^(?:\xef\xbb\xbf|\s)*<(?:!doctype html|html|head|body|script)/i, 'an HTML page'],
  [/^(?:\xef\xbb\xbf|\s)*<svg/i, 'an SVG drawing'],
];

/** What an unsupported file is, for the message of its refusal; undefined where we can't tell. */
export function nameOther(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes, 0, 256);
  return OTHERS.find(([pattern]) => pattern.test(head))?.[1];
}

/**
 * The type by content; a name or a declared type is never believed. The first byte decides before any later header does,
 * so a picture or an archive with a PDF inside is no PDF.
 */
export function sniffMime(bytes: Uint8Array): Mime | undefined {
  const head = latin1(bytes, 0, PDF_HEADER_REACH);
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'image/tiff';
  if (isHeic(head)) return 'image/heic';
  if (XML_ROOT.test(xmlHead(bytes))) return 'application/xml';
  if (head.includes('%PDF-') && nameOther(bytes) === undefined) return 'application/pdf';
  return undefined;
}

const isHeic = (head: string): boolean => head.slice(4, 8) === 'ftyp' && HEIC_BRANDS.has(head.slice(8, 12));

/** The beginning as text, in the encodings that XML may have without saying so. */
function xmlHead(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 4096);
  const [a, b] = head;
  const encoding = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(head);
}
