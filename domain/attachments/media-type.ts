import { fileTypeFromBuffer } from 'file-type';

/** How much of a file is looked at. */
export const SAMPLE_BYTES = 65_536;

const UNKNOWN = 'application/octet-stream';

/** Kinds of text that the content alone doesn't tell from plain text; none of them is run by a browser. */
const TEXT_BY_EXTENSION: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
  ics: 'text/calendar',
  vcf: 'text/vcard',
};

// eslint-disable-next-line no-control-regex -- controls are what is looked for
const CONTROLS = /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/;

/** What a file is, by its first bytes. What the sender says of it is not believed; of text, the name tells the kind. */
export async function mediaTypeOf(sample: Uint8Array, fileName: string): Promise<string> {
  const known = await fileTypeFromBuffer(sample).catch(() => undefined);
  if (known !== undefined && known.mime !== 'application/xml') return known.mime;
  const text = textOf(sample);
  if (text === undefined) return known?.mime ?? UNKNOWN;
  const start = text.slice(0, 4_096).replaceAll(/<!--[\s\S]*?(-->|$)/g, '');
  if (/<svg[\s>]/i.test(start)) return 'image/svg+xml';
  if (/<(!doctype\s+html|html|head|body|script|iframe)[\s>]/i.test(start)) return 'text/html';
  if (known !== undefined || /^\s*<\?xml/.test(start)) return 'application/xml';
  const extension = fileName.split('.').at(-1)?.toLowerCase() ?? '';
  return (Object.hasOwn(TEXT_BY_EXTENSION, extension) ? TEXT_BY_EXTENSION[extension] : undefined) ?? 'text/plain';
}

/** The sample as text; undefined when it is none. Its last character may be cut. */
function textOf(sample: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return CONTROLS.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
