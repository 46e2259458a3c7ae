import { PDFDict, PDFDocument, PDFName, StandardFonts } from 'pdf-lib';

/** `~` stands for no character: U+0000, as fonts that were made badly say of their ligatures. */
const TO_UNICODE = `
  begincmap 1 begincodespacerange <00> <FF> endcodespacerange
  1 beginbfrange <20> <7D> <0020> endbfrange 1 beginbfchar <7E> <0000> endbfchar endcmap`;

/** A page of text in which every `~` is a character that the font maps to U+0000. */
export async function pdfWithUnmapped(lines: readonly string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([595, 842]);
  for (const [index, line] of lines.entries()) page.drawText(line, { x: 50, y: 700 - index * 20, size: 12, font });
  await pdf.flush();
  const map = pdf.context.register(pdf.context.stream(TO_UNICODE));
  pdf.context.lookup(font.ref, PDFDict).set(PDFName.of('ToUnicode'), map);
  return pdf.save();
}
