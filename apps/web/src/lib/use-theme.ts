import type { Theme } from '@archive/contracts';
import { useSyncExternalStore } from 'react';
import { followers } from './followers.ts';
import { applyTheme, storedTheme, storeTheme } from './theme.ts';

let current: Theme | undefined;
let chosen: Theme | undefined;
const [subscribe, announce] = followers();
const choices = new Set<(theme: Theme) => void>();

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, read), chooseTheme];
}

/** Applies a theme to the page. */
export function setTheme(theme: Theme): void {
  current = theme;
  storeTheme(theme);
  applyTheme(theme);
  announce();
}

/** Calls back when a person chooses a theme, but not when `setTheme` is called. */
export function onThemeChosen(listener: (theme: Theme) => void): void {
  choices.add(listener);
}

/** The theme that a person has chosen since the page opened. */
export function chosenTheme(): Theme | undefined {
  return chosen;
}

function chooseTheme(theme: Theme): void {
  chosen = theme;
  setTheme(theme);
  for (const listener of choices) listener(theme);
}

function read(): Theme {
  current ??= storedTheme();
  return current;
}
