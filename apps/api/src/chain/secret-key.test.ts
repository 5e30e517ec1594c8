import { processorMsOf } from '@archive/testing/processor-time';
import { expect, test } from '@jest/globals';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { readSecretKey } from './secret-key.ts';

const key = Keypair.fromSeed(new Uint8Array(32).fill(7));

test('a key is read from base58 and from a JSON array', () => {
  expect(readSecretKey(bs58.encode(key.secretKey))).toEqual(key.secretKey);
  expect(readSecretKey(` ${JSON.stringify([...key.secretKey])}\n`)).toEqual(key.secretKey);
});

test.each(['', 'x', '[]', '[1,2', '{}', bs58.encode(key.secretKey.slice(1)), JSON.stringify([...key.secretKey, 1])])(
  '%j is no key',
  (text) => expect(readSecretKey(text)).toBeNull(),
);

test('what is too long is not even decoded, which would take the square of its length', async () => {
  expect(await processorMsOf(() => expect(readSecretKey('A'.repeat(100_000))).toBeNull())).toBeLessThan(1_000);
});

test('a key whose halves do not belong together is none', () => {
  const mixed = Uint8Array.from([...key.secretKey.slice(0, 32), ...Keypair.generate().secretKey.slice(32)]);
  expect(readSecretKey(bs58.encode(mixed))).toBeNull();
});
