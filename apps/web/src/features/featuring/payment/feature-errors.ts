import { ApiError } from '@archive/client';
import { isRefusal, walletSentence } from '../../../wallet/wallet-errors.ts';
import type { Outcome } from './next-step.ts';

export const CONNECT_FIRST = 'Please connect your wallet and sign in to feature this tweet';
export const NOT_OPEN = 'Featuring is not open at the moment. Please come back later.';
export const STOPPED = 'Featuring is paused for now. Please pay nothing.';
export const CHANGED = 'What is asked for has changed. Please look at it again: nothing was sent.';
export const CHAIN_AWAY = 'The Solana network could not be reached.';
const FAILED = 'Failed to feature tweet. Please try again.';

/** Names of errors whose messages are written for people. Names, because the code that throws them loads later. */
const SPOKEN = new Set(['PaymentCheckError', 'InvalidPriceError', 'UnsupportedMintError', 'PlainError']);

/** The message for a failed featuring: the specification's sentence with the reason, if it is known. */
export function featureSentence(error: unknown): string {
  if (isRefusal(error) && !isSpoken(error)) return walletSentence(error, FAILED);
  const message = reasonOf(error);
  return message === '' ? FAILED : failure(message);
}

/** The message for a payment that ended without featuring its post. */
export function outcomeSentence(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'credited':
      return outcome.message;
    case 'failed':
      return failure('The payment failed on the network. No tokens were taken.');
    case 'expired':
      return failure('The payment did not reach the network in time and never will. Nothing was paid.');
    case 'not_sent':
    case 'refused':
      return failure(outcome.message);
    case 'paused':
      return 'Sign in again to follow this payment. It is kept.';
    default:
      return '';
  }
}

function failure(message: string): string {
  return `Error: ${message}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.status === 0 || error.code !== undefined ? error.message : '';
  if (isSpoken(error)) return error.message;
  return walletSentence(error, '');
}

function isSpoken(error: unknown): error is Error {
  return error instanceof ApiError || (error instanceof Error && SPOKEN.has(error.name));
}
