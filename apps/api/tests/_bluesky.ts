import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer to a call. A text body is sent unchanged. */
export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface ScriptedBluesky {
  url: string;
  /** The names of all calls so far, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts a Bluesky service with scripted answers, for faults that a real service rarely has. */
export async function startScriptedBluesky(
  answer: (call: { name: string; params: URLSearchParams }) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Promise<ScriptedBluesky> {
  const asked: string[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.replace('/xrpc/', '');
    asked.push(name);
    const { status = 200, headers = {}, body } = await answer({ name, params: searchParams });
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}
