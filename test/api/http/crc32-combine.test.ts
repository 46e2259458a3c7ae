import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { combineCrc32, crc32Shift } from '../../../api/http/crc32-combine.ts';

const bytes = fc.uint8Array({ maxLength: 70_000, size: 'max' });

describe('the checksum of two parts put together', () => {
  it('is that of the whole', () => {
    fc.assert(
      fc.property(bytes, bytes, (first, second) => {
        const whole = crc32(Buffer.concat([first, second]));
        expect(combineCrc32(crc32(first), crc32(second), crc32Shift(second.length))).toBe(whole);
      }),
    );
  });

  it('holds for a part of hundreds of megabytes', () => {
    const [first, second] = [Buffer.from('before'), Buffer.alloc(300_000_000, 'x')];
    expect(combineCrc32(crc32(first), crc32(second), crc32Shift(second.length))).toBe(crc32(second, crc32(first)));
  });
});
