import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Milliseconds. Headers and large bodies may come over a slow line. Connections are kept alive longer than a proxy
 * keeps its side.
 */
export const SOCKETS = {
  keepAliveTimeout: 65_000,
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
} as const;

const UNTAKEN_MS = 60_000;

/** Most pipelined requests of one connection; browsers and proxies do not pipeline. */
const PIPELINED = 16;

/**
 * Destroys all answers of a closed connection. Node does so only for the answer being sent. The answers behind it would
 * never learn of the close and would keep their resources.
 */
export function closePipelined(server: Server): void {
  const answering = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = answering.get(socket) ?? new Set();
    if (!answering.has(socket)) {
      answering.set(socket, answers);
      socket.once('close', () => {
        for (const answer of answers) {
          // Node itself destroys the answer being sent.
          if (answer.socket) continue;
          answer.destroy();
          answer.emit('close');
        }
      });
    }
    answers.add(response);
    response.once('close', () => answers.delete(response));
    if (answers.size > PIPELINED) socket.destroy();
  });
}

/** Closes connections whose reader does not take a ready answer. Downloads have their own limits. */
export function closeUntaken(server: Server, { afterMs = UNTAKEN_MS } = {}): void {
  const open = new Map<ServerResponse, number>();
  server.on('request', (_request, response: ServerResponse) => {
    open.set(response, performance.now());
    response.once('close', () => open.delete(response));
  });
  const look = setInterval(() => {
    const before = performance.now() - afterMs;
    for (const [response, since] of open) if (since < before && response.writableEnded) response.destroy();
  }, afterMs / 4);
  look.unref();
  server.once('close', () => clearInterval(look));
}
