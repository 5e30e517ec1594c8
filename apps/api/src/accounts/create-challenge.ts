import { randomBytes } from 'node:crypto';
import { buildSignInMessage, CHALLENGE_LIFETIME_MS, PRODUCT_NAME, type SignInInput } from '@archive/contracts';
import { type Base, servedNetwork } from '../base.ts';
import type { Accounts } from './accounts.ts';
import { requireAddress } from './signed-text.ts';

/** The text that one wallet must sign. Without a wallet, the input for the wallet's own `signIn`. */
export async function createChallenge(
  context: Pick<Base, 'chain' | 'config' | 'now'> & { accounts: Pick<Accounts, 'challenges'> },
  walletAddress: string | undefined,
): Promise<{ challenge: string } | { signIn: SignInInput }> {
  if (walletAddress !== undefined) requireAddress(walletAddress);
  const issuedAt = context.now();
  const { publicUrl } = context.config;
  const input: SignInInput = {
    // From the settings, since a request can name any host.
    domain: publicUrl.host,
    statement: `Sign in to ${PRODUCT_NAME}. This costs nothing and sends nothing.`,
    uri: publicUrl.origin,
    version: '1',
    chainId: servedNetwork(context),
    nonce: randomBytes(16).toString('hex'),
    issuedAt: new Date(issuedAt).toISOString(),
    expirationTime: new Date(issuedAt + CHALLENGE_LIFETIME_MS).toISOString(),
  };
  await context.accounts.challenges.add({
    _id: input.nonce,
    walletAddress: walletAddress ?? null,
    input,
  });
  return walletAddress === undefined ? { signIn: input } : { challenge: buildSignInMessage(input, walletAddress) };
}
