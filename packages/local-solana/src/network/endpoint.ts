import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { Chain } from '../chain/chain.ts';
import { callMethod, type RpcReply, type RpcRequest, readRequests, reply, toRpcError } from '../rpc/dispatch.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { Faults } from './faults.ts';
import { serveSocket } from './socket.ts';

const HOST = '127.0.0.1';
const BODY_LIMIT_BYTES = 1_000_000;
const PAIR_ATTEMPTS = 20;
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};
const HTML = '<!doctype html><title>Welcome</title><p>This is not the page you were looking for.';

/** A pair of ports to the chain. Both serve HTTP and WebSocket, because clients expect WebSocket one port above. */
export class Endpoint {
  readonly faults = new Faults();
  readonly #chain: Chain;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: BODY_LIMIT_BYTES });
  #servers: Server[] = [];
  #port = 0;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens on a port and the next one; 0 takes any free pair. */
  async listen(port: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const first = await this.#open(port);
      const free = addressPort(first);
      try {
        this.#servers = [first, await this.#open(free + 1)];
        this.#port = free;
        return;
      } catch (error) {
        first.close();
        if (port !== 0 || attempt === PAIR_ATTEMPTS) throw error;
      }
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    await Promise.all(
      this.#servers.map((server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        return closed;
      }),
    );
  }

  #open(port: number): Promise<Server> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        if (!response.headersSent) send(response, 500, JSON.stringify(failure(error)));
      });
    });
    server.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (client) => serveSocket(client, this.#chain, this.faults));
    });
    server.keepAliveTimeout = 30_000;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, HOST, () => resolve(server));
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') return send(response, 204, '');
    if (request.method === 'GET' && request.url === '/health') return send(response, 200, 'ok', 'text/plain');
    if (request.method !== 'POST') return send(response, 405, 'Used HTTP Method is not allowed.', 'text/plain');
    const body = await readBody(request);
    if (body === undefined) return send(response, 413, 'Payload too large.', 'text/plain');

    let read: ReturnType<typeof readRequests>;
    try {
      read = readRequests(body);
    } catch (error) {
      return send(response, 200, JSON.stringify(failure(error)));
    }
    const asked = read.requests.map(({ method }) => method);
    const late = this.faults.take('delay', asked);
    if (late) await delay(late.ms);
    if (this.faults.take('drop', asked)) return void request.socket.destroy();
    if (this.faults.take('html', asked)) return send(response, 200, HTML, 'text/html');
    const status = this.faults.take('status', asked)?.status;
    if (status) return send(response, status, `Error ${status}`, 'text/plain');

    const replies = read.requests.map((one) => answer(this.#chain, this.faults, one));
    if (this.faults.take('drop-answer', asked)) return void request.socket.destroy();
    send(response, 200, JSON.stringify(read.isBatch ? replies : replies[0]));
  }
}

export function answer(chain: Chain, faults: Faults, request: RpcRequest): RpcReply {
  return reply(request.id, () => {
    const wrong = faults.take('error', [request.method]);
    if (wrong) throw new RpcError(wrong.code, wrong.message);
    return callMethod(chain, faults.lens(request.method), request);
  });
}

function failure(error: unknown): RpcReply {
  return { jsonrpc: '2.0', id: null, error: toRpcError(error) };
}

function send(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  response.writeHead(status, { ...CORS, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** The complete body; undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  return size <= BODY_LIMIT_BYTES ? Buffer.concat(chunks).toString('utf8') : undefined;
}

function addressPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
