import { Buffer } from 'node:buffer';
import { inflateSync } from 'node:zlib';
import { PDFArray, type PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { openPdf, type PdfDocument } from '../pages/pdfium.ts';

/** No invoice's XML is larger; what inflates beyond it is a bomb. */
const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;
/** A file with more is a portfolio, not an invoice. */
const MAX_ATTACHMENTS = 100;

/**
 * The files that a PDF carries and that begin like XML: first those that its names tree lists, then, where those hold no
 * invoice, every embedded file stream at all (an invoice may be named in /AF only, or in a page's annotation).
 */
export async function* pdfAttachments(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const pdf = await openPdf(bytes);
  try {
    for (const content of listedAttachments(pdf)) if (looksLikeXml(content)) yield content;
  } finally {
    pdf.close();
  }
  for (const content of await embeddedStreams(bytes)) if (looksLikeXml(content)) yield content;
}

function* listedAttachments({ module, document }: PdfDocument): Generator<Uint8Array> {
  const count = Math.min(MAX_ATTACHMENTS, module._FPDFDoc_GetAttachmentCount(document));
  for (let index = 0; index < count; index++) {
    const attachment = module._FPDFDoc_GetAttachment(document, index);
    const size = attachment === 0 ? 0 : sizeOf(module, attachment);
    if (size === 0 || size > MAX_ATTACHMENT_BYTES) continue;
    const buffer = module.wasmExports.malloc(size + 4);
    if (buffer === 0) continue;
    try {
      if (module._FPDFAttachment_GetFile(attachment, buffer + 4, size, buffer) === 0) continue;
      yield module.HEAPU8.slice(buffer + 4, buffer + 4 + size);
    } finally {
      module.wasmExports.free(buffer);
    }
  }
}

function sizeOf(module: PdfDocument['module'], attachment: number): number {
  const out = module.wasmExports.malloc(4);
  try {
    if (module._FPDFAttachment_GetFile(attachment, 0, 0, out) === 0) return 0;
    return new DataView(module.HEAPU8.buffer).getUint32(out, true);
  } finally {
    module.wasmExports.free(out);
  }
}

/** Names that stand in the dictionary of every embedded file, which no PDF can hide in a compressed object. */
const MARKS = ['/EmbeddedFile', 'text#2Fxml', 'text#2fxml', 'application#2Fxml'];

async function embeddedStreams(bytes: Uint8Array): Promise<Uint8Array[]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!MARKS.some((mark) => buffer.includes(mark, 0, 'latin1'))) return [];
  try {
    const document = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
    const found: Uint8Array[] = [];
    for (const [, object] of document.context.enumerateIndirectObjects()) {
      if (found.length >= MAX_ATTACHMENTS) break;
      if (!(object instanceof PDFRawStream) || !isEmbeddedFile(object.dict)) continue;
      const content = contentOf(object);
      if (content) found.push(content);
    }
    return found;
  } catch {
    // A PDF that PDFium repairs and pdf-lib does not: its page is still read.
    return [];
  }
}

function isEmbeddedFile(dict: PDFDict): boolean {
  const named = [dict.get(PDFName.of('Type')), dict.get(PDFName.of('Subtype'))].map((name) =>
    name instanceof PDFName ? name.decodeText() : '',
  );
  return named[0] === 'EmbeddedFile' || /^(?:text|application)\/xml$/.test(named[1] ?? '');
}

/** Stored as it is or deflated once, as every writer of invoices does; inflated no further than the limit. */
function contentOf(stream: PDFRawStream): Uint8Array | undefined {
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  const names = filter instanceof PDFArray ? filter.asArray() : filter === undefined ? [] : [filter];
  if (names.length === 0) return stream.contents;
  if (names.length > 1 || names[0] !== PDFName.of('FlateDecode')) return undefined;
  try {
    return inflateSync(stream.contents, { maxOutputLength: MAX_ATTACHMENT_BYTES });
  } catch {
    return undefined;
  }
}

/** The first character of an XML file is `<`, behind a byte order mark or white space. */
function looksLikeXml(content: Uint8Array): boolean {
  const head = content.subarray(0, 64).filter((byte) => byte > 0x20 && byte < 0x7f);
  return head[0] === 0x3c;
}
