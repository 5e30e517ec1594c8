import { expect, test } from '@jest/globals';
import { type AuditEntry, sealEntry } from './audit-entry.ts';
import { checkChain } from './check-chain.ts';

const KEY = 'a key';
const entryOf = (seq: number, previous: string, id = 'one') =>
  sealEntry(
    { actor: { kind: 'wallet', id }, act: 'stop', subject: { kind: 'switch', id: 'saves' } },
    seq,
    new Date(seq),
    previous,
    KEY,
  );
const faultsOf = async (...entries: AuditEntry[]) => (await checkChain(entries, [], KEY)).faults;

test('an entry with a right mark in the place of another of the same number breaks the chain behind it', async () => {
  const first = entryOf(1, '');
  const second = entryOf(2, first.mark);
  const third = entryOf(3, second.mark);
  expect(await faultsOf(first, second, third)).toEqual([]);
  // An entry as a restore, or a process that lost a race, may have left it.
  const other = entryOf(2, first.mark, 'another');
  expect(await faultsOf(first, other, third)).toEqual([
    'entry 3 does not go on from entry 2, which was altered or put there by hand',
  ]);
});

test('a restore goes on from the entry that it names, which its link must name too', async () => {
  const first = entryOf(1, '');
  const restoreOf = (previous: string) =>
    sealEntry(
      {
        actor: { kind: 'command line' },
        act: 'restore',
        subject: { kind: 'archive', id: 'archive' },
        after: { backup: { seq: 1, mark: first.mark }, ledger: { seq: 4, mark: 'lost' } },
      },
      5,
      new Date(5),
      previous,
      KEY,
    );
  expect(await faultsOf(first, restoreOf(first.mark))).toEqual([]);
  expect(await faultsOf(first, restoreOf('another'))).toEqual(['between entries 1 and 5 something was cut out']);
});
