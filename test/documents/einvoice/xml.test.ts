import { describe, expect, test } from '@jest/globals';
import { readEInvoice } from '../../../documents/einvoice/read.ts';
import { parseXml, xmlLimits } from '../../../documents/einvoice/xml.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('hostile XML', () => {
  const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY lol${String(i + 1)} "${`&lol${i === 0 ? '' : String(i)};`.repeat(10)}">`,
  ).join('')}]><lolz>&lol9;</lolz>`;
  const quadratic = `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(50_000)}">]><a>${'&x;'.repeat(50_000)}</a>`;
  const external = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';

  test.each([
    ['a billion laughs', laughs],
    ['a quadratic blow-up', quadratic],
    ['an external entity', external],
  ])('%s: a document type declaration is refused unread', (_name, xml) => {
    expect(() => parseXml(utf8(xml))).toThrow(
      expect.objectContaining({
        code: 'BROKEN',
        message: expect.stringMatching(/document type declaration/),
      }),
    );
  });

  test('deep nesting, a million elements and a million attributes are refused at their limits', () => {
    const tooLarge = expect.objectContaining({ code: 'TOO_LARGE' });
    expect(() => parseXml(utf8('<a>'.repeat(100_000)))).toThrow(tooLarge);
    expect(() => parseXml(utf8(`<a>${'<b/>'.repeat(1_000_000)}</a>`))).toThrow(tooLarge);
    const attributes = Array.from({ length: 1_000 }, (_, i) => ` a${String(i)}=""`).join('');
    expect(() => parseXml(utf8(`<a${attributes}/>`), { ...xmlLimits, maxAttributes: 999 })).toThrow(tooLarge);
    expect(() => parseXml(utf8('<a/>'), { ...xmlLimits, maxBytes: 3 })).toThrow(tooLarge);
  });

  test.each([
    '<a>',
    '<a></b>',
    '<a',
    'text',
    '<a>&nothing;</a>',
    '<a b="1" b="2"/>',
    '<a/><b/>',
    '<?xml version="1.0"?>',
  ])('what is not well-formed is BROKEN: %s', (xml) => {
    expect(() => parseXml(utf8(xml))).toThrow(expect.objectContaining({ code: 'BROKEN' }));
  });

  test('attached pictures are not kept', () => {
    const root = parseXml(
      utf8(`<a><EmbeddedDocumentBinaryObject>${'A'.repeat(1000)}</EmbeddedDocumentBinaryObject></a>`),
    );
    expect(root.children[0]?.text).toBe('');
  });

  test('XML that is no invoice is an unsupported type, and its root is named', async () => {
    await expect(
      readEInvoice(utf8('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')),
    ).rejects.toMatchObject({
      code: 'UNSUPPORTED_TYPE',
      message: expect.stringContaining('<svg>'),
    });
    await expect(readEInvoice(utf8('<?xml version="1.0"?><Invoice xmlns="urn:elsewhere"/>'))).rejects.toMatchObject({
      code: 'UNSUPPORTED_TYPE',
    });
  });
});
