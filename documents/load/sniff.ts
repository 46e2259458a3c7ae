export type Mime = 'application/pdf' | 'image/png' | 'image/jpeg' | 'image/webp' | 'image/tiff';

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

/** The type by content; a name or a declared type is never believed. */
export function sniffMime(bytes: Uint8Array): Mime | undefined {
  // Readers accept a PDF header anywhere in the first kilobyte (ISO 32000-1 annex H).
  if (ascii(bytes, 0, 1024).includes('%PDF-')) return 'application/pdf';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  const magic = ascii(bytes, 0, 4);
  if (magic === 'II*\0' || magic === 'MM\0*') return 'image/tiff';
  return undefined;
}
