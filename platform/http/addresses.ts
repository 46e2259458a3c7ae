import { BlockList, isIP } from 'node:net';

/**
 * Ranges of IPv4 that are not hosts of the public internet (IANA special-purpose registry, RFC 6890 and later), and the
 * one metadata service that sits on a public address.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; Alibaba's metadata service
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's platform address
  '169.254.0.0/16', // link-local; cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; Oracle's metadata service
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relay
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** Of IPv6 only global unicast (2000::/3) is public, and of that not these. */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments, Teredo, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: may wrap any IPv4 address
  '3fff::/20', // documentation
];

const special = new BlockList();
const globalUnicast = new BlockList();
for (const range of SPECIAL_IPV4) addRange(special, range, 'ipv4');
for (const range of SPECIAL_IPV6) addRange(special, range, 'ipv6');
addRange(globalUnicast, '2000::/3', 'ipv6');

/** Whether `address` (an IP literal) is a host on the public internet, rather than one beside us or none at all. */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%', 1)[0] ?? '';
  switch (isIP(plain)) {
    case 4:
      return !special.check(plain, 'ipv4');
    case 6:
      // An IPv4-mapped address (::ffff:10.0.0.1) is outside global unicast, and so refused with the rest.
      return globalUnicast.check(plain, 'ipv6') && !special.check(plain, 'ipv6');
    default:
      return false;
  }
}

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', prefix] = range.split('/');
  list.addSubnet(network, Number(prefix), family);
}
