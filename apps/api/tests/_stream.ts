import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';

export interface CutStream {
  url: string;
  /** The queries of all connections, oldest first. */
  asked: URLSearchParams[];
  /** The messages that the clients sent. */
  sent: { type: string; payload: { wantedDids: string[] } }[];
  isOpen(): boolean;
  /** Closes all connections and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** Sends a message to all clients. */
  tell(message: string | Buffer): void;
  close(): Promise<void>;
}

/** A proxy in front of a stream that can be cut. Without a stream behind it, it sends what the test tells it to. */
export async function startCutStream(behind?: string): Promise<CutStream> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const asked: URLSearchParams[] = [];
  const sent: CutStream['sent'] = [];
  let isCut = false;
  server.on('connection', (front, { url = '/' }) => {
    if (isCut) return front.terminate();
    asked.push(new URL(url, 'http://localhost').searchParams);
    front.on('error', () => {});
    front.on('message', (data) => sent.push(JSON.parse(String(data))));
    if (!behind) return;
    const back = new WebSocket(behind + url);
    const opened = once(back, 'open');
    back.on('error', () => front.terminate());
    back.on('message', (data) => front.send(String(data)));
    front.on('message', async (data) => {
      await opened;
      back.send(String(data));
    });
    front.on('close', () => back.terminate());
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    sent,
    isOpen: () => server.clients.size > 0,
    cut() {
      isCut = true;
      for (const client of server.clients) client.terminate();
    },
    mend() {
      isCut = false;
    },
    tell(message) {
      for (const client of server.clients) client.send(message);
    },
    async close() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}
