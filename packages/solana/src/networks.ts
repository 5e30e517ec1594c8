/** Public networks by the hash of their first block, which is unique to each network. */
export const NETWORKS = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
} as const;

export type Network = (typeof NETWORKS)[keyof typeof NETWORKS] | 'localnet';

/** The network of a node, by its `getGenesisHash`. An unknown hash is a local network. */
export function networkOf(genesisHash: string): Network {
  return Object.hasOwn(NETWORKS, genesisHash) ? NETWORKS[genesisHash as keyof typeof NETWORKS] : 'localnet';
}

const EXPLORER_PATHS = { transaction: 'tx', token: 'token', account: 'account' } as const;

/**
 * Solscan's address of a transaction (by signature), a token (by mint) or an account (by address). Null on a local
 * network, which no explorer shows.
 */
export function explorerUrl(kind: keyof typeof EXPLORER_PATHS, value: string, network: Network): string | null {
  if (network === 'localnet') return null;
  const cluster = network === 'mainnet' ? '' : `?cluster=${network}`;
  return `https://solscan.io/${EXPLORER_PATHS[kind]}/${encodeURIComponent(value)}${cluster}`;
}
