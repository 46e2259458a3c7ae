/** The polynomial of CRC-32 (RFC 1952 §8), its bits reversed; so are those of all polynomials here. */
const POLYNOMIAL = 0xed_b8_83_20;
const ONE = 0x80_00_00_00;
const X = 0x40_00_00_00;

/** What {@link combineCrc32} needs to know of the length of the second part, in bytes; made once for a part sent often. */
export function crc32Shift(length: number): number {
  let [power, square] = [ONE, X];
  for (let bits = length * 8; bits > 0; bits = Math.floor(bits / 2)) {
    if (bits % 2 === 1) power = product(square, power);
    square = product(square, square);
  }
  return power;
}

/** The CRC-32 of two parts put together, from that of each: as `crc32_combine_op` of zlib, in no time whatever their length. */
export function combineCrc32(first: number, second: number, shiftOfSecond: number): number {
  return (product(shiftOfSecond, first) ^ second) >>> 0;
}

/** Modulo the polynomial of CRC-32. */
function product(a: number, b: number): number {
  let sum = 0;
  for (let bit = ONE, shifted = b; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return sum >>> 0;
}
