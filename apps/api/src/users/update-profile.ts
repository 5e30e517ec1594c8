import { isDeepStrictEqual } from 'node:util';
import type { ProfileChange, User } from '@archive/contracts';
import { checkSignedMessage, requireSame, spendSignedMessage } from '../auth/check-signed-message.ts';
import type { SignedText } from '../auth/verify-challenge.ts';
import type { Context } from '../context.ts';
import { toUser } from './user.ts';
import type { UserChange } from './user-store.ts';

type Needs = Pick<Context, 'users' | 'reactions' | 'config' | 'now' | 'signedMessages'>;

/** Changes the fields that are given; empty clears one. */
export async function updateProfile(
  context: Pick<Context, 'users' | 'reactions'>,
  walletAddress: string,
  change: ProfileChange,
): Promise<User> {
  const fields: UserChange = {};
  if (change.displayName !== undefined) fields.displayName = cleanLine(change.displayName);
  if (change.avatar !== undefined) fields.avatar = change.avatar || null;
  if (change.bio !== undefined) fields.bio = cleanText(change.bio);
  const document = await context.users.change(walletAddress, fields);
  return toUser(document, await context.reactions.latestOf(walletAddress));
}

/** The same by a signed message instead of a token; `onProven` once it is the wallet's. */
export async function updateProfileSigned(
  context: Needs,
  input: SignedText & { profileData: ProfileChange },
  onProven: () => Promise<void>,
): Promise<User> {
  const message = checkSignedMessage(context, input, 'updateProfile');
  await onProven();
  for (const unused of ['reactionType', 'archiveId'] as const) requireSame(unused, message[unused] ?? null, null);
  requireSame('profileData', isDeepStrictEqual(message.profileData, input.profileData), true);
  await spendSignedMessage(context, input.message, message, `${input.walletAddress} profile`);
  return updateProfile(context, input.walletAddress, input.profileData);
}

/** Controls, line breaks and marks that turn the direction of text have no place in a name; nor have piles of accents. */
function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim();
}

function cleanText(text: string): string {
  return text
    .replace(/(?![\n\t])[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1');
}
