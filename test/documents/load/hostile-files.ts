/** Files as an attacker makes them: small to send, huge or endless to read. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

type Body = string | Buffer;

/** A PDF of the given objects, numbered from 1; the first is the catalog. */
export function rawPdf(objects: Body[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.from(`${String(index + 1)} 0 obj\n`), asBuffer(object), Buffer.from('\nendobj\n'));
  }
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = String(objects.length + 1);
  const tail = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${String(start)}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(tail)]);
}

const asBuffer = (body: Body): Buffer => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body);

export const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${String(data.length)} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);

/** One page that draws XObject `X`, object 5. */
export function pdfDrawing(...objects: Body[]): Buffer {
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
    stream('', Buffer.from('q 500 0 0 500 20 20 cm /X Do Q')),
    ...objects,
  ]);
}

export const hugeImage = (filter: string): Buffer =>
  stream(
    `/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /${filter}`,
    deflateSync(Buffer.alloc(1000)),
  );

/** A page of a given MediaBox and content. */
export const pdfPage = (mediaBox: string, content: Body = stream('', Buffer.alloc(0))): Buffer =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox}] /Contents 4 0 R >>`,
    content,
  ]);

/** Only headers: an uncompressed grey TIFF whose pages claim the given sizes. */
export function tiffOf(pages: [number, number][]): Buffer {
  const parts = [Buffer.from('II*\0\x08\0\0\0', 'latin1')];
  let at = 8;
  for (const [index, [width, height]] of pages.entries()) {
    const entries = [
      [256, 4, width],
      [257, 4, height],
      [258, 3, 8],
      [259, 3, 1],
      [262, 3, 1],
      [273, 4, 8],
      [277, 3, 1],
      [278, 4, height],
      [279, 4, Math.min(width * height, 64)],
    ] as const;
    const ifd = Buffer.alloc(2 + entries.length * 12 + 4);
    ifd.writeUInt16LE(entries.length, 0);
    for (const [row, [tag, type, value]] of entries.entries()) {
      ifd.writeUInt16LE(tag, 2 + row * 12);
      ifd.writeUInt16LE(type, 4 + row * 12);
      ifd.writeUInt32LE(1, 6 + row * 12);
      ifd.writeUInt32LE(value, 10 + row * 12);
    }
    at += ifd.length;
    ifd.writeUInt32LE(index === pages.length - 1 ? 0 : at, ifd.length - 4);
    parts.push(ifd);
  }
  return Buffer.concat(parts);
}

/** A JPEG (SOF0) or a WebP (VP8X) header that claims a size. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0000b080000000001011100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    frame,
    Buffer.from('ffda0008010100003f00', 'hex'),
    Buffer.alloc(64),
  ]);
}

export function webpOf(width: number, height: number): Buffer {
  const lossless = Buffer.alloc(64);
  lossless[0] = 0x2f;
  lossless.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  const chunk = Buffer.alloc(8);
  chunk.write('VP8L', 0, 'latin1');
  chunk.writeUInt32LE(lossless.length, 4);
  const head = Buffer.alloc(12);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(4 + chunk.length + lossless.length, 4);
  head.write('WEBP', 8, 'latin1');
  return Buffer.concat([head, chunk, lossless]);
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** A PDF under the standard security handler (revision 2), opened by `userPassword`; its page says "Owner only". */
export function encryptedPdf(userPassword: string): Buffer {
  const id = Buffer.alloc(16, 7);
  const pad = (password: string): Buffer => Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);
  const owner = rc4(md5(pad('owner secret')).subarray(0, 5), pad(userPassword));
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(Buffer.concat([pad(userPassword), owner, permissions, id])).subarray(0, 5);
  const user = rc4(key, PADDING);
  const content = 'BT /F1 12 Tf 50 700 Td (Owner only: this page may be read by anybody but not be printed) Tj ET';
  // Algorithm 1 of ISO 32000-1: every object has its own key.
  const objectKey = md5(Buffer.concat([key, Buffer.from([4, 0, 0, 0, 0])])).subarray(0, 10);
  return rawPdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      stream('', rc4(objectKey, Buffer.from(content))),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`,
    ],
    `/Encrypt 6 0 R /ID [<${id.toString('hex')}><${id.toString('hex')}>]`,
  );
}

const md5 = (data: Buffer): Buffer => createHash('md5').update(data).digest();

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  const out = Buffer.alloc(data.length);
  for (let n = 0, i = 0, j = 0; n < data.length; n++) {
    i = (i + 1) & 255;
    j = (j + state[i]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
    out[n] = data[n]! ^ state[(state[i]! + state[j]!) & 255]!;
  }
  return out;
}
