import { describe, expect, test } from '@jest/globals';
import { createContext } from '../../../documents/extract/context.ts';
import { extractReceipt } from '../../../documents/extract/receipt/receipt.ts';
import { typedPage } from '../support.ts';
import { englishSamples } from './english-samples.ts';
import { europeanSamples } from './european-samples.ts';

describe('receipts of many trades and countries', () => {
  test.each([...englishSamples, ...europeanSamples].map((sample) => [sample.kind, sample] as const))(
    '%s',
    (_, sample) => {
      const fields = extractReceipt(createContext([typedPage(sample.lines, { width: 440 })]));
      const values = Object.fromEntries(Object.keys(sample.fields).map((name) => [name, fields[name]?.value]));
      expect(values).toEqual(sample.fields);
      for (const name of sample.absent ?? []) expect(fields[name]).toBeUndefined();
    },
  );
});
