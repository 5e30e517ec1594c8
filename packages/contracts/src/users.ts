import type { Archive, Instant } from './entities.ts';
import type { ReactionType } from './reactions.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface ProfileSettings {
  displayName: string;
  avatar: string | null;
  bio: string;
}

export interface Preferences {
  notifications: boolean;
  theme: Theme;
}

export const DEFAULT_PREFERENCES: Readonly<Preferences> = Object.freeze({ notifications: true, theme: 'system' });

export interface Interaction {
  type: ReactionType | 'launch' | 'feature';
  archiveId: string;
  at: Instant;
}

export interface User {
  _id: string;
  walletAddress: string;
  profileSettings: ProfileSettings;
  preferences: Preferences;
  /** The latest 100, newest first. */
  activity: { interactions: Interaction[] };
  createdAt: Instant;
}

/** Answer of `auth/me` and of both profile calls: the user, flat and under `user`. */
export type UserAnswer = User & { user: User };

/** Answer of `POST auth/verify`. */
export interface Session {
  token: string;
  user: User;
}

/** One entry of `GET reactions/user`, newest first. */
export interface GivenReaction {
  archiveId: string;
  reactionType: ReactionType;
  createdAt: Instant;
  archive: Archive;
}

/** One row of `GET reactions/{id}/wallets`. */
export interface ReactionReceipt {
  walletAddress: string;
  reactionType: ReactionType;
  createdAt: Instant;
}

/** Body of `PUT auth/profile`: absent is unchanged, empty is cleared. */
export interface ProfileChange {
  displayName?: string | undefined;
  avatar?: string | null | undefined;
  bio?: string | undefined;
}

/** In code points. */
export const DISPLAY_NAME_LENGTH = 50;
/** In code points. */
export const BIO_LENGTH = 500;
export const INTERACTIONS_KEPT = 100;
