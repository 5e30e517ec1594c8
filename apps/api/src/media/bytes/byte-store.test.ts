import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startS3, startS3rver } from '../../../trials/local-s3.ts';
import type { ByteStore } from './byte-store.ts';
import { FolderStore } from './folder-store.ts';
import { S3Store } from './s3-store.ts';

let folder: string;
let s3: Awaited<ReturnType<typeof startS3>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bytes-'));
  s3 = await startS3();
});

afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true });
});

/** A random name after two fixed digits, so that a listing by these digits is predictable. */
const nameOf = (bytes: Buffer, first = '00') =>
  `${first}${createHash('sha256').update(bytes).digest('hex').slice(2)}-${randomBytes(4).toString('hex')}`;

describe.each<[string, () => ByteStore]>([
  ['files in a folder', () => new FolderStore(folder)],
  ['an S3-compatible store', () => new S3Store(s3.settings)],
])('%s', (_, makeStore) => {
  let store: ByteStore;

  beforeAll(() => {
    store = makeStore();
  });

  const read = async (name: string, start: number, end: number) => {
    const stream = await store.open(name, { start, end });
    return stream && buffer(stream);
  };

  it('gives back what was put, whole or in part', async () => {
    const bytes = randomBytes(200_000);
    const name = nameOf(bytes);
    expect([await store.has(name), await read(name, 0, 9)]).toEqual([false, null]);
    await store.put(name, bytes);
    expect(await store.has(name)).toBe(true);
    for (const [start, end] of [
      [0, 199_999],
      [0, 1],
      [1_000, 1_999],
      [199_999, 199_999],
    ] as const)
      expect((await read(name, start, end))?.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it('never puts other bytes in the place of what is there', async () => {
    const bytes = randomBytes(100);
    const name = nameOf(bytes);
    await store.put(name, bytes);
    await store.put(name, randomBytes(100));
    expect(await read(name, 0, 99)).toEqual(bytes);
  });

  it('removes for good, and what is not there without a failure', async () => {
    const name = nameOf(randomBytes(10));
    await store.put(name, randomBytes(10));
    await store.remove(name);
    await store.remove(name);
    expect([await store.has(name), await read(name, 0, 9)]).toEqual([false, null]);
  });

  it('lists what begins with two digits, and since when it is there', async () => {
    const startedAt = Date.now();
    const names = Array.from({ length: 12 }, () => nameOf(randomBytes(10), 'ab'));
    const other = `${nameOf(randomBytes(10), 'ac')}.webp`;
    await Promise.all([...names, other].map((name) => store.put(name, randomBytes(10))));
    const found: string[] = [];
    for await (const { name, at } of store.list('ab')) {
      found.push(name);
      // A store may round to whole seconds.
      expect(at.getTime()).toBeGreaterThan(startedAt - 2_000);
      expect(at.getTime()).toBeLessThan(Date.now() + 2_000);
    }
    expect(found.toSorted()).toEqual(names.toSorted());
    for await (const { name } of store.list('ac')) expect(name).toBe(other);
    for await (const { name } of store.list('fe')) expect(name).toBe('none');
  });

  it.each(['../../etc/passwd', 'a'.repeat(64), `${'a'.repeat(64)}-12345678/x`, ''])(
    'refuses the name %j',
    async (name) => {
      await expect(store.put(name, Buffer.alloc(1))).rejects.toThrow('no name of media');
      await expect(read(name, 0, 9)).rejects.toThrow('no name of media');
      await expect(store.remove(name)).rejects.toThrow('no name of media');
    },
  );
});

it('an S3-compatible store that gives another range than was asked for is not believed', async () => {
  // This store ignores an end of 0.
  const { settings, close } = await startS3rver();
  const store = new S3Store(settings);
  const name = nameOf(randomBytes(1));
  await store.put(name, randomBytes(10));
  await expect(store.open(name, { start: 0, end: 0 })).rejects.toThrow('asked for bytes 0-0 and gave bytes 0-9/10');
  await close();
});

it('an S3-compatible store that sends its callers elsewhere is not followed', async () => {
  const asked: string[] = [];
  const elsewhere = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(206, { 'content-range': 'bytes 0-3/4' }).end('evil');
  });
  const moved = await serve((request, response) =>
    request.method === 'HEAD'
      ? response.writeHead(404).end()
      : response.writeHead(307, { location: urlOf(elsewhere) + request.url }).end(),
  );
  const store = new S3Store({ ...s3.settings, endpoint: urlOf(moved) });
  await expect(store.open(nameOf(randomBytes(1)), { start: 0, end: 3 })).rejects.toThrow();
  await expect(store.put(nameOf(randomBytes(1)), randomBytes(4))).rejects.toThrow();
  expect(asked).toEqual([]);
  for (const server of [elsewhere, moved]) server.close();
});

async function serve(answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('a folder of files', () => {
  it('is freed at the start of what was left half written, and of nothing that is being written', async () => {
    mkdirSync(join(folder, 'coming'), { recursive: true });
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    for (const [name, at] of [
      ['old', hours(2)],
      ['new', hours(0)],
    ] as const) {
      writeFileSync(join(folder, 'coming', name), 'part');
      utimesSync(join(folder, 'coming', name), at, at);
    }
    await new FolderStore(folder).start();
    expect(readdirSync(join(folder, 'coming'))).toEqual(['new']);
  });

  it('leaves nothing half written behind when it cannot write', async () => {
    const store = new FolderStore(join(folder, 'full'));
    await store.start();
    const name = nameOf(randomBytes(1));
    writeFileSync(join(folder, 'full', name.slice(0, 2)), 'a file where a folder should be');
    await expect(store.put(name, randomBytes(1))).rejects.toThrow();
    expect(readdirSync(join(folder, 'full/coming'))).toEqual([]);
  });
});
