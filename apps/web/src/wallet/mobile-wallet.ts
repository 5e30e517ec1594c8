import { PRODUCT_NAME } from '@archive/contracts';
import type { Adapter } from '@solana/wallet-adapter-base';
import {
  createDefaultAddressSelector,
  createDefaultAuthorizationResultCache,
  SolanaMobileWalletAdapter,
} from '@solana-mobile/wallet-adapter-mobile';
import { showToast } from '../ui/toasts.tsx';
import { NO_WALLET_APP } from './wallet-errors.ts';

/**
 * The wallet app on Android. If none is installed, the page says so itself, because the adapter's own window injects
 * its own styles.
 */
export function mobileWallet(network: string): Adapter {
  return new SolanaMobileWalletAdapter({
    addressSelector: createDefaultAddressSelector(),
    appIdentity: { name: PRODUCT_NAME, uri: location.origin },
    authorizationResultCache: createDefaultAuthorizationResultCache(),
    chain: `solana:${network}`,
    onWalletNotFound: async () => void showToast('error', NO_WALLET_APP),
  });
}
