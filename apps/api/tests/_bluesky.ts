import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a call is answered with; a body that is text goes out as it is. */
export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface ScriptedBluesky {
  url: string;
  /** The names of all calls so far. */
  asked: string[];
  close(): Promise<void>;
}

/** A service that answers as it is told: for what a real one only does when it is in trouble. */
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
