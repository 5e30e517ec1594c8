import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { Chain } from './chain.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

const servers: Server[] = [];

/** A node that reports this genesis hash, or drops the connection while it is away. */
async function openNode(hash: string) {
  const node = { isAway: false, url: '' };
  const server = createServer((_request, response) => {
    if (node.isAway) return void response.destroy();
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: hash }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return node;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

it('keeps to the network it was first told, whichever node answers later', async () => {
  const [first, second] = [await openNode(MAINNET), await openNode(DEVNET)];
  const chain = new Chain([first.url, second.url]);
  second.isAway = true;
  expect(await chain.readNetwork()).toBe('mainnet');
  // An answer is cached for a moment, so ask until a new one comes.
  const later = async () => {
    for (;;) {
      const answer = await chain.readNetwork().catch((error: Error) => error.message);
      if (answer !== 'mainnet') return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  [first.isAway, second.isAway] = [true, false];
  expect(await later()).toBe('the Solana nodes serve different networks');
  expect(chain.network).toBe('mainnet');
  expect(chain.genesisHash).toBeNull();
});
