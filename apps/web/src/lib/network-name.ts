const NAMES: Readonly<Record<string, string>> = {
  mainnet: 'Solana mainnet',
  devnet: 'Solana devnet, where nothing has a price',
  testnet: 'Solana testnet, where nothing has a price',
  localnet: 'Local network, where nothing has a price',
};

/** The display name of a network. */
export function networkName(network: string): string {
  return NAMES[network] ?? network;
}
