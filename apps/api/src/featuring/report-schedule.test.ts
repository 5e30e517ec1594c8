import { expect, test } from '@jest/globals';
import { ObjectId } from 'mongodb';
import type { PaymentReport } from './payment-document.ts';
import { isExpired, nextLook } from './report-schedule.ts';

const AT = Date.UTC(2026, 0, 1);
const report = (fields: Partial<PaymentReport>): PaymentReport => ({
  _id: 'a report',
  signature: 'a signature',
  wallet: 'a wallet',
  post: null,
  height: 1_000,
  reportedAt: new Date(AT),
  nextAt: new Date(AT),
  network: null,
  isExpired: false,
  ...fields,
});

test.each<[string, Partial<PaymentReport>, number, boolean]>([
  ['of a wallet, 150 blocks later', {}, 1_150, false],
  ['of a wallet, 151 blocks later', {}, 1_151, true],
  ['of a wallet, at a height that is not known', { height: null }, 9_999, false],
  ['found by the watcher', { wallet: null }, 9_999, false],
  ['taken back by the chain', { wallet: null, post: new ObjectId() }, 1_151, true],
])('a report can never come true: %s', (_, fields, height, expected) => {
  expect(isExpired(report(fields), height)).toBe(expected);
});

test.each<[string, Partial<PaymentReport>, number, boolean, number]>([
  ['at once it is a moment', {}, 0, false, 1_500],
  ['as long as a quarter of the time gone by is less', {}, 6_000, false, 1_500],
  ['then it is that quarter', {}, 8_000, false, 2_000],
  ['however long', {}, 86_400_000, false, 21_600_000],
  ['of one that can never come true an hour at least', {}, 8_000, true, 3_600_000],
  ['and that quarter where it is more', {}, 86_400_000, true, 21_600_000],
  ['of what the watcher found half a minute at most', { wallet: null }, 86_400_000, false, 30_000],
  ['of what the chain took back a quarter too', { wallet: null, post: new ObjectId() }, 8_000_000, false, 2_000_000],
])('the pause until a report is looked at again: %s', (_, fields, gone, expired, pause) => {
  const now = new Date(AT + gone);
  expect(nextLook(report(fields), now, expired).getTime() - now.getTime()).toBe(pause);
});
