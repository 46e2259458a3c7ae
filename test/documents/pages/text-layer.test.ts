import { describe, expect, test } from '@jest/globals';
import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import type { OcrEngine } from '../../../documents/ocr/engine.ts';
import { mergeWords } from '../../../documents/pages/layer-choice.ts';
import { readPage } from '../../../documents/pages/read-page.ts';
import { wordLikeness } from '../../../documents/pages/text-trust.ts';
import type { PageText, Word } from '../../../documents/types.ts';
import { pdfWithUnmapped } from '../../support/unmapped-pdf.ts';

const SENTENCE = 'Invoice number 12345 for the customer Miller and Sons';

async function pdfOf(
  draw: (page: PDFPage, font: PDFFont, pdf: PDFDocument) => void | Promise<void>,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  await draw(pdf.addPage([595, 842]), font, pdf);
  return pdf.save();
}

class OcrAsked extends Error {}

/** Reads page 1 from its text layer; throws OcrAsked where the reader would look at the picture. */
async function read(bytes: Uint8Array): Promise<PageText> {
  return readPage({ ocr: (): Promise<OcrEngine> => Promise.reject(new OcrAsked()) }, bytes, 1);
}

const textOf = ({ words }: PageText): string => words.map((word) => word.text).join(' ');

describe('words as a person reads them', () => {
  test('letters spaced out are a word; single capitals apart are not', async () => {
    const bytes = await pdfOf((page, font) => {
      page.drawText(`T O T A L   D U E   1,234.00 ${SENTENCE}`, { x: 30, y: 700, size: 10, font });
      page.drawText('A        B        C', { x: 30, y: 600, size: 10, font });
    });
    expect(textOf(await read(bytes))).toBe(`TOTAL DUE 1,234.00 ${SENTENCE} A B C`);
  });

  test('a character that the font maps to U+0000 is left out: no database and no reader takes it', async () => {
    const words = textOf(await read(await pdfWithUnmapped([SENTENCE, 'Ven~dor of~fice ~'])));
    expect(words).toBe(`${SENTENCE} Vendor office`);
  });

  test("a note's raised number is no part of the amount before it", async () => {
    const bytes = await pdfOf((page, font) => {
      const text = `${SENTENCE} 100.00`;
      page.drawText(text, { x: 50, y: 700, size: 12, font });
      page.drawText('2', { x: 50 + font.widthOfTextAtSize(text, 12), y: 705, size: 7, font });
    });
    expect(textOf(await read(bytes))).toMatch(/ 100\.00 2$/);
  });

  test('bold made by printing twice, and text painted twice, come once', async () => {
    const bytes = await pdfOf((page, font) => {
      for (const offset of [0, 0.3]) page.drawText(SENTENCE, { x: 50 + offset, y: 700, size: 12, font });
    });
    expect(textOf(await read(bytes))).toBe(SENTENCE);
  });

  test('what is filled into a form is read', async () => {
    const bytes = await pdfOf((page, font, pdf) => {
      page.drawText(SENTENCE, { x: 50, y: 700, size: 12, font });
      const field = pdf.getForm().createTextField('name');
      field.setText('Jane Doe');
      field.addToPage(page, { x: 50, y: 600, width: 200, height: 20 });
    });
    expect(textOf(await read(bytes))).toBe(`${SENTENCE} Jane Doe`);
  });
});

describe('what nobody sees is no text', () => {
  test('white on white, covered and outside of the page; white on a dark heading is seen', async () => {
    const bytes = await pdfOf((page, font) => {
      const type = (text: string, y: number, white = false): void =>
        page.drawText(text, { x: 50, y, size: 11, font, color: white ? rgb(1, 1, 1) : rgb(0, 0, 0) });
      type(SENTENCE, 700);
      type('Total 999.00', 600, true);
      type('Covered', 500);
      page.drawRectangle({ x: 40, y: 490, width: 100, height: 30, color: rgb(1, 1, 1) });
      page.drawText('Outside', { x: 700, y: 500, size: 11, font });
      page.drawRectangle({ x: 40, y: 390, width: 200, height: 30, color: rgb(0, 0, 0.5) });
      type('Description', 400, true);
    });
    expect(textOf(await read(bytes))).toBe(`${SENTENCE} Description`);
  });
});

