import type { Interaction, Role, User, UserAnswer } from '@archive/contracts';
import type { UserDocument } from './user-store.ts';

/** Who is an operator. The room of operators gives it: this one may not import it. */
export interface Roles {
  roleOf(wallet: string): Promise<Role | null>;
}

/** What a wallet did last, which a feature above keeps. */
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

/** The user flat and under `user`: older clients read the one, newer ones the other. */
export function toUserAnswer(user: User): UserAnswer {
  return { ...user, user };
}
