import { documentFeatures } from '../classify/features.ts';
import { clipped, fold, foldedPattern } from '../classify/fold.ts';
import { typeProbabilities } from '../classify/model.ts';
import { documentTitles, strongestTitle, type Title } from '../classify/title-features.ts';
import { layoutLines, type Line } from '../layout/lines.ts';
import type { PageText } from '../types.ts';
import { type PageNumber, pageNumberOf } from './page-number.ts';

/** What one page says about the document that it belongs to. */
export interface PageFacts {
  page: PageText;
  number: PageNumber | undefined;
  /** Probability of each type, from this page alone. */
  types: Map<string, number>;
  title: Title | undefined;
  /** Words of the first and of the last lines. */
  head: Set<string>;
  foot: Set<string>;
  vocabulary: Set<string>;
  /** Words of five letters and more: what the page is about, and who. */
  longWords: Set<string>;
  /** Numbers of documents and accounts by the kind of their label: `invoice` → 4711. */
  numbers: Map<string, string>;
  /** Long numbers of any meaning. */
  codes: Set<string>;
  dates: Set<string>;
  /** Share of the page's height at which its text ends. */
  end: number;
  /** Share of the lines that are sentences. */
  prose: number;
  ledgerRows: number;
  opensSmall: boolean;
  endsOpen: boolean;
  /** Says that it goes on, or that it takes over from the page before. */
  continues: boolean;
  signed: boolean;
  totalled: boolean;
  /** Ways to reach an issuer stand in its upper part. */
  letterhead: boolean;
  /** Height of the usual word in pixels. */
  print: number;
}

const KINDS: [string, string][] = [
  ['invoice', 'invoice|inv|rechnungs?|facture|factura|fattura|factuur|fatura|faktuur|invois'],
  [
    'credit',
    'credit (?:note|memo)|gutschrifts?|avoir|nota de credito|nota di credito|creditnota|kredietnota|nota kredit',
  ],
  ['order', 'purchase order|order|p\\.?o\\.?|besteii(?:ung)?|auftrags?|commande|pedido|ordine|encomenda|pesanan'],
  [
    'delivery',
    'delivery(?: note)?|dn|docket|packing slip|dispatch|lieferschein|lieferung|livraison|albaran|ddt|pakbon|guia',
  ],
  ['account', 'account|a/c|konto|kontonummer|compte|cuenta|conto|rekening|conta|akaun|customer|client|kunden?'],
  ['receipt', 'receipt|bon|ticket|trans(?:action)?|bill|resit|check|slip|kwitansie|scontrino'],
  ['document', 'document|doc|reference|ref|beleg|statement|dokument|documento'],
];
const NUMBERS = KINDS.map(([kind, words]) => ({
  kind,
  pattern: foldedPattern(
    String.raw`\b(?:${words})[ .-]{0,2}(?:no|nr|number|nummer|nommer|num(?:ero)?|n[o°º]?|#|id|code)?[.:°º# ]{0,4}((?=[a-z/-]{0,6}\d)[a-z0-9][a-z0-9/-]{2,24})`,
  ),
}));
/** Numbers of the document itself stand in its upper part; below are those of its rows. */
const NUMBERS_ABOVE = 0.5;

const CONTINUES = foldedPattern(
  String.raw`continued|cont'?d\b|carried (?:forward|over)|brought forward|over(?:leaf)?\W*$|ubertrag|fortsetzung|a reporter|suite\b|suma y sigue|segue\b|riporto|a transportar|vervolg|bersambung`,
);
const SIGNED = foldedPattern(
  String.raw`witness whereof|signature|signed|by:|unterschrift|firma\b|handtekening|assinatura|tandatangan|sincerely|faithfully|grussen|atentamente`,
);
const TOTALLED = foldedPattern(
  String.raw`(?:grand |invoice |order |credit )?total(?: due| payable| amount)?|amount due|balance due|gesamtbetrag|rechnungsbetrag|endbetrag|net a payer|total ttc|totale|totaal|jumlah`,
);
const REACH = foldedPattern(String.raw`\btel\b|phone|fax|@|www\.|\.com|telefon|e-?mail|vat (?:reg|no)|gst (?:reg|no)`);
const DATE = /\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2} [a-z]{3,9}\.? \d{4}\b|\b[a-z]{3,9} \d{1,2}, ?\d{4}\b/g;
const LEDGER_ROW = /^\W*\d{1,4}[./ -][\da-z]{1,9}.*\d[.,]\d{2}/i;
const MARGIN_LINES = 3;

export function pageFacts(page: PageText): PageFacts {
  const lines = layoutLines([page]);
  const texts = lines.map((line) => fold(line.text));
  const body = lines.filter((line) => line.bbox.y < page.height * 0.9);
  const opening = texts.slice(0, Math.ceil(texts.length * 0.3)).join('\n');
  const closing = texts.slice(Math.floor(texts.length * 0.6)).join('\n');
  const heights = page.words.map((word) => word.bbox.height).sort((a, b) => a - b);
  const features = documentFeatures([{ ...page, page: 1 }]);
  return {
    page,
    number: pageNumberOf(lines, page.height),
    types: new Map(typeProbabilities(features).map(({ type, probability }) => [type, probability])),
    title: strongestTitle(documentTitles(lines, page)),
    head: wordsOf(texts.slice(0, MARGIN_LINES)),
    foot: wordsOf(texts.slice(-MARGIN_LINES)),
    vocabulary: wordsOf(texts),
    longWords: new Set(texts.flatMap((text) => text.match(/[a-z]{5,}/g) ?? [])),
    numbers: documentNumbers(lines, page.height),
    codes: new Set(texts.flatMap((text) => text.match(/[a-z0-9/-]*\d{4,}[a-z0-9/-]*/g) ?? [])),
    dates: new Set(texts.flatMap((text) => text.match(DATE) ?? [])),
    end: Math.max(0, ...body.map((line) => line.bbox.y + line.bbox.height)) / Math.max(1, page.height),
    prose: lines.filter((line) => line.words.length >= 9).length / Math.max(1, lines.length),
    ledgerRows: lines.filter((line) => LEDGER_ROW.test(clipped(line.text))).length,
    opensSmall: /^\p{Ll}/u.test(lines[0]?.text ?? ''),
    endsOpen: /[\p{L},;–-]$/u.test(body.at(-1)?.text ?? '') && (body.at(-1)?.words.length ?? 0) >= 7,
    continues: CONTINUES.test([texts.slice(0, 4), texts.slice(-4)].flat().join('\n')),
    signed: SIGNED.test(closing),
    totalled: TOTALLED.test(closing),
    letterhead: REACH.test(opening),
    print: heights[Math.floor(heights.length / 2)] ?? 0,
  };
}

const wordsOf = (texts: string[]): Set<string> =>
  new Set(texts.flatMap((text) => text.match(/[a-z0-9][a-z0-9.,/-]*[a-z0-9]/g) ?? []));

function documentNumbers(lines: Line[], height: number): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    if (line.bbox.y > height * NUMBERS_ABOVE) break;
    const text = fold(line.text);
    for (const { kind, pattern } of NUMBERS) {
      const value = pattern.exec(text)?.[1];
      if (value !== undefined && !found.has(kind)) found.set(kind, value);
    }
  }
  return found;
}
