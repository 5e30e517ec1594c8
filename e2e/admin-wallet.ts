import { TestWallet } from './test-wallet.ts';

/** The wallet that the settings of the tested product name as admin. */
export function adminWallet(): TestWallet {
  return new TestWallet({ name: 'Admin wallet', seed: new Uint8Array(32).fill(7) });
}
