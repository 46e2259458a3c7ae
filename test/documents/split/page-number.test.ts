import { describe, expect, test } from '@jest/globals';
import { layoutLines } from '../../../documents/layout/lines.ts';
import { pageNumberOf } from '../../../documents/split/page-number.ts';
import { typedPage } from '../support.ts';

const body = Array.from({ length: 40 }, (_, row) => `Article ${String(row)} of the order  10.00`);
const numberOf = (foot: string): ReturnType<typeof pageNumberOf> => {
  const page = typedPage([...body, foot], { width: 1000 });
  return pageNumberOf(layoutLines([page]), page.height);
};

describe('the number of a page', () => {
  test.each([
    ['Page 2 of 3', 2, 3],
    ['Page2of3', 2, 3],
    ['Seite 1 von 12', 1, 12],
    ['Page 4 sur 5', 4, 5],
    ['Página 1 de 2', 1, 2],
    ['Pagina 3 di 3', 3, 3],
    ['Blad 1 van 2', 1, 2],
    ['Bladsy 2 van 2', 2, 2],
    ['Muka surat 1 daripada 2', 1, 2],
    ['John Doe – 1/2', 1, 2],
    ['Page 7', 7, undefined],
  ])('%s', (foot, number, of) => {
    expect(numberOf(foot)).toEqual({ number, of, bare: false });
  });

  test('a number alone may be one', () => {
    expect(numberOf('- 3 -')).toEqual({ number: 3, of: undefined, bare: true });
  });

  test.each(['12/2024', '31/12/2024', 'Page 5 of 2', 'Page 0 of 2', 'Tel 22 33', 'Total 3.00', 'Page 4711'])(
    '%s is none',
    (foot) => {
      expect(numberOf(foot)).toBeUndefined();
    },
  );

  test('words in the middle of the page are not looked at', () => {
    const page = typedPage([...body, 'see page 2 of 3', ...body, 'The end'], { width: 1000 });
    expect(pageNumberOf(layoutLines([page]), page.height)).toBeUndefined();
  });
});
