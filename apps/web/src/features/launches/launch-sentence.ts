import { ApiError } from '../../lib/api.ts';
import { walletSentence } from '../../wallet/wallet-errors.ts';
import { LAUNCH_FAILED } from './launch-words.ts';

export const CONNECT_FIRST = 'Please connect your wallet first';
export const SIGN_IN_FIRST = 'Please sign in with your wallet first';

/** What a launch that was refused means: the server's sentence, or the wallet's, or that it failed. */
export function launchSentence(error: unknown): string {
  if (!(error instanceof ApiError)) return walletSentence(error, LAUNCH_FAILED);
  return error.status === 0 || error.code !== undefined ? error.message : LAUNCH_FAILED;
}
