import { ApiError } from '@archive/client';

export const CONNECT_FAILED = 'Failed to connect wallet. Please try again.';
export const CANNOT_SIGN = 'Wallet not connected or does not support message signing';
export const NO_WALLET_APP = 'A compatible wallet app must be installed. Install one, then come back here.';
export const SIGN_IN_FAILED = 'Authentication failed';
export const ACCOUNT_CHANGED = 'Your wallet is on another account now, so you were signed out.';
export const SESSION_ENDED = 'Your session has ended. Please sign in again.';
export const SIGNED_OUT_EVERYWHERE = 'You are signed out on every device.';
export const STILL_SIGNED_IN = 'You could not be signed out everywhere. Please try again.';

const REFUSED = 'You declined in your wallet. Nothing was signed.';

/** Messages by the names of the wallet adapter's errors. Other errors get the caller's fallback. */
const SENTENCES: Readonly<Record<string, string>> = {
  WalletNotReadyError: 'This wallet is not ready. Unlock or install it, then try again.',
  WalletLoadError: 'This wallet could not be loaded. Reload the page and try again.',
  WalletConfigError: 'This wallet is not set up for this site.',
  WalletConnectionError: CONNECT_FAILED,
  WalletDisconnectedError: 'Your wallet has disconnected.',
  WalletDisconnectionError: 'Your wallet could not be disconnected. Disconnect it in the wallet itself.',
  WalletAccountError: 'Your wallet shared no account. Choose one in the wallet and try again.',
  WalletPublicKeyError: 'Your wallet shared an account that is not a Solana address.',
  WalletNotConnectedError: CANNOT_SIGN,
  WalletSendTransactionError: 'The transaction was not sent. Nothing was paid.',
  WalletSignTransactionError: 'The transaction was not signed. Nothing was sent.',
  WalletSignMessageError: 'Your wallet could not sign the message.',
  WalletSignInError: 'Your wallet could not sign you in.',
  WalletTimeoutError: 'Your wallet did not answer in time. Try again.',
  WalletWindowBlockedError: "The wallet's window was blocked. Allow windows of this site and try again.",
  WalletWindowClosedError: "The wallet's window was closed. Nothing was signed.",
};

/** The message for a wallet's failure; `fallback` for an unknown error. */
export function walletSentence(error: unknown, fallback: string): string {
  if (isRefusal(error)) return REFUSED;
  if (error instanceof PlainError) return error.message;
  const name = error instanceof Error ? error.name : '';
  return Object.hasOwn(SENTENCES, name) ? (SENTENCES[name] ?? fallback) : fallback;
}

/** The message for a failed sign-in: the server's message first, then the wallet's. */
export function signInSentence(error: unknown): string {
  if (error instanceof ApiError) {
    return (error.status === 0 || error.code !== undefined) && error.message ? error.message : SIGN_IN_FAILED;
  }
  return walletSentence(error, SIGN_IN_FAILED);
}

/** An error whose message is shown to people. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}

/** Whether the person refused. Wallets agree on the error code more than on the message. */
export function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, error: inner } = error as { code?: unknown; message?: unknown; error?: unknown };
  if (code === 4001) return true;
  if (typeof message === 'string' && /\b(reject|declin|denied|cancel|refus)/i.test(message)) return true;
  return inner !== undefined && inner !== error && isRefusal(inner);
}
