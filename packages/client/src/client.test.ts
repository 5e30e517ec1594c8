import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ApiError, isServerDown } from './api-error.ts';
import { type Client, createClient } from './client.ts';

let server: Server;
let client: Client;
let asked: { method: string | undefined; url: string | undefined; authorization: string | undefined; body: string }[];
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method, url, headers } = request;
    asked.push({ method, url, authorization: headers.authorization, body });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = createClient({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

beforeEach(() => {
  asked = [];
  answer = (response) => response.end('{"status":"ok"}');
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

test('a call sends its parts where they belong', async () => {
  expect(await client.call('health')).toEqual({ status: 'ok' });
  await client.call('addReaction', { params: { id: '1' }, body: { reactionType: 'heart' }, token: 't' });
  expect(asked).toEqual([
    { method: 'GET', url: '/health', authorization: undefined, body: '' },
    { method: 'POST', url: '/amber/reactions/1', authorization: 'Bearer t', body: '{"reactionType":"heart"}' },
  ]);
});

test('an empty answer is undefined', async () => {
  answer = (response) => response.writeHead(204).end();
  expect(await client.call('logout', { token: 't' })).toBeUndefined();
});

test.each([
  [409, '{"message":"Taken.","code":"already_launched"}', { status: 409, message: 'Taken.', code: 'already_launched' }],
  [502, '<html>', { status: 502, message: 'Bad Gateway', code: undefined }],
  [200, '<html>', { status: 502, code: undefined }],
  [500, 'null', { status: 500, message: 'Internal Server Error', code: undefined }],
])('a %s with %s is an error that says what there is to say', async (status, body, wanted) => {
  answer = (response) => response.writeHead(status).end(body);
  const error = await client.call('config').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject(wanted);
  expect(isServerDown(error)).toBe(wanted.status >= 500);
});

test('a server that cannot be reached is an error with status 0', async () => {
  const nobody = createClient({ origin: 'http://127.0.0.1:1' });
  await expect(nobody.call('config')).rejects.toMatchObject({ status: 0 });
});

test('a call that is given up rejects', async () => {
  answer = () => {};
  const controller = new AbortController();
  const call = client.call('config', { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toBeInstanceOf(ApiError);
  server.closeAllConnections();
});
