import { describe, expect, test } from '@jest/globals';
import { documentTypes } from '../../../documents/index.ts';
import { generateDocuments, generatedLanguages } from '../../../documents/train/generate.ts';

describe('invented training documents', () => {
  const documents = generateDocuments(16, 1);

  test('all types, each in all languages', () => {
    for (const type of documentTypes) {
      const languages = new Set(documents.filter((one) => one.type === type).map(({ language }) => language));
      expect([...languages].sort()).toEqual([...generatedLanguages].sort());
    }
  });

  test('the same seed gives the same documents, another seed others', () => {
    expect(generateDocuments(2, 7)).toEqual(generateDocuments(2, 7));
    expect(generateDocuments(2, 7)).not.toEqual(generateDocuments(2, 8));
  });

  test('words stand on their page, pages are numbered from 1', () => {
    for (const { pages } of documents) {
      expect(pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index + 1));
      for (const { words, height } of pages) {
        expect(words.every(({ bbox }) => bbox.y >= 0 && bbox.y + bbox.height <= height)).toBe(true);
      }
    }
  });

  test('passports carry lines of 44 letters', () => {
    const lines = documents
      .filter(({ type, pages }) => type === 'passport' && pages[0]!.words.some(({ text }) => text.startsWith('P<')))
      .flatMap(({ pages }) => pages[0]!.words.filter(({ text }) => text.startsWith('P<')));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter(({ text }) => text.length === 44).length).toBeGreaterThan(lines.length * 0.8);
  });
});
