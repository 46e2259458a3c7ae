import { DocumentError } from '../errors.ts';
import { sniffMime } from '../load/sniff.ts';
import { pdfAttachments } from './attachments.ts';
import { readCii } from './cii.ts';
import type { EInvoice, EInvoiceSyntax } from './types.ts';
import { readUbl } from './ubl.ts';
import { parseXml, type XmlElement } from './xml.ts';

/** Root elements that we read, by name and namespace (a version number may end it). */
const ROOTS: [string, RegExp, EInvoiceSyntax][] = [
  ['Invoice', /^urn:oasis:names:specification:ubl:schema:xsd:Invoice-2$/, 'ubl'],
  ['CreditNote', /^urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2$/, 'ubl'],
  ['Order', /^urn:oasis:names:specification:ubl:schema:xsd:Order-2$/, 'ubl'],
  ['CrossIndustryInvoice', /^urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:\d+$/, 'cii'],
  ['CrossIndustryDocument', /^urn:ferd:CrossIndustryDocument:invoice:1p0$/, 'zugferd1'],
  ['SCRDMCCBDACIOMessageStructure', /^urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:\d+$/, 'order-x'],
];

const syntaxOf = (root: XmlElement): EInvoiceSyntax | undefined =>
  ROOTS.find(([name, uri]) => root.name === name && uri.test(root.uri))?.[2];

/**
 * The invoice, credit note or order that a file holds as XML: embedded in a PDF under any name, or as the file itself.
 * Undefined for a file without one; an attachment that is no such XML, or that is broken, is passed over.
 * @throws DocumentError for a bare XML file that is not well-formed, hostile, or no invoice that we know.
 */
export async function readEInvoice(bytes: Uint8Array): Promise<EInvoice | undefined> {
  const mime = sniffMime(bytes);
  if (mime === 'application/xml') return readXmlFile(bytes);
  if (mime !== 'application/pdf') return undefined;
  for await (const attachment of pdfAttachments(bytes)) {
    const found = tryAttachment(attachment);
    if (found) return found;
  }
  return undefined;
}

function readXmlFile(bytes: Uint8Array): EInvoice {
  const root = parseXml(bytes);
  const syntax = syntaxOf(root);
  if (!syntax) {
    const name = root.name.slice(0, 80);
    throw new DocumentError(
      'UNSUPPORTED_TYPE',
      `The XML is no UBL or CII invoice, credit note or order: its root is <${name}>.`,
      'file',
    );
  }
  return interpret(root, syntax);
}

/** Only what looks like XML is parsed: a PDF may carry anything. */
function tryAttachment(bytes: Uint8Array): EInvoice | undefined {
  try {
    const root = parseXml(bytes);
    const syntax = syntaxOf(root);
    return syntax && interpret(root, syntax);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

const interpret = (root: XmlElement, syntax: EInvoiceSyntax): EInvoice =>
  syntax === 'ubl' ? readUbl(root) : readCii(root, syntax);
