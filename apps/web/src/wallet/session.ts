import { ApiError } from '@archive/client';
import type { Preferences, ProfileChange, Session, SignInInput, User } from '@archive/contracts';
import bs58 from 'bs58';
import { callApi } from '../lib/api.ts';
import { chosenTheme, onThemeChosen, setTheme } from '../lib/use-theme.ts';
import { closeAllToasts, showToast } from '../ui/toasts.tsx';
import { clearSession, clearWalletName, readToken, readUserId, saveSession } from './session-storage.ts';
import {
  ACCOUNT_CHANGED,
  CANNOT_SIGN,
  CONNECT_FAILED,
  PlainError,
  SESSION_ENDED,
  SIGNED_OUT_EVERYWHERE,
  STILL_SIGNED_IN,
  walletSentence,
} from './wallet-errors.ts';
import { subscribe, updateWalletState, walletState } from './wallet-store.ts';

/** The functions of a wallet that a sign-in needs. */
export interface SigningWallet {
  name: string;
  address: () => string | null;
  connect: () => Promise<void>;
  signMessage: ((message: Uint8Array) => Promise<Uint8Array>) | null;
  /** Connects and signs with one prompt; null if the wallet cannot. */
  signIn: ((input: SignInInput) => Promise<SignedIn>) | null;
}

export interface SignedIn {
  address: string;
  signedMessage: Uint8Array;
  signature: Uint8Array;
}

interface Attempt {
  isWanted: boolean;
  done: Promise<void>;
}

const attempts = new Map<string, Attempt>();
let restoring: Promise<void> | undefined;

/**
 * Signs in with the chosen wallet. A wallet shows one prompt at a time, so a second call joins the attempt in progress.
 */
export function signIn(wallet: SigningWallet): Promise<void> {
  const running = attempts.get(wallet.name);
  if (running !== undefined) {
    running.isWanted = true;
    return running.done;
  }
  const attempt: Attempt = { isWanted: true, done: Promise.resolve() };
  attempt.done = signInOnce(wallet, attempt).finally(() => attempts.delete(wallet.name));
  attempts.set(wallet.name, attempt);
  return attempt.done;
}

/** Ignores whatever the person signs in the open prompt. */
export function abandonSignIn(walletName: string): void {
  const attempt = attempts.get(walletName);
  if (attempt !== undefined) attempt.isWanted = false;
}

async function signInOnce(wallet: SigningWallet, attempt: Attempt): Promise<void> {
  // With a saved token, connecting is enough if the account is the same.
  if (readToken() !== null) {
    await connect(wallet);
    await restoreSession();
    compareAccounts(wallet.address());
    if (walletState().token !== null || !attempt.isWanted) return;
  }
  const signed = await (wallet.signIn !== null
    ? signInAtOnce(wallet.signIn, attempt)
    : connectAndSign(wallet, attempt));
  if (signed === null || !attempt.isWanted) return;
  const session = await callApi('verify', { body: signed });
  if (attempt.isWanted) beginSession(session);
  else revoke(session.token);
}

interface SignedChallenge {
  walletAddress: string;
  message: string;
  signature: string;
}

/** Null if the attempt was abandoned before the wallet asked. */
async function signInAtOnce(
  sign: NonNullable<SigningWallet['signIn']>,
  attempt: Attempt,
): Promise<SignedChallenge | null> {
  const { signIn: input } = (await callApi('challenge', { body: {} })) as { signIn: SignInInput };
  if (!attempt.isWanted) return null;
  const { address, signedMessage, signature } = await sign(input);
  return {
    walletAddress: address,
    message: new TextDecoder().decode(signedMessage),
    signature: bs58.encode(signature),
  };
}

async function connectAndSign(
  wallet: SigningWallet,
  attempt: Pick<Attempt, 'isWanted'>,
): Promise<SignedChallenge | null> {
  await connect(wallet);
  const walletAddress = wallet.address();
  if (walletAddress === null || wallet.signMessage === null) throw new PlainError(CANNOT_SIGN);
  const { challenge } = (await callApi('challenge', { body: { walletAddress } })) as { challenge: string };
  if (!attempt.isWanted) return null;
  const signature = await wallet.signMessage(new TextEncoder().encode(challenge));
  return { walletAddress, message: challenge, signature: bs58.encode(signature) };
}

async function connect(wallet: SigningWallet): Promise<void> {
  try {
    await wallet.connect();
  } catch (error) {
    throw new PlainError(walletSentence(error, CONNECT_FAILED));
  }
}

/** Loads the profile of the saved token. An invalid token is deleted; without an answer it is kept. */
export function restoreSession(): Promise<void> {
  restoring ??= restore().finally(() => {
    restoring = undefined;
  });
  return restoring;
}

async function restore(): Promise<void> {
  const token = readToken();
  if (token === null) return forgetSession();
  if (token === walletState().token) return;
  try {
    const { user } = await callApi('me', { token });
    if (readToken() === token) beginSession({ token, user });
  } catch (error) {
    if (isDead(error) && readToken() === token) endSession();
    updateWalletState({ restoring: null });
  }
}

/** Resolves once the wallet and the session of the last visit are restored. */
export function settledWallet(): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      const { wallet, isWalletExpected, restoring } = walletState();
      if ((wallet === null && isWalletExpected) || restoring !== null) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = subscribe(check);
    check();
  });
}

