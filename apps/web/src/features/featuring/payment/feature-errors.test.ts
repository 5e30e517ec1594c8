import { ApiError } from '@archive/client';
import { InvalidPriceError } from '@archive/solana/price';
import { describe, expect, test } from '@jest/globals';
import { WalletSignTransactionError } from '@solana/wallet-adapter-base';
import { PlainError } from '../../../wallet/wallet-errors.ts';
import { featureSentence, outcomeSentence } from './feature-errors.ts';

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

describe('a failed featuring', () => {
  test.each([
    [new InvalidPriceError(), 'Error: Invalid feature price or token decimals'],
    [
      named('PaymentCheckError', 'Insufficient token balance. You need 1 tokens to feature this tweet.'),
      'Error: Insufficient token balance. You need 1 tokens to feature this tweet.',
    ],
    [
      named('UnsupportedMintError', 'There is no token X on this network'),
      'Error: There is no token X on this network',
    ],
    [new PlainError('Nothing was sent.'), 'Error: Nothing was sent.'],
    [new ApiError(0, 'The server could not be reached.'), 'Error: The server could not be reached.'],
    [
      new ApiError(503, 'Featuring is not available at the moment.', { code: 'featuring_unavailable' }),
      'Error: Featuring is not available at the moment.',
    ],
    [new WalletSignTransactionError('The port closed.'), 'Error: The transaction was not signed. Nothing was sent.'],
  ])('is said as the specification has it: %s', (error, sentence) => {
    expect(featureSentence(error)).toBe(sentence);
  });

  test('of unknown cause is said without one', () => {
    const sentence = 'Failed to feature tweet. Please try again.';
    for (const error of [new Error('0x1f'), new ApiError(502, 'Bad Gateway'), undefined, 'no', { code: -32_603 }]) {
      expect(featureSentence(error)).toBe(sentence);
    }
  });

  test('by a no in the wallet is no error', () => {
    const refusal = new WalletSignTransactionError('User rejected the request.');
    expect(featureSentence(refusal)).toBe('You declined in your wallet. Nothing was signed.');
    expect(featureSentence({ code: 4001 })).toBe('You declined in your wallet. Nothing was signed.');
  });

  test('by our own words about a refusal keeps them', () => {
    expect(featureSentence(new ApiError(422, 'This payment was refused.', { code: 'payment_refused' }))).toBe(
      'Error: This payment was refused.',
    );
  });
});

describe('a payment that did not feature', () => {
  test('says what became of the money', () => {
    expect(outcomeSentence({ kind: 'expired' })).toMatch('Nothing was paid.');
    expect(outcomeSentence({ kind: 'failed' })).toMatch('No tokens were taken.');
    expect(outcomeSentence({ kind: 'credited', message: 'Kept as a credit.', credit: null })).toBe('Kept as a credit.');
    expect(outcomeSentence({ kind: 'refused', message: 'Not yours.' })).toBe('Error: Not yours.');
  });
});
