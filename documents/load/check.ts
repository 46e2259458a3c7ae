import { DocumentError } from '../errors.ts';
import type { Limits } from '../types.ts';
import { type Mime, nameOther, sniffMime } from './sniff.ts';

/** The checks that need no parser: cheap enough for the parent process. */
export function checkBytes(bytes: Uint8Array, bounds: Required<Limits>): Mime {
  if (bytes.length === 0) throw new DocumentError('EMPTY', 'The file is empty.', 'file');
  if (bytes.length > bounds.maxBytes) {
    throw new DocumentError(
      'TOO_LARGE',
      `The file has ${String(bytes.length)} bytes; the limit is ${String(bounds.maxBytes)}.`,
      'file',
    );
  }
  const mime = sniffMime(bytes);
  if (!mime) {
    const other = nameOther(bytes);
    const found = other === undefined ? '' : `The content is ${other}. `;
    throw new DocumentError(
      'UNSUPPORTED_TYPE',
      `${found}Accepted are PDF, PNG, JPEG, WebP, HEIC, TIFF and XML invoices (UBL, CII), known by their content.`,
      'file',
    );
  }
  return mime;
}
