import type { FeatureWallet } from '@archive/contracts';
import { associatedAccount, checkBeforePaying, type PaymentSummary, readMint } from '@archive/solana/chain';
import { InvalidPriceError, type Network, networkOf, parsePrice } from '@archive/solana/price';
import type { FeatureTerms } from '@archive/solana/verify';
import { type Connection, PublicKey } from '@solana/web3.js';
import { PlainError } from '../../../wallet/wallet-errors.ts';
import { checkPinned, type PinnedTerms } from './check-pinned.ts';
import { NOT_OPEN } from './feature-errors.ts';

/** The terms that a person agrees to, as the network reports them. */
export interface Offer {
  terms: FeatureTerms;
  summary: PaymentSummary;
  network: Network;
  /** The payer's balance of the token, in base units. */
  balance: bigint;
}

/**
 * The server names the receiving wallet, so an attacker who alters that answer would be paid. A build for one
 * deployment can therefore fix the receiving wallet and the token: set `VITE_FEATURE_WALLET` and `VITE_FEATURE_MINT`
 * (base58) for the web build. If they are unset, the page trusts the server.
 */
const PINNED: PinnedTerms = {
  wallet: import.meta.env['VITE_FEATURE_WALLET'],
  mintAddress: import.meta.env['VITE_FEATURE_MINT'],
};

const OTHER_NETWORK = 'This page and the archive are on different Solana networks.';

/**
 * Checks everything that can be known before a wallet is asked, with the terms of the server and a simulation on chain.
 *
 * @throws the errors of `checkBeforePaying`, InvalidPriceError where the server's decimals are not the token's, and
 * PlainError.
 */
export async function readOffer(
  connection: Connection,
  quote: FeatureWallet,
  { payer, postId }: { payer: string; postId: string },
): Promise<Offer> {
  const { wallet, mintAddress, featurePrice, decimals, network: quoted } = quote;
  if (wallet === null || mintAddress === null) throw new PlainError(NOT_OPEN);
  checkPinned({ wallet, mintAddress }, PINNED);
  const [genesisHash, mint] = await Promise.all([connection.getGenesisHash(), readMint(connection, mintAddress)]);
  const network = networkOf(genesisHash);
  if (network !== quoted) throw new PlainError(OTHER_NETWORK);
  if (mint.decimals !== decimals) throw new InvalidPriceError();
  const receiverAccount = associatedAccount(wallet, mintAddress, mint.tokenProgram);
  const baseUnits = parsePrice(featurePrice, mint.decimals);
  const terms = { ...mint, payer, receiver: wallet, receiverAccount, postId, baseUnits };
  const summary = await checkBeforePaying(connection, terms);
  const payerAccount = new PublicKey(associatedAccount(payer, mintAddress, mint.tokenProgram));
  const { value } = await connection.getTokenAccountBalance(payerAccount);
  return { terms, summary, network, balance: BigInt(value.amount) };
}
