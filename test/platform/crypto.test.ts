import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { createToken, createVault, isWellFormedToken, secretsEqual } from '../../platform/crypto.ts';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

describe('createVault', () => {
  const vault = createVault(key(1));

  it('opens what it sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(vault.open(vault.seal(text, 'a.b'), 'a.b')).toBe(text);
      }),
    );
  });

  it('seals the same text differently each time, and not readably', () => {
    const [a, b] = [vault.seal('a secret', 'a.b'), vault.seal('a secret', 'a.b')];
    expect(a.equals(b)).toBe(false);
    expect(a.includes('a secret')).toBe(false);
  });

  it('opens nothing that was changed in any byte, cut, moved to another place, or sealed with another key', () => {
    const sealed = vault.seal('a secret', 'api_keys.key');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => vault.open(changed, 'api_keys.key')).toThrow();
    }
    for (const length of [0, 11, 20, sealed.length - 1])
      expect(() => vault.open(sealed.subarray(0, length), 'api_keys.key')).toThrow();
    expect(() => vault.open(sealed, 'webhooks.secret')).toThrow();
    expect(() => createVault(key(2)).open(sealed, 'api_keys.key')).toThrow();
  });

  it('makes digests that differ by context and master key, and nobody else can make', () => {
    const mac = vault.mac('a text', 'a.b');
    expect(mac).toHaveLength(32);
    expect(vault.mac('a text', 'a.b').equals(mac)).toBe(true);
    expect(vault.mac('another', 'a.b').equals(mac)).toBe(false);
    expect(vault.mac('a text', 'a.c').equals(mac)).toBe(false);
    expect(createVault(key(2)).mac('a text', 'a.b').equals(mac)).toBe(false);
    expect(createHash('sha256').update('a text').digest().equals(mac)).toBe(false);
  });

  it('names its key by a digest that tells nothing of it', () => {
    expect(vault.keyId).toMatch(/^[\da-f]{8}$/);
    expect(createVault(key(1)).keyId).toBe(vault.keyId);
    expect(createVault(key(2)).keyId).not.toBe(vault.keyId);
  });
});

describe('tokens', () => {
  it('are prefix, 43 characters of chance and 6 of checksum, and never the same', () => {
    const tokens = new Set(Array.from({ length: 200 }, () => createToken('svc_sk_')));
    expect(tokens.size).toBe(200);
    for (const token of tokens) {
      expect(token).toMatch(/^svc_sk_[\w-]{49}$/);
      expect(isWellFormedToken(token, 'svc_sk_')).toBe(true);
    }
  });

  it('with one wrong character, another prefix or another length are found without a look-up', () => {
    const token = createToken('svc_sk_');
    const position = fc.integer({ min: 7, max: token.length - 1 });
    const letter = fc.constantFrom(...Array.from('ABCDEFabcdef0123456789-_'));
    fc.assert(
      fc.property(position, letter, (at, other) => {
        fc.pre(token[at] !== other);
        return !isWellFormedToken(token.slice(0, at) + other + token.slice(at + 1), 'svc_sk_');
      }),
    );
    for (const bad of ['', 'svc_sk_', token.slice(0, -1), `${token}A`, ` ${token}`, `${token}\n`])
      expect(isWellFormedToken(bad, 'svc_sk_')).toBe(false);
    expect(isWellFormedToken(token, 'svc_wh_')).toBe(false);
    expect(isWellFormedToken(token.replace('svc_sk_', 'svc_wh_'), 'svc_wh_')).toBe(false);
  });
});

describe('secretsEqual', () => {
  it('compares texts of any length', () => {
    expect(secretsEqual('same', 'same')).toBe(true);
    for (const other of ['', 'Same', 'sam', 'same ', 'different length altogether'])
      expect(secretsEqual('same', other)).toBe(false);
  });
});
