import { isIPv4, isIPv6 } from 'node:net';

/**
 * A client, described by address ranges of a single owner, from the widest to the narrowest. For IPv4, all levels below
 * the network are the address. For the archive's own work, all levels are its name.
 */
export interface Client {
  /**
   * The /16 of an IPv4 address or the /32 of an IPv6 address. Many owners share it, so it only orders questions and has
   * no limit.
   */
  readonly provider: string;
  /** The /24 of an IPv4 address, also if it is written as IPv6, or the /48 of an IPv6 address. */
  readonly network: string;
  /** The /56. */
  readonly site: string;
  /** The /64, within which one device can take any address. */
  readonly prefix: string;
  readonly address: string;
}

export const LEVELS = ['provider', 'network', 'site', 'prefix', 'address'] as const satisfies readonly (keyof Client)[];

/** All texts that are no address count as one client. */
export function clientOf(ip = ''): Client {
  const address = ip.replace(/%.*$/, '');
  if (isIPv4(address)) return ofIPv4(address.split('.'));
  if (!isIPv6(address)) return ownWork('unknown');
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    const bytes = groups.slice(6).flatMap((group) => [...Buffer.from(group.padStart(4, '0'), 'hex')]);
    return ofIPv4(bytes.map(String));
  }
  const [start, fourth = '0'] = [groups.slice(0, 3).join(':'), groups[3]];
  const site = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return {
    provider: `${groups.slice(0, 2).join(':')}::/32`,
    network: `${start}::/48`,
    site: `${start}:${site}::/56`,
    prefix: `${start}:${fourth}::/64`,
    address: groups.join(':'),
  };
}

/** The client of the archive's own work, which takes turns with other clients. */
export function ownWork(name: string): Client {
  return { provider: name, network: name, site: name, prefix: name, address: name };
}

function ofIPv4(bytes: readonly string[]): Client {
  return {
    ...ownWork(bytes.join('.')),
    provider: `${bytes.slice(0, 2).join('.')}.0.0/16`,
    network: `${bytes.slice(0, 3).join('.')}.0/24`,
  };
}

/** The eight groups of an IPv6 address in any spelling; a URL normalises it. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ];
  return [...left, ...new Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

/** The number of places, and how many of them one network and one prefix may hold. */
export interface Places {
  all?: number;
  network: number;
  prefix: number;
}

/** Places that clients hold for a time, so that one network never holds all. */
export class Shares {
  readonly #places: Required<Places>;
  readonly #held = new Map<string, number>();

  constructor(places: Places) {
    this.#places = { all: Number.POSITIVE_INFINITY, ...places };
  }

  /** Takes a place. Returns the function that releases it, or the level whose share is used up. */
  take(client: Client): (() => void) | keyof Places {
    const wanted = [
      ['prefix', `prefix ${client.prefix}`],
      ['network', `network ${client.network}`],
      ['all', 'all'],
    ] as const;
    for (const [level, key] of wanted) if ((this.#held.get(key) ?? 0) >= this.#places[level]) return level;
    for (const [, key] of wanted) this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const [, key] of wanted) {
        const left = (this.#held.get(key) ?? 1) - 1;
        if (left === 0) this.#held.delete(key);
        else this.#held.set(key, left);
      }
    };
  }
}
