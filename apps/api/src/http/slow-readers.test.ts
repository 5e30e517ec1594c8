import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { type Request, type Response } from 'express';
import { download } from './replies.ts';
import { closePipelined, closeUntaken } from './sockets.ts';
import { untilGone } from './until-gone.ts';

const open: { close(): void }[] = [];

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function serve(answer: (request: Request, response: Response) => unknown, untakenMs?: number) {
  const server = createServer(express().get('/', (request, response) => answer(request, response)));
  if (untakenMs) closeUntaken(server, { afterMs: untakenMs });
  closePipelined(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}

/** A client that sends a request and reads nothing. With `sends` it keeps sending data. */
function reader(port: number, { sends = false } = {}): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: amber\r\n\r\n');
  socket.pause();
  socket.on('error', () => {});
  if (sends) {
    const timer = setInterval(() => socket.write('\r\n'), 10);
    socket.once('close', () => clearInterval(timer));
  }
  open.push({ close: () => socket.destroy() });
  return socket;
}

const BLOCK = 'x'.repeat(1024 * 1024);

describe('readers that hold a place', () => {
  it('are sent away from a download they take nothing of, whatever they send meanwhile', async () => {
    let isGivenUp = false;
    async function* endless() {
      try {
        for (;;) yield BLOCK;
      } finally {
        isGivenUp = true;
      }
    }
    const limits = { leastBytes: 1_000, watchMs: 50, longestMs: 60_000 };
    const reply = download({ name: 'all.csv', type: 'text/csv' }, endless, { limits });
    const ended = new Promise<void>((resolve) => {
      void serve(async (request, response) => resolve(await reply(request, response))).then((port) =>
        reader(port, { sends: true }),
      );
    });
    await ended;
    expect(isGivenUp).toBe(true);
  });

  it('are sent away from a download when its time is up, however much they take', async () => {
    async function* endless() {
      for (;;) yield BLOCK;
    }
    const limits = { leastBytes: 0, watchMs: 20, longestMs: 2_000 };
    const reply = download({ name: 'all.csv', type: 'text/csv' }, endless, { limits });
    const port = await serve((request, response) => reply(request, response));
    const socket = reader(port);
    let taken = 0;
    socket.on('data', (data) => {
      taken += data.length;
    });
    socket.resume();
    await once(socket, 'close');
    expect(taken).toBeGreaterThan(BLOCK.length);
  });

  it('hold nothing once they are gone, though they asked ahead', async () => {
    async function* endless() {
      for (;;) yield BLOCK;
    }
    const limits = { leastBytes: 0, watchMs: 20, longestMs: 60_000 };
    const reply = download({ name: 'all.csv', type: 'text/csv' }, endless, { limits });
    const ended: Promise<void>[] = [];
    const port = await serve((request, response) => ended.push(Promise.resolve(reply(request, response))));
    const socket = reader(port);
    socket.write('GET / HTTP/1.1\r\nHost: amber\r\n\r\n'.repeat(3));
    while (ended.length < 4) await new Promise(setImmediate);
    socket.resetAndDestroy();
    await Promise.all(ended);
  });

  it('hold nothing where their answers begin only once they are gone', async () => {
    async function* endless() {
      for (;;) yield BLOCK;
    }
    const limits = { leastBytes: 0, watchMs: 20, longestMs: 60_000 };
    const reply = download({ name: 'all.csv', type: 'text/csv' }, endless, { limits });
    const asked: { gone: Promise<void>; ended: Promise<void>; response: Response }[] = [];
    const port = await serve((request, response) => {
      const gone = new Promise<void>((resolve) => response.once('close', resolve));
      const ended = gone.then(() => reply(request, response)).catch(() => {});
      asked.push({ gone, ended, response });
    });
    const socket = reader(port);
    socket.write('GET / HTTP/1.1\r\nHost: amber\r\n\r\n'.repeat(3));
    while (asked.length < 4) await new Promise(setImmediate);
    socket.resetAndDestroy();
    await Promise.all(asked.map(({ gone }) => gone));
    expect(asked.map(({ response }) => [response.destroyed, untilGone(response).aborted])).toEqual(
      asked.map(() => [true, true]),
    );
    await Promise.all(asked.map(({ ended }) => ended));
  });

  it('are cut off where they ask for more and more ahead', async () => {
    const port = await serve(() => {});
    const socket = reader(port);
    socket.resume();
    socket.write('GET / HTTP/1.1\r\nHost: amber\r\n\r\n'.repeat(40));
    await once(socket, 'close');
  });

  it('are sent away from an answer that is ready and not taken', async () => {
    const closed = new Promise<void>((resolve) => {
      void serve((_request, response) => {
        response.once('close', resolve);
        response.end(Buffer.alloc(64 * 1024 * 1024));
      }, 100).then((port) => reader(port));
    });
    await closed;
  });
});
