import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express, { type Response } from 'express';
import { refuseCrowds } from './crowds.ts';

test('refuses what one address has under way beyond its share, and nobody else; whoever leaves makes room', async () => {
  const held: Response[] = [];
  const app = express().set('trust proxy', 1);
  app.use(refuseCrowds(3));
  app.use((_request, response) => void held.push(response));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (address: string, signal?: AbortSignal) =>
    fetch(url, { headers: { 'x-forwarded-for': address }, ...(signal && { signal }) });
  const untilHeld = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const gone = new AbortController();
  const waiting = [ask('203.0.113.1', gone.signal), ask('203.0.113.1'), ask('203.0.113.1')];
  await untilHeld(3);
  const refused = await ask('203.0.113.1');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ code: 'overloaded' });
  waiting.push(ask('203.0.113.2'));
  await untilHeld(4);

  const left = new Promise((resolve) => held[0]?.once('close', resolve));
  gone.abort();
  await Promise.all([left, expect(waiting[0]).rejects.toThrow()]);
  waiting.push(ask('203.0.113.1'));
  await untilHeld(5);
  expect((await ask('203.0.113.1')).status).toBe(503);

  for (const response of held) response.end('done');
  const answers = await Promise.all(waiting.slice(1));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const last = ask('203.0.113.1');
  await untilHeld(6);
  held[5]?.end();
  expect((await last).status).toBe(200);
  server.closeAllConnections();
  server.close();
});
