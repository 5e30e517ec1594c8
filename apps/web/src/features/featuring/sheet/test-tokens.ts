import { PRODUCT_SLUG } from '@archive/contracts';
import { type Connection, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { PlainError } from '../../../wallet/wallet-errors.ts';
import { callNode } from '../payment/connection.ts';

const TOKENS = '10';
const POLL_MS = 200;
const PATIENCE_MS = 20_000;

/** Requests free SOL and tokens on the local network. Resolves once they have arrived. */
export async function getTestTokens(connection: Connection, address: string): Promise<void> {
  const signatures = await Promise.all([
    connection.requestAirdrop(new PublicKey(address), LAMPORTS_PER_SOL),
    callNode<string>(connection.rpcEndpoint, `${PRODUCT_SLUG}_requestTokens`, [address, TOKENS]),
  ]);
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const { value } = await connection.getSignatureStatuses(signatures);
    if (
      value.every((status) => status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized')
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new PlainError('The test tokens did not arrive. Please try again.');
}
