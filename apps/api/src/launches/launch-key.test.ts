import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Keypair } from '@solana/web3.js';
import { keptLaunchKey, mintKeypair } from './launch-key.ts';

const key = Keypair.fromSeed(new Uint8Array(32).fill(7));

test('a token’s key depends on launch key, post and attempt, and on nothing else', () => {
  const address = (post: string, attempt: number, by = key) => mintKeypair(by, post, attempt).publicKey.toBase58();
  expect(address('a', 1)).toBe(address('a', 1));
  expect(new Set([address('a', 1), address('a', 2), address('b', 1), address('a', 1, Keypair.generate())]).size).toBe(
    4,
  );
});

test('a development machine’s key is made once, for its owner’s eyes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'launch-key-'));
  const made = keptLaunchKey(folder);
  expect(keptLaunchKey(folder)).toEqual(made);
  expect(statSync(join(folder, 'launch-keypair.json')).mode & 0o777).toBe(0o600);
  writeFileSync(join(folder, 'launch-keypair.json'), '[1]');
  expect(() => keptLaunchKey(folder)).toThrow(/holds no key pair/);
  rmSync(folder, { recursive: true });
});
