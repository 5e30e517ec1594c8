import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is assigned to the public internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is on the public internet: not private, local, shared, reserved or translated, in any notation.
 * Tunnel addresses (6to4, Teredo, NAT64) contain any IPv4 address, so they count as not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  // Converts a mapped address such as ::ffff:127.0.0.1 to IPv4.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
}
