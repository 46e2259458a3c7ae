import { describe, expect, test } from '@jest/globals';
import { detectLanguage } from '../../../documents/ocr/language.ts';
import { typedPage } from '../support.ts';

const languageOf = (...lines: string[]): string => detectLanguage(typedPage(lines, { width: 1700 }).words);

describe('the language of a page', () => {
  test.each([
    ['en', ['INVOICE', 'Bill to', 'Please pay the amount due by the date below', 'Thank you']],
    ['de', ['Rechnung', 'Rechnungsnummer 4711', 'Zahlbar bis zum 01.02.2024', 'Gesamtbetrag 119,00 EUR inkl. MwSt']],
    ['fr', ['FACTURE', 'Date de facture 01/02/2024', 'Montant total TTC', 'Merci de votre commande']],
    ['es', ['FACTURA', 'Fecha de vencimiento', 'Importe total con IVA', 'Gracias por su compra']],
    ['it', ['FATTURA', 'Data di scadenza', 'Totale imponibile', 'Grazie e arrivederci']],
    ['nl', ['FACTUUR', 'Factuurdatum 1-2-2024', 'Totaalbedrag incl. btw', 'Gelieve het bedrag te betalen']],
    ['pt', ['FATURA', 'Data de vencimento', 'Valor total com IVA', 'Obrigado pela sua encomenda, não é devolução']],
    ['af', ['BELASTINGFAKTUUR', 'Faktuurnommer 4711', 'Bedrag betaalbaar binne 30 dae', 'Dankie vir u ondersteuning']],
    ['ms', ['RESIT RASMI', 'Tarikh 01/02/2024', 'Jumlah perlu dibayar', 'Terima kasih, sila datang lagi']],
  ])('%s', (language, lines) => {
    expect(languageOf(...lines)).toBe(language);
  });

  test('without its accents, as readers of pictures give it', () => {
    expect(languageOf('Fallig am', 'Ubertrag', 'Bitte zahlen Sie den Betrag bis zum', 'fur Ihre Bestellung')).toBe(
      'de',
    );
    expect(languageOf('Echeance', 'Montant a payer', 'Numero de client', 'Designation')).toBe('fr');
  });

  test('an English receipt from Malaysia is English, its street names notwithstanding', () => {
    expect(
      languageOf(
        'SUPER MART SDN BHD',
        'NO 19, JALAN SULTAN',
        '50000 KUALA LUMPUR',
        'TOTAL 4.50',
        'CASH 5.00',
        'Thank you',
      ),
    ).toBe('en');
  });

  test.each([[[]], [['12.50', '4711']], [['ACME', 'Müller']], [['<<<<<<<', '%%%']]])(
    'too little evidence is taken to be English: %j',
    (lines) => {
      expect(languageOf(...lines)).toBe('en');
    },
  );
});
