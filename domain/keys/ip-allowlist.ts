import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const MAPPED_V4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Why `entry` can't stand in an allowlist, or undefined when it can: a single address or a CIDR range, v4 or v6. */
export function allowlistProblem(entry: string): string | undefined {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return 'must be an IP address or a CIDR range such as 203.0.113.0/24';
  if (prefix === undefined) return undefined;
  const bits = family === 4 ? 32 : 128;
  const valid = /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
  return valid ? undefined : `must have a prefix length from 0 to ${String(bits)}`;
}

/** Whether an address may use a key. */
export type AddressCheck = (address: string | null) => boolean;

/** The check that an allowlist stands for, parsed once. An empty list lets every address in (spec, "API key"). */
export function addressCheck(allowlist: readonly string[]): AddressCheck {
  if (allowlist.length === 0) return () => true;
  const list = new BlockList();
  for (const entry of allowlist) addEntry(list, entry);
  return (address) => {
    if (address === null) return false;
    const plain = unmapped(address);
    return isIPv4(plain) ? list.check(plain, 'ipv4') : isIPv6(plain) && list.check(plain, 'ipv6');
  };
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/');
  const plain = unmapped(address);
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
  if (prefix === undefined) {
    list.addAddress(plain, family);
    return;
  }
  // A range over mapped addresses (::ffff:10.0.0.0/104) is the v4 range with 96 bits less.
  const bits = plain === address ? Number(prefix) : Math.max(0, Number(prefix) - 96);
  list.addSubnet(plain, bits, family);
}

/** An IPv4 address that a dual-stack socket shows as ::ffff:a.b.c.d, as a.b.c.d (decisions §2). */
function unmapped(address: string): string {
  return MAPPED_V4.exec(address)?.[1] ?? address;
}
