import type { JournalEntry } from './payment-journal.ts';

export const _LAST_HEIGHT = 1_000;

/** A journal entry whose transaction is the bytes 1, 2, 3. */
export function _entry(over: Partial<JournalEntry> = {}): JournalEntry {
  return {
    signature: '5sigAture',
    transaction: 'AQID',
    lastValidBlockHeight: _LAST_HEIGHT,
    postId: '0123456789abcdef01234567',
    wallet: 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ic',
    network: 'localnet',
    amount: '1',
    createdAt: '2026-11-21T10:00:00.000Z',
    ...over,
  };
}
