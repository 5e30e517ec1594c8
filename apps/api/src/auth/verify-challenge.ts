import { buildSignInMessage, type Session } from '@archive/contracts';
import { decodeSignature, verifySignature } from '@archive/solana/verify';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import { toUser } from '../users/user.ts';
import { requireAddress } from './create-challenge.ts';
import { TOKEN_LIFETIME_MS } from './tokens.ts';

export interface SignedText {
  walletAddress: string;
  message: string;
  signature: string;
}

/** Spends a challenge and begins a session for the wallet that signed exactly its text. */
export async function verifyChallenge(
  context: Pick<Context, 'challenges' | 'sessions' | 'tokens' | 'users' | 'reactions' | 'now'>,
  input: SignedText,
): Promise<Session> {
  requireAddress(input.walletAddress);
  requireSignatureForm(input.signature);
  const now = context.now();
  const nonce = /\nNonce: ([0-9a-f]{32})\n/.exec(input.message)?.[1];
  // Spent first, in one step: of two equal calls only one ever gets as far as the signature.
  const challenge = nonce ? await context.challenges.spend(nonce) : null;
  const isOurs =
    challenge !== null &&
    challenge.expiresAt.getTime() > now &&
    (challenge.walletAddress === null || challenge.walletAddress === input.walletAddress) &&
    buildSignInMessage(challenge.input, input.walletAddress) === input.message;
  if (!isOurs) {
    throw new AppError('challenge_invalid', 'This sign-in request has expired or was used. Please sign in again.');
  }
  if (!verifySignature(input)) throw new AppError('signature_invalid', 'The signature does not fit the wallet.');
  const document = await context.users.findOrCreate(input.walletAddress);
  const id = await context.sessions.begin(input.walletAddress, new Date(now + TOKEN_LIFETIME_MS));
  return {
    token: context.tokens.sign({ walletAddress: input.walletAddress, id }),
    user: toUser(document, await context.reactions.latestOf(input.walletAddress)),
  };
}

/** 64 bytes in base58 or base64, before anything is looked up. */
export function requireSignatureForm(signature: string): void {
  if (decodeSignature(signature)) return;
  throw new AppError('invalid_request', 'The field signature must be 64 bytes in base58 or base64.', {
    errors: [{ path: 'signature', message: 'must be 64 bytes in base58 or base64' }],
  });
}
