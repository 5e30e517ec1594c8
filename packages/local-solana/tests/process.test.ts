import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, until } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { openLocalSolana } from '../src/index.ts';
import { base64, openNetwork, type TestNetwork } from './_network.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-solana-test-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Everything that a client can see of a payment. */
async function seen(network: TestNetwork, signature: string, payer: PublicKey) {
  const settings = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const answers = await Promise.all([
    network.rpc('getTransaction', [signature, settings]),
    network.rpc('getSignaturesForAddress', [network.featureWallet, { limit: 1, commitment: 'confirmed' }]),
    network.rpc('getTokenAccountsByOwner', [
      payer.toBase58(),
      { mint: network.mint },
      { encoding: 'base64', commitment: 'confirmed' },
    ]),
  ]);
  const [transaction, history, accounts] = answers.map(({ result }) => result);
  return { transaction, history, accounts: (accounts as { value: unknown }).value };
}

async function pay(network: TestNetwork) {
  const payer = await network.fundedWallet();
  const transaction = await network.payment(payer, 1_500_000n, 'keep me');
  const { result } = await network.rpc('sendTransaction', [
    base64(transaction),
    { encoding: 'base64', skipPreflight: true },
  ]);
  return { signature: result as string, payer: payer.publicKey, transaction };
}

describe('a chain with a directory', () => {
  test('is the same after close and open, its blockhashes too', async () => {
    const directory = join(folder, 'kept');
    const first = await openNetwork({ directory });
    const { signature, payer, transaction } = await pay(first);
    await first.control.moveTime(3_600);
    const slot = await first.control.advance(1);
    const before = await seen(first, signature, payer);
    const later = await first.payment(await first.fundedWallet(), 5n, 'signed before, sent after');
    await first.close();

    const second = await openNetwork({ directory });
    expect(second).toMatchObject({
      genesisHash: first.genesisHash,
      mint: first.mint,
      featureWallet: first.featureWallet,
    });
    expect(await seen(second, signature, payer)).toEqual(before);
    expect((await second.rpc('getSlot', ['processed'])).result).toBeGreaterThan(slot);
    const { result } = await second.rpc('getBlockTime', [slot + 1]);
    expect((result as number) - Date.now() / 1000).toBeGreaterThan(3_500);
    const options = { encoding: 'base64', preflightCommitment: 'processed' };
    expect(await second.rpc('sendTransaction', [base64(transaction), options])).toMatchObject({
      error: { data: { err: 'AlreadyProcessed' } },
    });
    expect(await second.rpc('sendTransaction', [base64(later), options])).toMatchObject({ result: expect.any(String) });
    await second.close();
  });

  test('comes back after kill -9 at the same address with all that was answered', async () => {
    const network = await openNetwork({ directory: join(folder, 'killed') });
    const other = await network.control.openEndpoint();
    const { signature, payer } = await pay(network);
    await network.control.advance(1);
    const before = await seen(network, signature, payer);
    const receiver = Keypair.generate().publicKey.toBase58();
    const answered: unknown[] = [];
    const pid = network.pid() ?? 0;
    const gifts = Array.from({ length: 100 }, async () => {
      const { result } = await network.rpc('requestAirdrop', [receiver, 1_000_000]);
      answered.push(result);
      if (answered.length === 30) process.kill(pid, 'SIGKILL');
    });
    await Promise.allSettled(gifts);
    await until(() => ![undefined, pid].includes(network.pid()));
    expect(await seen(network, signature, payer)).toMatchObject({
      transaction: before.transaction,
      accounts: before.accounts,
    });
    expect(await network.rpc('getSignatureStatuses', [answered], other.rpcUrl)).toMatchObject({
      result: { value: answered.map(() => ({ err: null })) },
    });
    const { result: landed } = await network.rpc('getSignaturesForAddress', [receiver, { commitment: 'confirmed' }]);
    const balance = await network.rpc('getBalance', [receiver, { commitment: 'processed' }]);
    expect(balance.result).toMatchObject({ value: (landed as unknown[]).length * 1_000_000 });
    await network.close();
  });

  test('forgives a last line that was cut off', async () => {
    const directory = join(folder, 'torn');
    const first = await openNetwork({ directory });
    const { signature, payer } = await pay(first);
    await first.control.advance(1);
    const before = await seen(first, signature, payer);
    await first.close();
    expect(readdirSync(directory)).toEqual(['chain.jsonl']);
    appendFileSync(join(directory, 'chain.jsonl'), '{"position":{"slot":99');
    const again = await openNetwork({ directory });
    expect(await seen(again, signature, payer)).toEqual(before);
    await again.close();
  });

  test('is not guessed at when it is damaged elsewhere', async () => {
    const directory = join(folder, 'damaged');
    mkdirSync(directory);
    writeFileSync(join(directory, 'chain.jsonl'), 'nonsense\n{}\n');
    await expect(openLocalSolana({ directory })).rejects.toThrow(
      `The local Solana network did not start: ${join(directory, 'chain.jsonl')} is damaged; remove it to begin a new chain.`,
    );
  });

  test('keeps what was rolled back out', async () => {
    const directory = join(folder, 'rolled-back');
    const first = await openNetwork({ directory });
    const { signature } = await pay(first);
    await first.control.rollBack(signature);
    await first.close();
    const second = await openNetwork({ directory });
    expect(await second.rpc('getSignatureStatuses', [[signature]])).toMatchObject({ result: { value: [null] } });
    expect(await second.rpc('getTokenAccountsByOwner', [second.featureWallet, { mint: second.mint }])).toMatchObject({
      result: { value: [] },
    });
    await second.close();
  });

  test('is opened by one network at a time', async () => {
    const directory = join(folder, 'locked');
    const network = await openNetwork({ directory });
    await expect(openLocalSolana({ directory })).rejects.toThrow(
      `The local Solana network did not start: its directory is in use by process ${network.pid()}: ${directory}.`,
    );
    await network.close();
  });
});

test('says which port is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const refusal = (named: string) =>
    new RegExp(`The local Solana network did not start: port ${named} is already in use`);
  await Promise.all([
    expect(openLocalSolana({ port })).rejects.toThrow(refusal(String(port))),
    // The network also needs the next higher port. Another program may hold `port - 1` itself.
    expect(openLocalSolana({ port: port - 1 })).rejects.toThrow(refusal(`(${port}|${port - 1})`)),
  ]);
  taken.close();
});

test('ends when its opener is killed, and the directory can be opened again', async () => {
  const directory = join(folder, 'orphan');
  const opener = spawn(process.execPath, ['--import', 'tsx', join(__dirname, '_opener.mjs'), directory], {
    cwd: __dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(opener.stdout, 'data');
  const { pid } = JSON.parse(String(line)) as { pid: number };
  expect(isAlive(pid)).toBe(true);
  opener.kill('SIGKILL');
  await until(() => !isAlive(pid));
  const again = await openLocalSolana({ directory });
  await again.close();
  expect(isAlive(again.pid() ?? pid)).toBe(false);
});
