import type { Server, ServerResponse } from 'node:http';

/** A head may take so long on a slow line, and a body of megabytes; kept alive longer than a proxy keeps its own side. */
export const SOCKETS = {
  keepAliveTimeout: 65_000,
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
} as const;

const UNTAKEN_MS = 60_000;

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
