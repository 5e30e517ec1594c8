import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A head may take so long on a slow line, and a body of megabytes; kept alive longer than a proxy keeps its own side. */
export const SOCKETS = {
  keepAliveTimeout: 65_000,
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
} as const;

const UNTAKEN_MS = 60_000;

/** Requests sent ahead on one connection; nobody's browser or proxy does it. */
const PIPELINED = 16;

/**
 * Destroys every answer of a connection that is closed. Node does so with the one being sent; those behind it would never
 * learn that nobody is there any more, and keep what they hold.
 */
export function closePipelined(server: Server): void {
  const answering = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = answering.get(socket) ?? new Set();
    if (!answering.has(socket)) {
      answering.set(socket, answers);
      socket.once('close', () => {
        for (const answer of answers) {
          // Node's own: it is being sent.
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

/** Closes connections whose reader does not take an answer that is ready; a download has rules of its own. */
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