/** Follows a sign-in in another tab, or a logout if the token is null. */
export async function followStorage(tokenElsewhere: string | null): Promise<void> {
  if (tokenElsewhere !== null) return restoreSession();
  const { wallet, token } = walletState();
  // Deletes this tab's copy too.
  endSession();
  if (token !== null) await wallet?.disconnect().catch(() => {});
}

/** Checks that the token and the wallet are still those of the page. Cheap enough to run on every focus. */
export async function checkSession(): Promise<void> {
  const { token, wallet } = walletState();
  if (readToken() !== token) await restoreSession();
  compareAccounts(wallet?.currentAddress() ?? wallet?.address ?? null);
}

/** Ends the session if it belongs to another account than the wallet's. */
export function compareAccounts(address: string | null): void {
  const { user, token } = walletState();
  if (user === null || address === null || user.walletAddress === address) return;
  endSession();
  revoke(token);
  showToast('error', ACCOUNT_CHANGED);
}

/** Forgets the name of a disconnected wallet, and ends the session if its owner is unknown. */
export function walletDisconnected(): void {
  clearWalletName();
  if (readUserId() === null && walletState().token !== null) endSession();
}

/** Signs a text with the connected wallet, if it belongs to the signed-in person. */
export async function signText(text: string): Promise<Uint8Array> {
  await checkSession();
  const { wallet, user } = walletState();
  if (wallet === null || user === null || wallet.signMessage === null) throw new PlainError(CANNOT_SIGN);
  return wallet.signMessage(new TextEncoder().encode(text));
}

/** `isEnded`: the server has already ended the session. */
export async function logOut({ isEnded = false } = {}): Promise<void> {
  const { token, wallet } = walletState();
  endSession();
  if (!isEnded) revoke(token);
  await wallet?.disconnect().catch(() => {});
  clearWalletName();
}

/**
 * Ends all sessions of this wallet. This tab's session ends after the server confirms, so that the person is not told
 * too early.
 */
export async function logOutEverywhere(): Promise<void> {
  const { wallet } = walletState();
  const isDone = await withToken(async (token) => {
    await callApi('logoutEverywhere', { token });
  });
  if (!isDone) {
    if (walletState().token !== null) showToast('error', STILL_SIGNED_IN);
    return;
  }
  endSession();
  await wallet?.disconnect().catch(() => {});
  clearWalletName();
  showToast('done', SIGNED_OUT_EVERYWHERE);
}

/** Resolves to whether the profile was saved. */
export async function saveProfile(change: ProfileChange): Promise<boolean> {
  return withToken(async (token) => {
    const { user } = await callApi('updateProfile', { token, body: change });
    changeUser(user);
  });
}

/** Resolves to whether the preferences were saved. */
export async function savePreferences(change: Partial<Preferences>): Promise<boolean> {
  return withToken(async (token) => {
    const { preferences } = await callApi('updatePreferences', {
      token,
      body: change,
    });
    const { user } = walletState();
    if (user !== null) changeUser({ ...user, preferences });
  });
}

/** Ends the session after an error that says its token is invalid, and shows a toast. */
export function endDeadSession(error: unknown): void {
  if (!isDead(error) || walletState().token === null) return;
  endSession();
  showToast('error', SESSION_ENDED);
}

/** Calls `use` with the token. Resolves to false after a failure, and ends an invalid session. */
export async function withToken(use: (token: string) => Promise<void>): Promise<boolean> {
  const { token } = walletState();
  if (token === null) return false;
  try {
    await use(token);
    return true;
  } catch (error) {
    endDeadSession(error);
    return false;
  }
}

/** Signs in again with the connected wallet, for calls that need a fresh sign-in. */
export async function signInAgain(): Promise<void> {
  const { wallet } = walletState();
  if (wallet === null) {
    updateWalletState({ isDialogOpen: true });
    throw new PlainError('Connect your wallet first: this wants a sign-in of this moment.');
  }
  const { address, signMessage } = wallet;
  if (signMessage === null) throw new PlainError(CANNOT_SIGN);
  const connected = { name: wallet.name, address: () => address, connect: async () => {}, signMessage, signIn: null };
  const signed = await connectAndSign(connected, { isWanted: true });
  if (signed !== null) beginSession(await callApi('verify', { body: signed }));
}

function beginSession(session: Session): void {
  // A theme that was chosen while the session loaded could not be saved yet.
  const chosen = walletState().restoring === null ? undefined : chosenTheme();
  // Closes the toast that asked the visitor to sign in.
  if (walletState().user === null && walletState().restoring === null) closeAllToasts();
  saveSession(session);
  updateWalletState({ ...session, restoring: null });
  // A new account keeps the theme that the page shows.
  const { theme } = session.user.preferences;
  if (chosen !== undefined) void savePreferences({ theme: chosen });
  else if (theme !== 'system') setTheme(theme);
  compareAccounts(walletState().wallet?.address ?? null);
}

function changeUser(user: User): void {
  if (walletState().user?._id === user._id) updateWalletState({ user });
}

function endSession(): void {
  clearSession();
  forgetSession();
}

function forgetSession(): void {
  updateWalletState({ user: null, token: null, restoring: null });
}

function revoke(token: string | null): void {
  if (token !== null) callApi('logout', { token }).catch(() => {});
}

/** Whether the token is invalid. A refused signature does not mean that. */
function isDead(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'signature_invalid';
}

onThemeChosen((theme) => void savePreferences({ theme }));
