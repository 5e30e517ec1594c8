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

/** What a sign-in needs of a wallet. */
export interface SigningWallet {
  name: string;
  address: () => string | null;
  connect: () => Promise<void>;
  signMessage: ((message: Uint8Array) => Promise<Uint8Array>) | null;
  /** Connects and signs with one prompt. */
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
 * Signs in with a wallet that a person chose. A wallet has one prompt open at most: asking again joins the attempt that
 * is under way.
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

/** Whatever is signed in the open prompt no longer counts. */
export function abandonSignIn(walletName: string): void {
  const attempt = attempts.get(walletName);
  if (attempt !== undefined) attempt.isWanted = false;
}

async function signInOnce(wallet: SigningWallet, attempt: Attempt): Promise<void> {
  // With a saved token, connecting is enough, as long as it is the same account.
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

/** Null where it was abandoned before the wallet was asked. */
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

/** Loads the profile of the saved token. A dead token is forgotten; without an answer it is kept for later. */
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

/** After a reload, wallet and session of the last visit take a moment to be there. */
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

/** Another tab has signed in, or out if it left no token. */
export async function followStorage(tokenElsewhere: string | null): Promise<void> {
  if (tokenElsewhere !== null) return restoreSession();
  const { wallet, token } = walletState();
  // This tab's own copy goes too.
  endSession();
  if (token !== null) await wallet?.disconnect().catch(() => {});
}

/** Checks whether token and wallet still are what the page believes; cheap enough for every focus. */
export async function checkSession(): Promise<void> {
  const { token, wallet } = walletState();
  if (readToken() !== token) await restoreSession();
  compareAccounts(wallet?.currentAddress() ?? wallet?.address ?? null);
}

/** Ends a session that belongs to another account than the wallet's. */
export function compareAccounts(address: string | null): void {
  const { user, token } = walletState();
  if (user === null || address === null || user.walletAddress === address) return;
  endSession();
  revoke(token);
  showToast('error', ACCOUNT_CHANGED);
}

/** The wallet is no longer connected: its name is forgotten, and the session if nobody is known to hold it. */
export function walletDisconnected(): void {
  clearWalletName();
  if (readUserId() === null && walletState().token !== null) endSession();
}

/** Signs a text with the connected wallet, if it still is the signed-in person's. */
export async function signText(text: string): Promise<Uint8Array> {
  await checkSession();
  const { wallet, user } = walletState();
  if (wallet === null || user === null || wallet.signMessage === null) throw new PlainError(CANNOT_SIGN);
  return wallet.signMessage(new TextEncoder().encode(text));
}

/** `isEnded`: the server has ended the session by itself. */
export async function logOut({ isEnded = false } = {}): Promise<void> {
  const { token, wallet } = walletState();
  endSession();
  if (!isEnded) revoke(token);
  await wallet?.disconnect().catch(() => {});
  clearWalletName();
}

/** Ends every session of this wallet. Here it ends once the server says so: who asks for this must not be told too soon. */
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

/** Whether the profile was saved. */
export async function saveProfile(change: ProfileChange): Promise<boolean> {
  return withToken(async (token) => {
    const { user } = await callApi('updateProfile', { token, body: change });
    changeUser(user);
  });
}

/** Whether the preferences were saved. */
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

/** Ends a session whose token the server no longer takes, and says so. */
export function endDeadSession(error: unknown): void {
  if (!isDead(error) || walletState().token === null) return;
  endSession();
  showToast('error', SESSION_ENDED);
}

/** Whether a call could be made with the session; a dead one is ended. */
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

/** Has the connected wallet sign in anew, for what wants a sign-in of this moment. */
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
  // Chosen while it was on its way, when it could not be saved yet.
  const chosen = walletState().restoring === null ? undefined : chosenTheme();
  // What asked a visitor to sign in has been done.
  if (walletState().user === null && walletState().restoring === null) closeAllToasts();
  saveSession(session);
  updateWalletState({ ...session, restoring: null });
  // A new account prefers what its page shows already.
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

/** A signature that is refused says nothing about the session. */
function isDead(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'signature_invalid';
}

onThemeChosen((theme) => void savePreferences({ theme }));
