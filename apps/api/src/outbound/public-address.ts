import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is given out for the open net; whatever lies outside of it leads somewhere else. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is one of the open net: no private, local, shared, reserved or translated one, in whatever spelling.
 * Tunnels (6to4, Teredo, NAT64) carry an IPv4 address within, which may be any, and count as not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  // Takes an IPv4 address out of its mapped form, ::ffff:127.0.0.1.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
}
