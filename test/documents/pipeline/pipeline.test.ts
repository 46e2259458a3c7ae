import { describe, expect, test } from '@jest/globals';
import type { Cut, PageText, PipelineStep } from '../../../documents/index.ts';
import { combineDocuments, DocumentError, needsOf, orderProblem } from '../../../documents/index.ts';
import { assembleDocuments } from '../../../documents/pipeline/assemble.ts';
import { sourceBox } from '../../../documents/pipeline/source-boxes.ts';
import { typedPage } from '../support.ts';

const steps = (...actions: PipelineStep['action'][]): PipelineStep[] => actions.map((action) => ({ action }));

const receipt = (shop: string, total: string): PageText =>
  typedPage([
    shop,
    '12 HIGH STREET',
    'RECEIPT NO 4711',
    'DATE 12/03/2024',
    'COFFEE   3.00',
    `TOTAL   ${total}`,
    'CASH   50.00',
  ]);

function cut(page: number, index: number, text: PageText, place: Partial<Cut> = {}): Cut {
  const { width, height } = text;
  return {
    page,
    index,
    text,
    bbox: { x: 100, y: 200, width, height, page },
    corners: [
      [100, 200],
      [100 + width, 200],
      [100 + width, 200 + height],
      [100, 200 + height],
    ],
    whole_page: false,
    rotation: 0,
    confidence: 0.95,
    ...place,
  };
}

describe('order of steps', () => {
  test.each([
    [['extract']],
    [['classify', 'extract']],
    [['split', 'classify', 'extract']],
    [['split', 'crop', 'classify', 'extract']],
    [['crop']],
  ])('%j makes sense', (actions) => {
    expect(orderProblem(actions)).toBeUndefined();
  });

  test.each([
    [[], 1, ''],
    [['extract', 'classify'], 2, 'classify'],
    [['crop', 'split'], 2, 'split'],
    [['classify', 'split'], 2, 'split'],
    [['classify', 'crop'], 2, 'crop'],
    [['split', 'split'], 2, 'split'],
    [['split', 'translate'], 2, 'translate'],
  ])('%j is refused at step %i', (actions, step, action) => {
    expect(orderProblem(actions)).toMatchObject({ step, action });
  });

  test('the refusal names the step and says why', () => {
    const run = (): unknown => assembleDocuments(steps('extract', 'crop'), { pages: [], cuts: [] });
    expect(run).toThrow(DocumentError);
    expect(run).toThrow('Step 2 (crop): nothing can follow extract.');
  });

  test('pages are not read where only their papers are needed', () => {
    expect(needsOf(['crop', 'extract'])).toEqual({ words: false, crops: true });
    expect(needsOf(['split', 'crop'])).toEqual({ words: true, crops: true });
    expect(needsOf(['classify'])).toEqual({ words: true, crops: false });
  });
});

describe('documents of a pipeline', () => {
  test('each receipt on a photo is extracted, its boxes in the pixels of the photo', () => {
    const cuts = [cut(1, 1, receipt('BLUE CAFE LTD', '7.50')), cut(1, 0, receipt('RED STORE LTD', '3.00'))];
    const found = assembleDocuments(steps('crop', 'extract'), { pages: [], cuts });
    expect(found.map(({ document }) => document.index)).toEqual([0, 1]);
    expect(found.map(({ fields }) => fields?.['total']?.value)).toEqual([3, 7.5]);
    const [first] = found;
    expect(first?.document).toMatchObject({ pages: [1], bbox: { x: 100, y: 200, page: 1 }, rotation: 0 });
    expect(first?.fields?.['total']?.bbox?.x).toBeGreaterThanOrEqual(100);
    expect(first?.fields?.['total']?.bbox?.y).toBeGreaterThan(200);
  });

  test('a scan of two pages with one paper on each stays one document', () => {
    const cuts = [cut(1, 0, receipt('A LTD', '1.00')), cut(2, 0, typedPage(['Page 2 of 2']))];
    const found = assembleDocuments(steps('crop', 'classify'), { pages: [], cuts });
    expect(found).toHaveLength(1);
    expect(found[0]?.document.pages).toEqual([1, 2]);
    expect(found[0]?.document_type).toBeDefined();
  });

  test('a page that is the paper keeps its own boxes', () => {
    const text = receipt('A LTD', '9.00');
    const [found] = assembleDocuments(steps('crop', 'extract'), {
      pages: [],
      cuts: [cut(1, 0, text, { whole_page: true })],
    });
    expect(found?.document.bbox).toBeUndefined();
    const word = text.words.find((one) => one.text === '9.00');
    expect(found?.fields?.['total']?.bbox).toMatchObject({ x: word?.bbox.x, y: word?.bbox.y, page: 1 });
  });

  test('options of the extract step are kept', () => {
    const options = { document_type: 'receipt', extract_line_items: false, confidence_threshold: 1.1 };
    const [found] = assembleDocuments([{ action: 'extract', options }], {
      pages: [receipt('A LTD', '9.00')],
      cuts: [],
    });
    expect(found).toMatchObject({ document_type: 'receipt', fields: {}, line_items: [] });
  });

  test('one response: the first document, and all of them where there are several', () => {
    const cuts = [cut(1, 0, receipt('A LTD', '3.00')), cut(1, 1, receipt('B LTD', '7.50'))];
    const found = assembleDocuments(steps('crop', 'extract'), { pages: [], cuts });
    const response = combineDocuments(found);
    expect(response.fields?.['total']?.value).toBe(3);
    expect(response.documents).toHaveLength(2);
    expect(combineDocuments(found.slice(0, 1)).documents).toHaveLength(1);
    expect(combineDocuments([])).toEqual({ documents: [] });
  });
});

describe('boxes on the source page', () => {
  const text = { ...typedPage([]), width: 200, height: 100 };
  const box = { x: 20, y: 10, width: 40, height: 20, page: 1 };

  test('a cut that was turned by a quarter', () => {
    // The upright cut's upper left is the source's lower left: it was turned 90° clockwise.
    const turned = cut(3, 0, text, {
      corners: [
        [500, 300],
        [500, 100],
        [600, 100],
        [600, 300],
      ],
      rotation: 90,
    });
    expect(sourceBox(box, turned)).toEqual({ x: 510, y: 240, width: 20, height: 40, page: 3 });
  });

  test('a cut that the reader found upside down', () => {
    const flipped = cut(
      1,
      0,
      { ...text, rotation: 180 },
      {
        corners: [
          [0, 0],
          [200, 0],
          [200, 100],
          [0, 100],
        ],
      },
    );
    expect(sourceBox(box, flipped)).toEqual({ x: 140, y: 70, width: 40, height: 20, page: 1 });
  });
});
