import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network that an address is of, as far as one owner can have all of it: the /24 of an IPv4 address, also where it is
 * written as an IPv6 one, and the /48 of an IPv6 address. What is no address is one network.
 */
export function addressNetwork(ip = ''): string {
  const address = ip.replace(/%.*$/, '');
  if (isIPv4(address)) return network24(address.split('.'));
  if (!isIPv6(address)) return 'unknown';
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (!isMapped) return `${groups.slice(0, 3).join(':')}::/48`;
  const bytes = groups.slice(6).flatMap((group) => [...Buffer.from(group.padStart(4, '0'), 'hex')]);
  return network24(bytes.map(String));
}

function network24(bytes: readonly string[]): string {
  return `${bytes.slice(0, 3).join('.')}.0/24`;
}

/** The eight groups of an IPv6 address, however it is written: of an address within a URL there is one spelling. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ];
  return [...left, ...new Array<string>(8 - left.length - right.length).fill('0'), ...right];
}
