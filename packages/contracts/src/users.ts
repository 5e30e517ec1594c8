export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Preferences {
  notifications: boolean;
  theme: Theme;
}

export const DEFAULT_PREFERENCES: Readonly<Preferences> = { notifications: true, theme: 'system' };

/** Body of `PUT auth/profile`: an absent field stays unchanged, an empty one is cleared. */
export interface ProfileChange {
  displayName?: string | undefined;
  avatar?: string | null | undefined;
  bio?: string | undefined;
}
