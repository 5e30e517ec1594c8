import { PRODUCT_SLUG, type Session } from '@archive/contracts';

/** Other tabs see a sign-in or a logout as a change of this key. */
export const TOKEN_KEY = `${PRODUCT_SLUG}.token`;
/** The wallet adapter stores the name of the last chosen wallet under this key. */
export const WALLET_KEY = `${PRODUCT_SLUG}.wallet`;
const USER_KEY = `${PRODUCT_SLUG}.user`;
const ADDRESS_KEY = `${PRODUCT_SLUG}.address`;

/** In-app browsers sometimes lose one of the two stores. If both hold a token, the store that all tabs share wins. */
const STORES = ['localStorage', 'sessionStorage'] as const;
/** Used if storage is forbidden; the session then lasts until the page closes. */
const memory = new Map<string, string>();

export const readToken = () => read(TOKEN_KEY);
export const readUserId = () => read(USER_KEY);
/** The address of the session's wallet, known before the profile is loaded. */
export const readAddress = () => read(ADDRESS_KEY);
export const readWalletName = () => read(WALLET_KEY);

export function saveSession({ token, user }: Session): void {
  write(USER_KEY, user._id);
  write(ADDRESS_KEY, user.walletAddress);
  // Written last, because other tabs read the other keys when this one changes.
  write(TOKEN_KEY, token);
}

export function clearSession(): void {
  for (const key of [USER_KEY, ADDRESS_KEY, TOKEN_KEY]) write(key, null);
}

export function clearWalletName(): void {
  write(WALLET_KEY, null);
}

function read(key: string): string | null {
  for (const store of STORES) {
    try {
      const value = window[store].getItem(key);
      if (value !== null) return value;
    } catch {
      // Storage is forbidden: `memory` holds the value.
    }
  }
  return memory.get(key) ?? null;
}

function write(key: string, value: string | null): void {
  memory.delete(key);
  for (const store of STORES) {
    try {
      if (value === null) window[store].removeItem(key);
      else window[store].setItem(key, value);
    } catch {
      if (value !== null) memory.set(key, value);
    }
  }
}
