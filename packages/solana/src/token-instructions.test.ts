import { expect, test } from '@jest/globals';
import bs58 from 'bs58';
import { readTokenSteps } from './token-instructions.ts';

const AMOUNT = [1, 2, 0, 0, 0, 0, 0, 0];
const FOUR = ['a', 'b', 'c', 'd'];
const checked = {
  kind: 'transfer',
  ...{ source: 'a', destination: 'c', authority: 'd', baseUnits: 513n, token: { mint: 'b', decimals: 6 } },
};
const plain = { kind: 'transfer', source: 'a', destination: 'b', authority: 'c', baseUnits: 513n, token: null };
const control = { kind: 'control', account: 'a' };

test.each<[name: string, data: number[], accounts: string[], steps: object[] | null]>([
  ['a checked transfer', [12, ...AMOUNT, 6], FOUR, [checked]],
  ['one with more bytes', [12, ...AMOUNT, 6, 1], [...FOUR, 'e'], [checked]],
  ['one without decimals', [12, ...AMOUNT], FOUR, []],
  ['one of half an amount', [12, 1, 2], FOUR, []],
  ['one without authority', [12, ...AMOUNT, 6], ['a', 'b', 'c'], []],
  ['a transfer with a fee', [26, 1, ...AMOUNT, 6], FOUR, [checked]],
  ['one without decimals, with a fee', [26, 1, ...AMOUNT], FOUR, []],
  ['another instruction of fees', [26, 0, ...AMOUNT, 6], FOUR, []],
  ['a plain transfer', [3, ...AMOUNT], ['a', 'b', 'c'], [plain]],
  ['one of seven bytes', [3, ...AMOUNT.slice(1)], ['a', 'b', 'c'], []],
  ['one of two accounts', [3, ...AMOUNT], ['a', 'b'], []],
  ['an approval', [4, ...AMOUNT], FOUR, [control]],
  ['a checked approval', [13, ...AMOUNT, 6], FOUR, [control]],
  ['a change of authority', [6, 2, 0], FOUR, [control]],
  ['the end of an account', [9], FOUR, [control]],
  ['the end of no account', [9], [], []],
  ['a revocation', [5], FOUR, []],
  ['minting', [7, ...AMOUNT], FOUR, []],
  ['nothing', [], FOUR, []],
  ['an empty batch', [255], FOUR, []],
  ['a batch of two', [255, 3, 9, 3, ...AMOUNT, 1, 1, 9], ['a', 'b', 'c', 'a'], [plain, control]],
  ['a batch that leaves out what is no step', [255, 1, 1, 5, 1, 1, 9], ['z', 'a'], [control]],
  ['a batch with more accounts than it names', [255, 1, 1, 9], FOUR, [control]],
  ['a batch that names more accounts than there are', [255, 2, 1, 9], ['a'], null],
  ['a batch of which a byte is missing', [255, 1, 2, 9], ['a'], null],
  ['a batch that ends with a number of accounts', [255, 1, 1, 9, 1], ['a'], null],
])('reads %s', (_, data, accounts, steps) => {
  expect(readTokenSteps({ program: 'p', accounts, data: bs58.encode(Uint8Array.of(...data)) })).toEqual(steps);
});

test('reads data of up to 700 letters that are base58', () => {
  const read = (data: string) => readTokenSteps({ program: 'p', accounts: FOUR, data });
  expect(read('2'.repeat(700))).toEqual([]);
  expect(read('2'.repeat(701))).toBeNull();
  expect(read('0')).toBeNull();
});
