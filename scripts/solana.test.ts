import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openSolana } from './solana.ts';

const PORT = 8899;

test('a second archive on a machine, whose chain finds its port taken, takes another and says so', async () => {
  const other = createServer();
  // If another process holds the port, it is in use all the same.
  await new Promise<void>((resolve) => other.once('error', () => resolve()).listen(PORT, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'solana-'));
  const said: string[] = [];
  delete process.env['SOLANA_RPC_URL'];
  delete process.env['LOCAL_SOLANA_PORT'];
  try {
    const solana = await openSolana(folder, (line) => said.push(line));
    await solana.close();
    const address = solana.env['SOLANA_RPC_URL'] ?? '';
    expect(new URL(address).port).not.toBe(String(PORT));
    expect(said).toContain(`The local Solana network is at ${address}`);
  } finally {
    other.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
