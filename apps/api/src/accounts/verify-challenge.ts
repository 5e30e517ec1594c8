import { buildSignInMessage, type Session } from '@archive/contracts';
import { verifySignature } from '@archive/solana/verify';
import { AppError } from '../app-error.ts';
import type { Audit } from '../audit/audit.ts';
import type { Accounts } from './accounts.ts';
import { requireAddress, requireSignatureForm, type SignedText } from './signed-text.ts';
import { TOKEN_LIFETIME_MS } from './tokens.ts';
import { type Activity, toUser } from './user.ts';

/** Spends a challenge and starts a session for the wallet that signed exactly its text. */
export async function verifyChallenge(
  context: { accounts: Accounts; reactions: Activity; audit: Pick<Audit, 'note'> },
  input: SignedText & { requestId?: string },
): Promise<Session> {
  requireAddress(input.walletAddress);
  requireSignatureForm(input.signature);
  const nonce = /\nNonce: ([0-9a-f]{32})\n/.exec(input.message)?.[1];
  // Spent before the signature is checked, in one step, so that only one of two equal calls continues.
  const challenge = nonce ? await context.accounts.challenges.spend(nonce) : null;
  const isOurs =
    challenge !== null &&
    (challenge.walletAddress === null || challenge.walletAddress === input.walletAddress) &&
    buildSignInMessage(challenge.input, input.walletAddress) === input.message;
  if (!isOurs) {
    throw new AppError('challenge_invalid', 'This sign-in request has expired or was used. Please sign in again.');
  }
  if (!verifySignature(input)) throw new AppError('signature_invalid', 'The signature does not fit the wallet.');
  await context.accounts.deletions.requireNone(input.walletAddress);
  const document = await context.accounts.users.findOrCreate(input.walletAddress);
  const id = await context.accounts.sessions.begin(input.walletAddress, TOKEN_LIFETIME_MS);
  const who = { kind: 'wallet', id: input.walletAddress } as const;
  context.audit.note({ actor: who, act: 'sign in', subject: who, requestId: input.requestId });
  return {
    token: context.accounts.tokens.sign({ walletAddress: input.walletAddress, id }),
    user: toUser(document, await context.reactions.store.latestOf(input.walletAddress)),
  };
}
