import { isDeepStrictEqual } from 'node:util';
import type { Preferences, ProfileChange, User } from '@archive/contracts';
import type { Base } from '../base.ts';
import type { Accounts } from './accounts.ts';
import { checkSignedMessage, requireSame, spendSignedMessage } from './signed-message.ts';
import type { SignedText } from './signed-text.ts';
import { type Activity, toUser } from './user.ts';
import type { UserChange } from './user-store.ts';

interface Needs {
  accounts: Accounts;
  reactions: Activity;
}

/** Changes the given fields; an empty value clears a field. */
export async function updateProfile(context: Needs, walletAddress: string, change: ProfileChange): Promise<User> {
  const fields: UserChange = {};
  if (change.displayName !== undefined) fields.displayName = cleanLine(change.displayName);
  if (change.avatar !== undefined) fields.avatar = change.avatar || null;
  if (change.bio !== undefined) fields.bio = cleanText(change.bio);
  const document = await context.accounts.users.change(walletAddress, fields);
  return toUser(document, await context.reactions.store.latestOf(walletAddress));
}

/** Changes the profile by a signed message instead of a token. Calls `onProven` once the signature is verified. */
export async function updateProfileSigned(
  context: Needs & Pick<Base, 'config'>,
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

export async function changePreferences(
  { accounts }: Pick<Needs, 'accounts'>,
  walletAddress: string,
  change: { [P in keyof Preferences]?: Preferences[P] | undefined },
): Promise<{ preferences: Preferences }> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const { notifications, theme } = await accounts.users.change(walletAddress, given);
  if (!notifications) await accounts.browsers.dropOf(walletAddress);
  return { preferences: { notifications, theme } };
}

/** Removes control characters, line breaks, direction marks and excessive accents from a name. */
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
