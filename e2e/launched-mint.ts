import {
  getAccount,
  getAssociatedTokenAddressSync,
  getMetadataPointerState,
  getMint,
  getTokenMetadata,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Chain } from './local-chain.ts';

/** The mint of a launched token on the network, and a wallet's balance of it. */
export async function readMint({ connection }: Chain, address: string, wallet: string) {
  const key = new PublicKey(address);
  const mint = await getMint(connection, key, 'confirmed', TOKEN_2022_PROGRAM_ID);
  const metadata = await getTokenMetadata(connection, key, 'confirmed', TOKEN_2022_PROGRAM_ID);
  const account = getAssociatedTokenAddressSync(key, new PublicKey(wallet), false, TOKEN_2022_PROGRAM_ID);
  const { amount } = await getAccount(connection, account, 'confirmed', TOKEN_2022_PROGRAM_ID);
  return { ...mint, metadata, pointer: getMetadataPointerState(mint), held: amount };
}

/** The number of Token-2022 accounts of a wallet. */
export async function countMints({ connection }: Chain, wallet: string): Promise<number> {
  const filter = { programId: TOKEN_2022_PROGRAM_ID };
  const { value } = await connection.getTokenAccountsByOwner(new PublicKey(wallet), filter);
  return value.length;
}
