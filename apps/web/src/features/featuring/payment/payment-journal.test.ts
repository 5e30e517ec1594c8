import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { _entry } from './_payment.ts';
import { findEntry, isInJournal, keepEntry, readJournal, removeEntry } from './payment-journal.ts';
import { hasPaymentsUnderWay, PAYMENT_KEY } from './payment-key.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

beforeEach(() => localStorage.clear());
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the journal', () => {
  test('keeps each payment until it is taken out, oldest first', () => {
    const [later, earlier] = [_entry(), _entry({ signature: 'other', createdAt: '2026-11-21T09:00:00.000Z' })];
    expect(hasPaymentsUnderWay()).toBe(false);
    keepEntry(later);
    keepEntry(earlier);
    expect(hasPaymentsUnderWay()).toBe(true);
    expect(readJournal(NOW)).toEqual([earlier, later]);
    removeEntry(earlier);
    expect(isInJournal(earlier)).toBe(false);
    expect(readJournal(NOW)).toEqual([later]);
  });

  test('finds the payment of a wallet for a post, and nobody else’s', () => {
    const entry = _entry({ createdAt: new Date().toISOString() });
    keepEntry(entry);
    expect(findEntry(entry.wallet, entry.postId)).toEqual(entry);
    expect(findEntry('Boris', entry.postId)).toBeNull();
    expect(findEntry(entry.wallet, 'f'.repeat(24))).toBeNull();
  });

  test('drops what is damaged, kept under another name, or a week old', () => {
    const { wallet, ...cut } = _entry({ signature: 'cut' });
    localStorage.setItem(`${PAYMENT_KEY}cut`, JSON.stringify(cut));
    localStorage.setItem(`${PAYMENT_KEY}torn`, '{"signature":"to');
    localStorage.setItem(`${PAYMENT_KEY}null`, 'null');
    localStorage.setItem(`${PAYMENT_KEY}moved`, JSON.stringify(_entry()));
    localStorage.setItem(`${PAYMENT_KEY}undated`, JSON.stringify(_entry({ signature: 'undated', createdAt: 'then' })));
    keepEntry(_entry({ signature: 'old', createdAt: '2026-11-14T11:59:59.000Z' }));
    localStorage.setItem('something else', 'stays');
    expect(wallet).toBeDefined();
    expect(readJournal(NOW)).toEqual([]);
    expect(Object.keys(localStorage)).toEqual(['something else']);
  });

  test('refuses to go on where nothing is kept', () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('No.', 'QuotaExceededError');
    });
    expect(() => keepEntry(_entry())).toThrow('This browser does not keep data of this site');
  });
});
