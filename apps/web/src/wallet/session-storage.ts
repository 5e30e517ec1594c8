import { PRODUCT_SLUG, type Session } from '@archive/contracts';

/** Changes of this key tell other tabs of a sign-in or a logout. */
export const TOKEN_KEY = `${PRODUCT_SLUG}.token`;
/** Where the wallet adapter keeps the name of the wallet that was chosen last. */
export const WALLET_KEY = `${PRODUCT_SLUG}.wallet`;
const USER_KEY = `${PRODUCT_SLUG}.user`;
const ADDRESS_KEY = `${PRODUCT_SLUG}.address`;

/** In-app browsers lose one of the two stores now and then; where both hold a token, the one all tabs share wins. */
const STORES = ['localStorage', 'sessionStorage'] as const;
/** Storage may be forbidden; a session then lasts as long as the page. */
const memory = new Map<string, string>();

export const readToken = () => read(TOKEN_KEY);
export const readUserId = () => read(USER_KEY);
/** Whose session it is, known before the profile has come. */
export const readAddress = () => read(ADDRESS_KEY);
export const readWalletName = () => read(WALLET_KEY);

export function saveSession({ token, user }: Session): void {
  write(USER_KEY, user._id);
  write(ADDRESS_KEY, user.walletAddress);
  // Last, since other tabs read the rest when they see it change.
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
      // See memory.
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
