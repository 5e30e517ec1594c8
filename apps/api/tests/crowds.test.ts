import { connect, type Socket } from 'node:net';
import { REQUESTS_AT_ONCE } from '@archive/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApi, type TestApi } from './_test-api.ts';

let api: TestApi;
const sockets: Socket[] = [];

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await api.close();
});

it('refuses as the contract says whoever has too many requests under way, and tells health all the same', async () => {
  let begun = 0;
  api.app.on('request', () => begun++);
  const head =
    'POST /amber/auth/challenge HTTP/1.1\r\nHost: amber\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';
  for (let at = 0; at < REQUESTS_AT_ONCE; at++) {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(head);
    sockets.push(socket);
  }
  while (begun < REQUESTS_AT_ONCE) await new Promise((resolve) => setImmediate(resolve));
  const me = await request(api.app).get('/amber/auth/me');
  expect([me.status, me.body.code, me.headers['retry-after']]).toEqual([503, 'overloaded', '1']);
  expect((await request(api.app).get('/health')).status).toBe(200);
});
