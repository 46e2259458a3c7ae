import { describe, expect, test } from '@jest/globals';
import { repairAddress } from '../../../documents/extract/address-spelling.ts';
import { createContext } from '../../../documents/extract/context.ts';
import { extractReceipt } from '../../../documents/extract/receipt/receipt.ts';
import type { ExtractionField } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

const read = (lines: string[]): Record<string, ExtractionField> =>
  extractReceipt(createContext([typedPage(lines, { width: 440 })]));
const nameOf = (...lines: string[]): unknown => read(lines)['merchant_name']?.value;
const addressOf = (...lines: string[]): unknown => read(lines)['merchant_address']?.value;

describe('the merchant', () => {
  test('the company behind a logo, without its registration number', () => {
    expect(nameOf('  wotsan', '  Quickcare Stores Sdn Bhd (269892-V)', '  12 Jalan Besar, 50000 Kuala Lumpur')).toBe(
      'Quickcare Stores Sdn Bhd',
    );
  });

  test('a shop that names the company that keeps it has both names', () => {
    expect(nameOf('  LEMON GARDEN RESTAURANT', '  JTJ FOODS SDN BHD', '  (1179227-A)', '  3, Jalan Besar, Ipoh')).toBe(
      'LEMON GARDEN RESTAURANT JTJ FOODS SDN BHD',
    );
  });

  test('a name over two lines', () => {
    expect(nameOf('  POPULAR PAPER', '  CO. (M) SDN BHD', '  No 8, Jalan 7/118B', '  56000 Kuala Lumpur')).toBe(
      'POPULAR PAPER CO. (M) SDN BHD',
    );
  });

  test('a stacked logo', () => {
    expect(nameOf('  Little', '  Corner', '  Bakery', '  117, Jalan Radin, 57000 Kuala Lumpur')).toBe(
      'Little Corner Bakery',
    );
  });

  test('a name and its address on one line are told apart', () => {
    const fields = read(['Receipt', 'Thanks for ordering!', 'Contoso 1822 S Purple Island Ave,', 'Chicago, IL 60608']);
    expect(fields['merchant_name']?.value).toBe('Contoso');
    expect(fields['merchant_address']?.value).toBe('1822 S Purple Island Ave, Chicago, IL 60608');
  });

  test('one letter is put right by what the rest of the page spells', () => {
    expect(
      nameOf('  DONINO PIZZA', '  5 High Street, Leeds LS1 4DY', 'Thank you for visiting Domino', 'www.domino.com'),
    ).toBe('DOMINO PIZZA');
  });

  test('a name that stands once only is left as it was read', () => {
    expect(nameOf('  BRCADVIEW TRADING SDN BHD', '  5 Jalan Besar, Ipoh')).toBe('BRCADVIEW TRADING SDN BHD');
  });
});

describe('the address', () => {
  test('ends before the telephone and the tax number, on their own lines or on its last', () => {
    expect(
      addressOf('  GREEN STORES LTD', '  12 Main Street,', '  Leeds LS1 4AB  Tel: 0113 496 0000', '  VAT 123456789'),
    ).toBe('12 Main Street, Leeds LS1 4AB');
  });

  test('the name above it, with a branch, is no part of it', () => {
    expect(
      addressOf(
        'PIZZA HOUSE',
        'GST 001694261248',
        'PIZZA HOUSE PERMAS JAYA',
        'No.12, Jalan Permas 10',
        '81750 Masai, Johor',
      ),
    ).toBe('No.12, Jalan Permas 10, 81750 Masai, Johor');
  });

  test('an item of the receipt is none', () => {
    expect(addressOf('GREEN STORES LTD', '95448 STREET BASKET 4.50 2', 'Total 4.50')).toBeUndefined();
  });

  test.each([
    ['Jaian Besar, 55100 RUALA LUMPUR', 'Jalan Besar, 55100 KUALA LUMPUR'],
    ['UTAMA SHOPP1NG CENTRE, 47301 PEIALING JAYA', 'UTAMA SHOPPING CENTRE, 47301 PETALING JAYA'],
    ['N0.15, JIn Desa, 4750O Subang', 'NO.15, Jln Desa, 47500 Subang'],
    ['Wisma ll, 7/l18B', 'Wisma II, 7/118B'],
  ])('%s is put right', (text, right) => {
    expect(repairAddress(text)).toBe(right);
  });

  test.each([
    '12 Lower Byrom Street, Manchester M3 4AP',
    'NO.145G, JALAN RIMBUNAN RAYA 1, LAMAN RIMBUNAN KEPONG, 52100 KUALA LUMPUR',
    '9, JALAN SUBANG JASA 3, 40150 SHAH ALAM, SELANGOR.',
    'LG226, 1 UTAMA SHOPPING CENTRE, LEBUH BANDAR UTAMA',
    '27 rue des Tanneurs, 67000 STRASBOURG',
  ])('%s is left as it is', (text) => {
    expect(repairAddress(text)).toBe(text);
  });
});
