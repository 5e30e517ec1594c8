import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** Two servers that send the bytes of standard input as fast as possible: Express, and plain Node. */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const bytes = Buffer.concat(chunks);

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.get('/', (_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
});

const node = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length });
  response.end(bytes);
});

const ports = await Promise.all(
  [createServer(app), node].map(
    (server) =>
      new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
      }),
  ),
);
console.log(JSON.stringify({ express: ports[0], node: ports[1] }));
