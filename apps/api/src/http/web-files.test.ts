import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import request from 'supertest';
import { WebFiles } from './web-files.ts';

let folder: string;
let app: Express;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'web-'));
  mkdirSync(join(folder, 'static/js'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<h1>page</h1>');
  writeFileSync(join(folder, 'static/js/app-abcd1234.js'), 'run()');
  writeFileSync(join(folder, 'static/js/app-abcd1234.js.br'), brotliCompressSync('run()'));
  writeFileSync(join(folder, 'static/plain.png'), 'png');
  writeFileSync(join(folder, '.hidden.json'), '{}');
  app = express();
  const web = new WebFiles(folder);
  web.routes(app, (route) => (_request, response) => void response.send(`${route} ${web.page}`));
  app.use(web.notFound);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('exactly the web routes are answered with a page', async () => {
  for (const [path, route] of [
    ['/', '/'],
    ['/post/1', '/post/:id'],
    ['/author/ada', '/author/:handle'],
    ['/dashboard', '/dashboard'],
  ] as const)
    expect((await request(app).get(path)).text).toBe(`${route} <h1>page</h1>`);
});

test('a browser lost gets the page as a 404, everybody else a problem', async () => {
  const browser = await request(app).get('/nowhere').set('Accept', 'text/html');
  expect([browser.status, browser.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  for (const path of ['/nowhere', '/index.html', '/.hidden.json', '/static/..%2f..%2fetc/passwd', '/post/1/2']) {
    const { status, body } = await request(app).get(path);
    expect([path, status, body.code]).toEqual([path, 404, 'not_found']);
  }
});

test('hashed files are kept for ever and sent precompressed; others are not', async () => {
  const script = await request(app).get('/static/js/app-abcd1234.js').set('Accept-Encoding', 'br, gzip');
  expect(script.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
  });
  expect((await request(app).get('/static/plain.png')).headers['cache-control']).toBe('no-cache');
});
