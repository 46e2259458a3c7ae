import { describe, expect, it } from '@jest/globals';
import { allowlistProblem, addressCheck } from '../../../domain/keys/ip-allowlist.ts';

describe('addressCheck', () => {
  it.each<[string | null, string[], boolean]>([
    ['198.51.100.7', [], true],
    [null, [], true],
    [null, ['0.0.0.0/0'], false],
    ['198.51.100.7', ['198.51.100.7'], true],
    ['198.51.100.7', ['198.51.100.70'], false],
    ['10.255.0.1', ['10.0.0.0/8'], true],
    ['11.0.0.1', ['10.0.0.0/8'], false],
    ['11.0.0.1', ['0.0.0.0/0'], true],
    ['198.51.100.7', ['198.51.100.7/32'], true],
    ['198.51.100.6', ['198.51.100.7/32'], false],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['::FFFF:10.1.2.3', ['10.1.2.3'], true],
    ['10.1.2.3', ['::ffff:10.1.2.3'], true],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['11.1.2.3', ['::ffff:10.0.0.0/104'], false],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:0DB8:0:0::1', ['2001:db8::1'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['2001:db8::1', ['0.0.0.0/0'], false],
    ['10.0.0.1', ['192.0.2.1', '2001:db8::/32', '10.0.0.0/24'], true],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
  ])('%s against %j: %s', (address, allowlist, allowed) => {
    expect(addressCheck(allowlist)(address)).toBe(allowed);
  });
});

describe('allowlistProblem', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::', '2001:db8::/32', '::/0', '::ffff:10.0.0.0/104'])(
    'takes %s',
    (entry) => {
      expect(allowlistProblem(entry)).toBeUndefined();
    },
  );

  it.each(['', '10', '10.0.0.256', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/9', '::/129', 'a.example'])(
    'refuses %j',
    (entry) => {
      expect(allowlistProblem(entry)).toEqual(expect.any(String));
    },
  );
});
