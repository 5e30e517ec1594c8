import { randomBytes } from 'node:crypto';
import { buildSignInMessage, CHALLENGE_LIFETIME_MS, PRODUCT_NAME, type SignInInput } from '@archive/contracts';
import { isUsableAddress } from '@archive/solana/verify';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';

/** A text to sign for one wallet; without a wallet, the input of a wallet's own `signIn`. */
export async function createChallenge(
  context: Pick<Context, 'challenges' | 'config' | 'desk' | 'now'>,
  walletAddress: string | undefined,
): Promise<{ challenge: string } | { signIn: SignInInput }> {
  if (walletAddress !== undefined) requireAddress(walletAddress);
  const issuedAt = context.now();
  const { publicUrl } = context.config;
  const input: SignInInput = {
    // From configuration, never from what a request says of its host.
    domain: publicUrl.host,
    statement: `Sign in to ${PRODUCT_NAME}. This costs nothing and sends nothing.`,
    uri: publicUrl.origin,
    version: '1',
    chainId: context.desk.network,
    nonce: randomBytes(16).toString('hex'),
    issuedAt: new Date(issuedAt).toISOString(),
    expirationTime: new Date(issuedAt + CHALLENGE_LIFETIME_MS).toISOString(),
  };
  await context.challenges.add({
    _id: input.nonce,
    walletAddress: walletAddress ?? null,
    input,
    expiresAt: new Date(issuedAt + CHALLENGE_LIFETIME_MS),
  });
  return walletAddress === undefined ? { signIn: input } : { challenge: buildSignInMessage(input, walletAddress) };
}

/** Refuses what is not the canonical address of a key that can prove anything. */
export function requireAddress(walletAddress: string): void {
  if (isUsableAddress(walletAddress)) return;
  throw new AppError('invalid_request', 'The field walletAddress must be a wallet address.', {
    errors: [{ path: 'walletAddress', message: 'must be a wallet address' }],
  });
}
