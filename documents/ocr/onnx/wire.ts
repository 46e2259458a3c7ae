/** One field of a protocol buffers message, its value as it stands on the wire (without tag and length). */
export interface Field {
  number: number;
  wire: number;
  bytes: Uint8Array;
}

const VARINT = 0;
const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** The fields of a message in their order. Throws a RangeError where the message is cut off or of a wire type unknown. */
export function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length;) {
    const tag = readVarint(message, at);
    const wire = tag.value % 8;
    const size = sizeOf(message, tag.end, wire);
    const end = size.from + size.length;
    if (end > message.length) throw new RangeError('A field reaches beyond its message.');
    fields.push({ number: Math.floor(tag.value / 8), wire, bytes: message.subarray(size.from, end) });
    at = end;
  }
  return fields;
}

function sizeOf(message: Uint8Array, at: number, wire: number): { from: number; length: number } {
  if (wire === VARINT) return { from: at, length: readVarint(message, at).end - at };
  if (wire === FIXED64) return { from: at, length: 8 };
  if (wire === FIXED32) return { from: at, length: 4 };
  if (wire !== LENGTH_DELIMITED) throw new RangeError(`No wire type ${String(wire)}.`);
  const { value, end } = readVarint(message, at);
  return { from: end, length: value };
}

export function writeFields(fields: Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(({ number, wire, bytes }) => {
      const tag = varint(number * 8 + wire);
      return wire === LENGTH_DELIMITED ? [tag, varint(bytes.length), bytes] : [tag, bytes];
    }),
  );
}

export const messageField = (number: number, bytes: Uint8Array): Field => ({ number, wire: LENGTH_DELIMITED, bytes });

export const textField = (number: number, text: string): Field => messageField(number, Buffer.from(text));

export const integerField = (number: number, value: number): Field => ({ number, wire: VARINT, bytes: varint(value) });

export function floatField(number: number, value: number): Field {
  return { number, wire: FIXED32, bytes: new Uint8Array(Float32Array.of(value).buffer) };
}

export const textOf = (field: Field): string => Buffer.from(field.bytes).toString();

/** The integers of a repeated field, packed or not. */
export function integersOf(fields: Field[], number: number): number[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap(({ bytes }) => {
      const values: number[] = [];
      for (let at = 0; at < bytes.length;) {
        const { value, end } = readVarint(bytes, at);
        values.push(value);
        at = end;
      }
      return values;
    });
}

function readVarint(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  for (let at = from, scale = 1; ; at++, scale *= 128) {
    const byte = bytes[at];
    if (byte === undefined) throw new RangeError('An integer is cut off.');
    value += (byte % 128) * scale;
    if (byte < 128) return { value, end: at + 1 };
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
