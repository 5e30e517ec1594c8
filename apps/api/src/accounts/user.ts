import type { Interaction, Role, User, UserAnswer } from '@archive/contracts';
import type { UserDocument } from './user-store.ts';

/** Tells who is an operator. The operators feature provides it, because this feature may not import that one. */
export interface Roles {
  roleOf(wallet: string): Promise<Role | null>;
}

/** The last acts of a wallet; a feature above this one stores them. */
export interface Activity {
  store: { latestOf(wallet: string): Promise<Interaction[]> };
}

export function toUser(document: UserDocument, interactions: Interaction[]): User {
  const { displayName, avatar, bio, notifications, theme } = document;
  return {
    _id: document._id.toHexString(),
    walletAddress: document.walletAddress,
    profileSettings: { displayName, avatar, bio },
    preferences: { notifications, theme },
    activity: { interactions },
    createdAt: document.createdAt.toISOString(),
  };
}

/** The user both flat and under `user`: older clients read the first form, newer ones the second. */
export function toUserAnswer(user: User): UserAnswer {
  return { ...user, user };
}
