import { PRODUCT_SLUG, THEMES, type Theme } from '@archive/contracts';

const STORAGE_KEY = `${PRODUCT_SLUG}.theme`;
const CANVAS = { light: '#f7f4f0', dark: '#140f0b' };

export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    // Storage may be forbidden; then the page follows the system.
    return 'system';
  }
}

export function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the choice lasts until the page closes.
  }
}

export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = CANVAS[theme === 'system' ? own : theme];
  }
}