describe('turned pages', () => {
  test('a slanted stamp is one word and stays out of the words that it crosses', async () => {
    const bytes = await pdfOf((page, font) => {
      page.drawText(SENTENCE, { x: 50, y: 400, size: 12, font });
      page.drawText('DRAFT', { x: 60, y: 330, size: 80, font, rotate: degrees(45) });
    });
    expect(textOf(await read(bytes))).toBe(`${SENTENCE} DRAFT`);
  });

  test.each([
    [0, 0, 0],
    [0, 90, 90],
    [0, 180, 180],
    [0, 270, 270],
    [90, 90, 0],
    [90, 0, 270],
    [270, 270, 0],
  ])(
    'page turned by %i, text by %i: words run left to right, the page was turned by %i',
    async (pageTurn, textTurn, rotation) => {
      const bytes = await pdfOf((page, font) => {
        page.setRotation(degrees(pageTurn));
        page.drawText(SENTENCE, { x: 300, y: 421, size: 10, font, rotate: degrees(textTurn) });
      });
      const page = await read(bytes);
      expect(page.rotation).toBe(rotation);
      const [first, second] = page.words;
      expect([first?.text, second?.text]).toEqual(['Invoice', 'number']);
      expect(second!.bbox.x).toBeGreaterThan(first!.bbox.x + first!.bbox.width);
      expect(Math.abs(second!.bbox.y - first!.bbox.y)).toBeLessThan(2);
      expect(first!.bbox.width).toBeGreaterThan(first!.bbox.height);
      for (const { bbox } of page.words) expect(bbox.x + bbox.width).toBeLessThan(page.width);
    },
  );
});

describe('layers that are not believed', () => {
  const long = `${SENTENCE} please pay within thirty days to our account the total amount due is stated below`;
  const shifted = (by: (code: number) => number): string =>
    long.replace(/[A-Za-z]/g, (letter) => String.fromCharCode(by(letter.charCodeAt(0))));

  test.each([
    ['glyph numbers for letters', shifted((code) => code - 29)],
    ['an alphabet shifted by three', shifted((code) => ((code & 31) % 26) + 4 + 64)],
    ['(cid:12) for letters', Array.from({ length: 20 }, (_, i) => `(cid:${String(i + 12)})`).join(' ')],
  ])('%s: the picture is read', async (_name, text) => {
    const bytes = await pdfOf((page, font) => page.drawText(text, { x: 20, y: 700, size: 7, font }));
    await expect(read(bytes)).rejects.toThrow(OcrAsked);
  });

  test('real text of many languages is believed', () => {
    const texts = [
      long,
      'Faktura VAT numer sprzedawca nabywca data wystawienia termin płatności sposób zapłaty nazwa towaru lub usługi',
      'Rechnung Nr. RE-2026/0042 vom 04.03.2026 Lieferscheinnummer Umsatzsteuer-ID DE123456789 zzgl. 19 % MwSt 1.238,00 €',
      'Fatura numarası tarih müşteri adres vergi dairesi tutarı toplam ödenecek KDV dahil ürün açıklaması miktar birim',
      'Счёт на оплату № 42 от 4 марта 2026 г. Поставщик Покупатель Итого к оплате',
      'Τιμολόγιο παροχής υπηρεσιών συνολική αξία ημερομηνία',
      'فاتورة ضريبية رقم التاريخ المبلغ الإجمالي',
    ];
    for (const text of texts) {
      const words = text
        .split(' ')
        .map((word): Word => ({ text: word, confidence: 1, bbox: { x: 0, y: 0, width: 1, height: 1 } }));
      expect(wordLikeness(words)).toBeGreaterThan(0.8);
    }
  });

  test('an empty page is empty, without a look at its picture', async () => {
    const page = await read(await pdfOf(() => undefined));
    expect(page).toMatchObject({ words: [], source: 'text_layer' });
  });
});

describe('pictures on pages with text', () => {
  const withPhoto = (size: number, lines: number): Promise<Uint8Array> =>
    pdfOf(async (page, font, pdf) => {
      const photo = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#dde' } })
        .png()
        .toBuffer();
      page.drawImage(await pdf.embedPng(photo), { x: 20, y: 20, width: 555, height: size });
      for (let line = 0; line < lines; line++) {
        page.drawText(SENTENCE, { x: 50, y: 800 - line * 18, size: 11, font, color: rgb(1, 0, 0) });
      }
    });

  test('a logo or a background under the text is no reason to read the picture', async () => {
    expect(textOf(await read(await withPhoto(60, 1)))).toBe(SENTENCE);
    expect((await read(await withPhoto(800, 30))).words).toHaveLength(270);
  });

  test('a scan below a few typed lines is read too', async () => {
    await expect(read(await withPhoto(600, 1))).rejects.toThrow(OcrAsked);
  });

  test('both are put together: the layer is exact, the picture adds what it lacks', () => {
    const word = (text: string, x: number): Word => ({ text, confidence: 1, bbox: { x, y: 0, width: 40, height: 10 } });
    const merged = mergeWords([word('Total', 0)], [word('Tota1', 2), word('12.00', 100)]);
    expect(merged.map((found) => found.text)).toEqual(['Total', '12.00']);
  });
});
