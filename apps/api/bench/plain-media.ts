import { createReadStream } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** Express alone; it streams the file of its argument and prints its port. */
const [, , file = ''] = process.argv;
const app = express();
app.disable('x-powered-by');
app.get('/', (_request, response) => {
  response.type('image/jpeg');
  createReadStream(file).pipe(response);
});
const server = app.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
