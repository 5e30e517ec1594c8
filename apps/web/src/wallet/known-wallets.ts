/** Here, so that the dialog can label it without its code. */
export const LOCAL_WALLET_NAME = 'Local wallet';

export interface KnownWallet {
  name: string;
  /** Where it is had from. */
  site: string;
  /** Opens a page inside the wallet's own browser, where it has one. */
  browse?: (address: string, origin: string) => string;
}

/** Wallets one may have, or get, without this browser telling. Their own documentation gives the addresses. */
export const KNOWN_WALLETS: readonly KnownWallet[] = [
  { name: 'Phantom', site: 'https://phantom.com/download', browse: browseIn('https://phantom.app/ul/browse/') },
  { name: 'Solflare', site: 'https://solflare.com/download', browse: browseIn('https://solflare.com/ul/v1/browse/') },
  { name: 'Backpack', site: 'https://backpack.app/download' },
];

function browseIn(link: string) {
  return (address: string, origin: string) => `${link}${encodeURIComponent(address)}?ref=${encodeURIComponent(origin)}`;
}
