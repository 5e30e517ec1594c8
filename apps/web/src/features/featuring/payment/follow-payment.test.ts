import { ApiError } from '@archive/client';
import type { Credit, ErrorCode } from '@archive/contracts';
import { describe, expect, test } from '@jest/globals';
import { serverAnswer } from './follow-payment.ts';

describe('what a refusal of the server means for a payment', () => {
  const credit = { _id: 'credit' } as Credit;

  test.each<[number, ErrorCode]>([
    [409, 'payment_credited'],
    [422, 'payment_too_little'],
    [409, 'already_featured'],
  ])('%i %s with a credit: it is kept as one', (status, code) => {
    expect(serverAnswer(new ApiError(status, 'Kept.', { code, credit }))).toEqual({
      kind: 'credited',
      message: 'Kept.',
      credit,
    });
  });

  test.each<[number, ErrorCode, string]>([
    [422, 'payment_refused', 'refused'],
    [409, 'payment_used', 'refused'],
    [404, 'post_not_found', 'post_gone'],
    [410, 'post_removed', 'post_gone'],
    [401, 'unauthorized', 'paused'],
    [422, 'payment_not_found', 'not_found'],
    [429, 'rate_limited', 'pending'],
    [500, 'internal_error', 'pending'],
    [503, 'chain_unavailable', 'pending'],
    [503, 'featuring_unavailable', 'pending'],
  ])('%i %s: %s', (status, code, kind) => {
    expect(serverAnswer(new ApiError(status, 'No.', { code })).kind).toBe(kind);
  });

  test('no answer at all: nothing yet', () => {
    expect(serverAnswer(new ApiError(0, 'away')).kind).toBe('pending');
    expect(serverAnswer(new TypeError('odd')).kind).toBe('pending');
  });
});
