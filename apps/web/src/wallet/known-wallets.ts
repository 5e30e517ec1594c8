/** In this module, so that the dialog can show the name without loading the local wallet. */
export const LOCAL_WALLET_NAME = 'Local wallet';

export interface KnownWallet {
  name: string;
  /** The wallet's download page. */
  site: string;
  /** The address that opens a page inside the wallet's own browser, if it has one. */
  browse?: (address: string, origin: string) => string;
}

/**
 * Wallets to suggest, because a browser does not report wallets that are not installed. The addresses come from the
 * wallets' documentation.
 */
export const KNOWN_WALLETS: readonly KnownWallet[] = [
  { name: 'Phantom', site: 'https://phantom.com/download', browse: browseIn('https://phantom.app/ul/browse/') },
  { name: 'Solflare', site: 'https://solflare.com/download', browse: browseIn('https://solflare.com/ul/v1/browse/') },
  { name: 'Backpack', site: 'https://backpack.app/download' },
];

function browseIn(link: string) {
  return (address: string, origin: string) => `${link}${encodeURIComponent(address)}?ref=${encodeURIComponent(origin)}`;
}
