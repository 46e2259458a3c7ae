import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isMailbox, oneLine } from '../../../domain/mails/index.ts';

describe('isMailbox', () => {
  it.each([
    'thandi@acme.example',
    'first.last+tag@mail.acme.example',
    "o'neill@acme.example",
    'root@localhost',
    'josé@exämple.example',
    '用户@例え.example',
  ])('takes %s', (address) => {
    expect(isMailbox(address)).toBe(true);
  });

  it.each([
    '',
    'thandi',
    '@acme.example',
    'thandi@',
    'a@b@c.example',
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    'Thandi <a@b.example>',
    '<a@b.example>',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example\nBcc: c@d.example',
    'a b@c.example',
    '"a b"@c.example',
    'a@[127.0.0.1]',
    'a@-b.example',
    'a@b..example',
    '.a@b.example',
    'a.@b.example',
    'a..b@c.example',
    'a(comment)@b.example',
    'group: a@b.example',
    'a\0@b.example',
    'a\u200b@b.example',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(64)}.example`,
    `a@${'b.'.repeat(130)}example`,
  ])('refuses %j', (address) => {
    expect(isMailbox(address)).toBe(false);
  });
});

describe('oneLine', () => {
  it('leaves nothing that could end a header line, nor half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const line = oneLine(text, 60);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(line.isWellFormed()).toBe(true);
        expect(line.length).toBeLessThanOrEqual(60);
      }),
    );
  });

  it('keeps what fits as it is', () => {
    expect(oneLine('Webhook “ERP – Zürich 🚚”')).toBe('Webhook “ERP – Zürich 🚚”');
  });
});
