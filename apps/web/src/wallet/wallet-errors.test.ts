import { ApiError } from '@archive/client';
import { describe, expect, test } from '@jest/globals';
import * as adapter from '@solana/wallet-adapter-base';
import { CANNOT_SIGN, CONNECT_FAILED, isRefusal, PlainError, signInSentence, walletSentence } from './wallet-errors.ts';

describe('what a wallet failure means', () => {
  const known = Object.entries(adapter).filter(([name]) => /^Wallet\w+Error$/.test(name));

  test.each(known)('%s has a sentence of its own', (name, Kind) => {
    const error = new (Kind as new () => Error)();
    if (name === 'WalletKeypairError') return;
    const sentence = walletSentence(error, 'fallback');
    expect(sentence).not.toBe('fallback');
    expect(sentence).toMatch(/^[A-Z].+[a-z.]$/);
  });

  test('a refusal is told from a failure, by number, by words, and inside another error', () => {
    expect(isRefusal({ code: 4001 })).toBe(true);
    expect(isRefusal(new Error('User rejected the request.'))).toBe(true);
    expect(isRefusal(new adapter.WalletSignMessageError(undefined, { code: 4001 }))).toBe(true);
    expect(isRefusal(new adapter.WalletConnectionError('The port closed.'))).toBe(false);
    expect(isRefusal(null)).toBe(false);
  });

  test('an error that contains itself ends', () => {
    const error: { error?: unknown } = {};
    error.error = error;
    expect(isRefusal(error)).toBe(false);
  });

  test('what nobody knows falls to what was tried', () => {
    expect(walletSentence(new Error('0x1f'), CONNECT_FAILED)).toBe('Failed to connect wallet. Please try again.');
    expect(walletSentence({ name: 'constructor' }, CONNECT_FAILED)).toBe(CONNECT_FAILED);
  });
});

describe('what a failed sign-in means', () => {
  test("the server's sentence comes first", () => {
    expect(signInSentence(new ApiError(401, 'The challenge has expired.', { code: 'challenge_invalid' }))).toBe(
      'The challenge has expired.',
    );
    expect(signInSentence(new ApiError(0, 'The server could not be reached.'))).toBe(
      'The server could not be reached.',
    );
  });

  test('without one, authentication failed', () => {
    expect(signInSentence(new ApiError(502, 'Bad Gateway'))).toBe('Authentication failed');
    expect(signInSentence(new Error('odd'))).toBe('Authentication failed');
  });

  test('a sentence meant for people stays', () => {
    expect(signInSentence(new PlainError(CANNOT_SIGN))).toBe(
      'Wallet not connected or does not support message signing',
    );
  });
});
