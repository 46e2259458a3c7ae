import { SaxesParser } from 'saxes';
import { DocumentError, firstLine } from '../errors.ts';

/** One element: its name without prefix, the namespace that the prefix stands for, and what it holds. */
export interface XmlElement {
  name: string;
  uri: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Its own text, without that of its children; white space as it stands. */
  text: string;
}

export interface XmlLimits {
  maxBytes: number;
  maxDepth: number;
  maxElements: number;
  maxAttributes: number;
}

/** An invoice with ten thousand lines has 400,000 elements, 14 deep. */
export const xmlLimits: XmlLimits = {
  maxBytes: 20 * 1024 * 1024,
  maxDepth: 64,
  maxElements: 600_000,
  maxAttributes: 600_000,
};

/** Pictures and PDFs that an invoice carries in base64: megabytes that nobody here reads. */
const BINARY = new Set(['EmbeddedDocumentBinaryObject', 'AttachmentBinaryObject']);
const CHUNK = 64 * 1024;

/**
 * Parses a whole XML file (XML 1.0 with namespaces). A document type declaration is refused unread: entities are how
 * small files become large ones, and no invoice standard uses them.
 * @throws DocumentError BROKEN where it is not well-formed, TOO_LARGE beyond a limit.
 */
export function parseXml(bytes: Uint8Array, limits: XmlLimits = xmlLimits): XmlElement {
  if (bytes.length > limits.maxBytes) throw tooLarge('bytes', bytes.length, limits.maxBytes);
  const text = decodeText(bytes);
  const builder = new TreeBuilder(limits);
  try {
    for (let at = 0; at < text.length; at += CHUNK) builder.parser.write(text.slice(at, at + CHUNK));
    builder.parser.close();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError('BROKEN', `The XML is not well-formed: ${firstLine(error)}`, 'file');
  }
  if (!builder.root) throw new DocumentError('BROKEN', 'The XML has no element.', 'file');
  return builder.root;
}

class TreeBuilder {
  readonly parser = new SaxesParser({ xmlns: true, position: true });
  root: XmlElement | undefined;
  readonly #open: XmlElement[] = [];
  #elements = 0;
  #attributes = 0;

  constructor(limits: XmlLimits) {
    const { parser } = this;
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('doctype', () => {
      throw new DocumentError('BROKEN', 'The XML has a document type declaration, which is not accepted.', 'file');
    });
    parser.on('attribute', () => {
      if (++this.#attributes > limits.maxAttributes)
        throw tooLarge('attributes', this.#attributes, limits.maxAttributes);
    });
    parser.on('opentag', (tag) => {
      if (++this.#elements > limits.maxElements) throw tooLarge('elements', this.#elements, limits.maxElements);
      if (this.#open.length >= limits.maxDepth) throw tooLarge('levels', this.#open.length + 1, limits.maxDepth);
      const attributes = Object.fromEntries(Object.values(tag.attributes).map(({ local, value }) => [local, value]));
      this.#enter({ name: tag.local, uri: tag.uri, attributes, children: [], text: '' });
    });
    parser.on('closetag', () => this.#open.pop());
    parser.on('text', (text) => this.#write(text));
    parser.on('cdata', (text) => this.#write(text));
  }

  #enter(element: XmlElement): void {
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else this.root = element;
    this.#open.push(element);
  }

  #write(text: string): void {
    const element = this.#open.at(-1);
    if (element && !BINARY.has(element.name)) element.text += text;
  }
}

const tooLarge = (what: string, found: number, limit: number): DocumentError =>
  new DocumentError(
    'TOO_LARGE',
    `The XML has ${String(found)} ${what} or more; the limit is ${String(limit)}.`,
    'file',
  );

/** By byte order mark, else by the declaration, else UTF-8 (XML 1.0 appendix F). */
export function decodeText(bytes: Uint8Array): string {
  const [a, b] = bytes;
  const head = String.fromCharCode(...bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1]?.toLowerCase();
  const encoding =
    a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : encodingNamed(declared);
  return new TextDecoder(encoding).decode(bytes);
}

/** ISO-8859-1 and Windows-1252 are what old billing systems write; any other name is tried as what it says. */
function encodingNamed(name: string | undefined): string {
  if (name === undefined || name.startsWith('utf-16')) return 'utf-8';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return 'utf-8';
  }
}

/** The elements at a path of names below an element: `ExchangedDocument/ID`. */
export function all(element: XmlElement | undefined, path: string): XmlElement[] {
  let found = element ? [element] : [];
  for (const name of path.split('/')) found = found.flatMap((e) => e.children.filter((child) => child.name === name));
  return found;
}

/** The first element at the first of several paths that leads to one. */
export function one(element: XmlElement | undefined, ...paths: string[]): XmlElement | undefined {
  for (const path of paths) {
    const [found] = all(element, path);
    if (found) return found;
  }
  return undefined;
}

/** The text at the first of several paths that leads to some, with its white space made single. */
export function textAt(element: XmlElement | undefined, ...paths: string[]): string | undefined {
  for (const path of paths) {
    for (const found of all(element, path)) {
      const text = found.text.replace(/\s+/g, ' ').trim();
      if (text !== '') return text;
    }
  }
  return undefined;
}

/** A number in the XML's own grammar (xsd:decimal); undefined for anything else. */
export function decimalOf(text: string | undefined): number | undefined {
  const trimmed = text?.trim();
  return trimmed !== undefined && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** The number at the first of several paths that leads to some text. */
export const numberAt = (element: XmlElement | undefined, ...paths: string[]): number | undefined =>
  decimalOf(textAt(element, ...paths));
