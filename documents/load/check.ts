import { DocumentError } from '../errors.ts';
import type { Limits } from '../types.ts';
import { type Mime, sniffMime } from './sniff.ts';

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
    throw new DocumentError('UNSUPPORTED_TYPE', 'The content is no PDF, PNG, JPEG, WebP or TIFF.', 'file');
  }
  return mime;
}
