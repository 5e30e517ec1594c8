import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { aPicture, aVideo } from '@archive/testing/media';
import { CODEC_DCBOR, CODEC_RAW, create, toString as toText } from '@atcute/cid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Db, ObjectId } from 'mongodb';
import sharp from 'sharp';
import request from 'supertest';
import { replayLedger } from '../src/backup/replay-ledger.ts';
import { checkMedia } from '../src/cli/check-media.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import type { ByteStore } from '../src/media/bytes/byte-store.ts';
import { FolderStore } from '../src/media/bytes/folder-store.ts';
import { keepMedia } from '../src/media/keep-media.ts';
import type { MediaFile } from '../src/media/media-document.ts';
import { MediaStore } from '../src/media/media-store.ts';
import { dropReferences, expelMedia } from '../src/media/remove-media.ts';
import { finishRemovals, PREFIXES, type SweepReport, sweepMedia } from '../src/media/sweep-media.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { emptyRemoved } from '../src/saves/retry-media.ts';
import { startS3 } from '../trials/local-s3.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const HOUR_MS = 3_600_000;

let api: TestApi;
let source: { server: Server; host: string; answer: RequestListener };
let later = 0;

beforeAll(async () => {
  const server = createServer((...given) => source.answer(...given));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  source = { server, host, answer: () => {} };
  api = await startTestApi({
    env: { SOURCE_LOCAL_HOSTS: host, MEDIA_MAX_MB: '1' },
    overrides: { now: () => Date.now() + later },
  });
});

beforeEach(() => {
  later = 0;
});

afterAll(async () => {
  await api.close();
  source.server.closeAllConnections();
  source.server.close();
});

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function kept(bytes: Buffer, post?: string): Promise<MediaFile> {
  const file = await api.context.media.keep(bytes, { post });
  if ('refused' in file) throw new Error(file.refused);
  return file;
}

const folder = () => new FolderStore(`${api.context.config.dataDir}/media`);
const parts = () => {
  const { database, now, log } = api.context;
  return { store: new MediaStore(database.db), bytes: folder(), now, log };
};

async function sweepAll(): Promise<SweepReport> {
  await finishRemovals(parts());
  const reports: SweepReport[] = [];
  for (const prefix of PREFIXES) reports.push(await sweepMedia(parts(), prefix));
  const all = (name: keyof SweepReport) => reports.flatMap((report) => report[name]);
  return { orphans: all('orphans'), unneeded: all('unneeded'), missing: all('missing') };
}

/** The stored file names that start with a hash. */
async function lying(sha256: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of folder().list(sha256.slice(0, 2))) if (name.startsWith(sha256)) names.push(name);
  return names.toSorted();
}

const isServed = async (sha256: string) => (await request(api.app).get(`/media/${sha256}`)).status === 200;

describe('a kept file', () => {
  it('is served by its hash, to everybody, able to do nothing', async () => {
    const bytes = await aPicture({ width: 300, height: 200, format: 'png' });
    const file = await kept(bytes, 'post');
    expect(file).toMatchObject({ sha256: sha256Of(bytes), type: 'image/png', bytes: bytes.length, hasPreview: true });
    const answer = await request(api.app).get(`/media/${file.sha256}`);
    expect([answer.status, answer.body]).toEqual([200, bytes]);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=86400, s-maxage=60',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'content-disposition': 'inline',
      'accept-ranges': 'bytes',
      etag: `"${file.sha256}"`,
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('has a preview that browsers show at once', async () => {
    const file = await kept(await aPicture({ width: 2_000, height: 1_500, isNoise: true }), 'post');
    const { status, headers, body } = await request(api.app).get(`/media/${file.sha256}/preview`);
    expect([status, headers['content-type']]).toEqual([200, 'image/webp']);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_000);
    expect(await sharp(body).metadata()).toMatchObject({ format: 'webp' });
    const again = await request(api.app)
      .get(`/media/${file.sha256}/preview`)
      .set('If-None-Match', headers['etag'] ?? '');
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is sent in part, as players ask', async () => {
    const bytes = aVideo({ mediaBytes: 300_000 });
    const { sha256 } = await kept(bytes, 'post');
    const ask = (range: string, more: Record<string, string> = {}) =>
      request(api.app)
        .get(`/media/${sha256}`)
        .set({ Range: range, ...more })
        .buffer()
        .parse((answer, done) => {
          void buffer(answer as never).then((all) => done(null, all));
        });
    const size = bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-1', 0, 1],
      ['bytes=1000-1999', 1_000, 1_999],
      ['bytes=100000-', 100_000, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=${size - 1}-${size + 500}`, size - 1, size - 1],
    ] as const) {
      const { status, headers, body } = await ask(range);
      expect([range, status, headers['content-range'], headers['content-type']]).toEqual([
        range,
        206,
        `bytes ${start}-${end}/${size}`,
        'video/mp4',
      ]);
      expect(body).toEqual(bytes.subarray(start, end + 1));
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const { status, headers, body } = await ask(range);
      expect([status, headers['content-range'], JSON.parse(body).code]).toEqual([
        416,
        `bytes */${size}`,
        'range_not_satisfiable',
      ]);
      expect(headers['cache-control']).toBe('no-store');
    }
    // An invalid range, several parts, and a range of another version: the answer is the whole file.
    for (const range of ['bytes=a-b', 'lines=1-2', 'bytes=0-1,5-9']) expect((await ask(range)).body).toEqual(bytes);
    expect((await ask('bytes=0-1', { 'If-Range': '"other"' })).status).toBe(200);
    expect((await ask('bytes=0-1', { 'If-Range': `"${sha256}"` })).status).toBe(206);
  });

  it('is asked for by its head alone', async () => {
    const bytes = await aPicture();
    const { sha256 } = await kept(bytes, 'post');
    const whole = await request(api.app).head(`/media/${sha256}`);
    expect([whole.status, whole.headers['content-length'], whole.text]).toEqual([200, String(bytes.length), undefined]);
    const part = await request(api.app).head(`/media/${sha256}`).set('Range', 'bytes=0-9');
    expect([part.status, part.headers['content-length']]).toEqual([206, '10']);
  });

  it('that nobody knows is not found, and no hash is a wrong request', async () => {
    for (const path of [`/media/${'0'.repeat(64)}`, `/media/${'0'.repeat(64)}/preview`])
      expect((await request(api.app).get(path)).body).toMatchObject({ status: 404, code: 'not_found' });
    for (const name of ['0'.repeat(63), 'A'.repeat(64), '..%2f..%2fetc%2fpasswd', 'a.jpg'])
      expect((await request(api.app).get(`/media/${name}`)).body).toMatchObject({ status: 400 });
    const { sha256 } = await kept(aVideo(), 'post');
    expect((await request(api.app).get(`/media/${sha256}/preview`)).status).toBe(404);
  });

  it('is let go of when its reader leaves half-way', async () => {
    const { sha256 } = await kept(aVideo({ mediaBytes: 900_000 }), 'post');
    const { port } = api.app.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /media/${sha256} HTTP/1.1\r\nHost: amber\r\n\r\n`);
    await once(socket, 'data');
    socket.resetAndDestroy();
    expect(await isServed(sha256)).toBe(true);
  });
});

describe('what is kept', () => {
  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
  ])('is media alone: not %s', async (_, bytes) => {
    expect(await api.context.media.keep(bytes, { post: 'post' })).toEqual({ refused: 'not_media', retry: false });
    expect(await lying(sha256Of(bytes))).toEqual([]);
    expect(await parts().store.isNeeded(sha256Of(bytes))).toBe(false);
  });

  it('lies there once, whoever keeps it and how often', async () => {
    const bytes = await aPicture();
    const files = await Promise.all(Array.from({ length: 8 }, (_, at) => kept(bytes, `post ${at}`)));
    expect(new Set(files.map((file) => JSON.stringify(file))).size).toBe(1);
    expect(await lying(sha256Of(bytes))).toHaveLength(2);
  });

  it('lives as long as a post needs it', async () => {
    const { media } = api.context;
    const { sha256 } = await kept(await aPicture(), 'first');
    expect(await media.addReference(sha256, 'second')).toBe(true);
    await media.dropReferences('first');
    expect(await isServed(sha256)).toBe(true);
    await media.dropReferences('second');
    await media.dropReferences('second');
    expect([await isServed(sha256), await lying(sha256), await media.find(sha256)]).toEqual([false, [], null]);
    expect(await media.addReference(sha256, 'third')).toBe(false);
    expect(await parts().store.isNeeded(sha256)).toBe(false);
  });

  it('is kept anew after it was removed', async () => {
    const bytes = await aPicture();
    const { sha256 } = await kept(bytes, 'first');
    await api.context.media.dropReferences('first');
    await kept(bytes, 'second');
    expect(await isServed(sha256)).toBe(true);
  });

  it('and blocked is gone whoever needs it, and never kept again', async () => {
    const { media } = api.context;
    const bytes = await aPicture();
    const { sha256 } = await kept(bytes, 'first');
    await kept(bytes, 'second');
    expect(await media.isBlocked(sha256)).toBe(false);
    await media.block(sha256);
    await media.block(sha256);
    expect([await isServed(sha256), await lying(sha256), await media.isBlocked(sha256)]).toEqual([false, [], true]);
    expect(await media.keep(bytes, { post: 'third' })).toEqual({ refused: 'blocked', retry: false });
    expect(await media.addReference(sha256, 'first')).toBe(false);
    const ledger = await readLedger(ledgerFolder(api.context.config.dataDir));
    expect(ledger?.entries).toContainEqual({ kind: 'media-blocked', sha256, at: expect.any(Date) });
  });

  it('and blocked stays blocked though an older copy of the database is put back', async () => {
    const { database } = api.context;
    const bytes = await aPicture();
    const { sha256 } = await kept(bytes, 'restored');
    const { counts } = await replayLedger({ database }, [{ kind: 'media-blocked', sha256, at: new Date() }]);
    expect(counts).toEqual({ 'media-blocked': 1 });
    expect([await api.context.media.find(sha256), (await lying(sha256)).length]).toEqual([null, 2]);
    await finishRemovals(parts());
    expect(await lying(sha256)).toEqual([]);
    expect(await api.context.media.keep(bytes, { post: 'restored' })).toEqual({ refused: 'blocked', retry: false });
  });

  it('is not there after it was blocked at the very moment it came', async () => {
    const { media } = api.context;
    for (let round = 0; round < 10; round++) {
      const bytes = await aPicture();
      await Promise.all([media.keep(bytes, { post: 'post' }), media.keep(bytes), media.block(sha256Of(bytes))]);
      expect([await lying(sha256Of(bytes)), await media.find(sha256Of(bytes))]).toEqual([[], null]);
    }
  });

  it('leaves no bytes where it is blocked while they are put back', async () => {
    const lyingNow = new Map<string, Buffer>();
    const bytes = inMemory(lyingNow);
    const content = await aPicture();
    await keepMedia({ ...parts(), bytes }, content, { post: 'post' });
    const blocking: ByteStore = {
      ...bytes,
      has: async (name) => {
        await parts().store.block(sha256Of(content), new Date());
        await expelMedia({ ...parts(), bytes }, sha256Of(content));
        return bytes.has(name);
      },
    };
    expect(await keepMedia({ ...parts(), bytes: blocking }, content)).toMatchObject({ refused: 'blocked' });
    expect([...lyingNow.keys()]).toEqual([]);
  });

  it.each(['hidden', 'deleted'] as const)('goes once its %s post is removed for good', async (how) => {
    const { database, media, posts, saves } = api.context;
    await api.add(newPost({ id: `${how}-then-removed` }));
    const post = (await posts.store.find(`${how}-then-removed`)) as PostDocument;
    const { sha256 } = await kept(await aPicture(), post._id.toHexString());
    if (how === 'hidden') await posts.sealed.hide(post._id, 'rules');
    else await posts.sealed.seal(post, 'bluesky', 'deleted', database.clock.now());
    await posts.sealed.remove((await posts.sealed.find(post._id)) as PostDocument);
    const captures = database.db.collection<{ _id: ObjectId }>('captures');
    await captures.insertOne({ _id: post._id });
    await emptyRemoved({ ...api.context, captures: saves.captures });
    expect([await lying(sha256), await media.find(sha256)]).toEqual([[], null]);
    expect(await captures.findOne({ _id: post._id })).toBeNull();
  });

  it('is there exactly if a post needs it, however many keep and drop it at once', async () => {
    const lyingNow = new Map<string, Buffer>();
    const racing = { ...parts(), bytes: inMemory(lyingNow) };
    const posts = Array.from({ length: 6 }, (_, at) => `racing ${at}`);
    const video = aVideo();
    for (let round = 0; round < 20; round++) {
      // For each post the steps are sequential, as its save and its removal alternate; all posts run in parallel.
      const wants = await Promise.all(
        posts.map(async (post) => {
          let isWanted = false;
          for (let step = 0; step < 3; step++) {
            isWanted = Math.random() < 0.4;
            if (isWanted) await keepMedia(racing, video, { post });
            else await dropReferences(racing, post);
          }
          return isWanted;
        }),
      );
      const document = await racing.store.findAny(sha256Of(video));
      expect([round, document?.state]).toEqual([round, wants.includes(true) ? 'kept' : undefined]);
      expect([...lyingNow.keys()]).toEqual(document ? [document.name] : []);
      for (const post of posts) await dropReferences(racing, post);
    }
  });
});

describe('a file that is needed again while it is let go', () => {
  const video = aVideo();
  const sha256 = sha256Of(video);

  /** Removes the only post, and runs these actions after the first and the second check for users of the file. */
  async function dropMeanwhile(...meanwhile: (() => Promise<unknown>)[]) {
    await keepMedia(racing(), video, { post: 'first' });
    const store = new InterruptedStore(api.context.database.db, meanwhile);
    await dropReferences({ ...racing(), store }, 'first');
    return racing().store.findAny(sha256);
  }

  const lyingNow = new Map<string, Buffer>();
  const racing = () => ({ ...parts(), bytes: inMemory(lyingNow) });
  const again = () => keepMedia(racing(), video, { post: 'again' });
  const nothing = async () => {};

  afterEach(() => expelMedia(racing(), sha256));

  it('stays, at whichever moment', async () => {
    for (const moment of [[again], [nothing, again]]) {
      const document = await dropMeanwhile(...moment);
      expect([document?.state, [...lyingNow.keys()]]).toEqual(['kept', [document?.name]]);
      await expelMedia(racing(), sha256);
    }
  });

  it('stays though another one has begun to look meanwhile', async () => {
    const document = await dropMeanwhile(nothing, async () => {
      await again();
      const media = api.context.database.db.collection('media');
      await media.updateOne({ _id: sha256 as never }, { $set: { state: 'going', look: 'another' } });
    });
    expect([document?.state, document?.look]).toEqual(['going', 'another']);
    await finishRemovals(racing());
    expect([(await racing().store.find(sha256))?.state, lyingNow.size]).toEqual(['kept', 1]);
  });

  it('goes where its last two posts let go of it at once', async () => {
    for (const post of ['one of two', 'the other of two']) await keepMedia(racing(), video, { post });
    const { db } = api.context.database;
    const moments = new EventEmitter();
    const resumed = once(moments, 'resumed');
    const reached = once(moments, 'reached');
    const wait = () => {
      moments.emit('reached');
      return resumed;
    };
    const late: Promise<void>[] = [];
    const beside = async () => {
      late.push(dropReferences({ ...racing(), store: new InterruptedStore(db, [nothing, wait]) }, 'the other of two'));
      await reached;
    };
    await dropReferences({ ...racing(), store: new InterruptedStore(db, [beside]) }, 'one of two');
    moments.emit('resumed');
    await Promise.all(late);
    expect([await racing().store.findAny(sha256), lyingNow.size]).toEqual([null, 0]);
  });

  it('is there under another name when its bytes were being removed already', async () => {
    await keepMedia(racing(), video, { post: 'first' });
    const [first] = lyingNow.keys();
    const { bytes } = racing();
    const remove = async (name: string) => {
      if (name === first) await again();
      await bytes.remove(name);
    };
    await dropReferences({ ...racing(), bytes: { ...bytes, remove } }, 'first');
    const document = await racing().store.find(sha256);
    expect(document?.name).not.toBe(first);
    expect([...lyingNow.keys()]).toEqual([document?.name]);
  });
});

/** A store that runs other actions between its checks for users of a file. */
class InterruptedStore extends MediaStore {
  readonly #between: (() => Promise<unknown>)[];

  constructor(db: Db, between: readonly (() => Promise<unknown>)[]) {
    super(db);
    this.#between = [...between];
  }

  override async isNeeded(sha256: string): Promise<boolean> {
    const isNeeded = await super.isNeeded(sha256);
    await this.#between.shift()?.();
    return isNeeded;
  }
}

/** A store in memory, so fast that concurrent calls overlap. */
function inMemory(lying: Map<string, Buffer>): ByteStore {
  return {
    put: async (name, bytes) => void lying.set(name, bytes),
    open: async () => null,
    has: async (name) => lying.has(name),
    remove: async (name) => void lying.delete(name),
    async *list() {},
  };
}

describe('sweeping', () => {
  it('takes what a killed process has left, and nothing that is needed or young', async () => {
    const { store } = parts();
    const needed = await kept(await aPicture(), 'needed');
    const unneeded = await kept(await aPicture());
    const going = await kept(await aPicture(), 'going');
    const gone = await kept(await aPicture(), 'gone');
    // Killed while posts were removed: before and after the files were released.
    await store.takeBack(going.sha256, 'going');
    await api.context.database.db
      .collection('media')
      .updateOne({ _id: going.sha256 as never }, { $set: { state: 'going', look: 'x' } });
    await store.unrefer('gone');
    // Killed after the bytes were stored and before any record named them.
    const orphan = `${sha256Of(randomBytes(9))}-12345678`;
    await folder().put(orphan, Buffer.from('orphan'));
    await folder().put(`${orphan}.webp`, Buffer.from('its preview'));

    expect(await sweepAll()).toEqual({ orphans: [], unneeded: [], missing: [] });
    for (const { sha256 } of [going, gone])
      expect([await lying(sha256), await store.findAny(sha256)]).toEqual([[], null]);
    for (const { sha256 } of [needed, unneeded]) expect(await isServed(sha256)).toBe(true);

    later = 2 * HOUR_MS;
    const report = await sweepAll();
    expect(report.orphans.toSorted()).toEqual([orphan, `${orphan}.webp`]);
    expect(report.unneeded).toContain(unneeded.sha256);
    expect(report.missing).toEqual([]);
    expect(await lying(unneeded.sha256)).toEqual([]);
    expect(await lying(needed.sha256)).toHaveLength(2);
    expect((await sweepAll()).orphans).toEqual([]);
  });

  it('takes no file back that somebody needs again', async () => {
    const { sha256 } = await kept(await aPicture(), 'needed again');
    await api.context.database.db
      .collection('media')
      .updateOne({ _id: sha256 as never }, { $set: { state: 'going', look: 'x' } });
    await finishRemovals(parts());
    expect((await parts().store.find(sha256))?.state).toBe('kept');
  });

  it('tells which bytes are missing, which keeping them again brings back', async () => {
    const bytes = await aPicture();
    const { sha256 } = await kept(bytes, 'lost');
    for (const name of await lying(sha256)) await folder().remove(name);
    const lost = await request(api.app).get(`/media/${sha256}`);
    expect(lost.body).toMatchObject({ status: 404, code: 'not_found' });
    // No cache may store this 404 under the file's ETag.
    expect(lost.headers['etag'] ?? '').not.toContain(sha256);
    later = 2 * HOUR_MS;
    expect((await sweepAll()).missing).toEqual([sha256]);
    await kept(bytes, 'lost');
    expect([await isServed(sha256), (await sweepAll()).missing]).toEqual([true, []]);
    expect((await request(api.app).get(`/media/${sha256}/preview`)).status).toBe(200);
  });

  it('is done by one process at a time beside the requests', async () => {
    const { sha256 } = await kept(await aPicture(), 'looked at');
    await parts().store.unrefer('looked at');
    expect(await lying(sha256)).toHaveLength(2);
    await api.context.media.sweeper.look();
    expect(await lying(sha256)).toEqual([]);
  });
});

describe('fetching', () => {
  const send =
    (bytes: Buffer, type = 'application/octet-stream'): RequestListener =>
    (_, response) =>
      void response.setHeader('Content-Type', type).end(bytes);
  const fetch = (more: object = {}) =>
    api.context.media.fetch({ url: `http://${source.host}/a.jpg`, kind: 'image', post: 'fetched', ...more });

  it('keeps what the bytes are, whatever is said of them', async () => {
    const bytes = await aPicture({ format: 'webp' });
    source.answer = send(bytes, 'text/html');
    expect(await fetch()).toMatchObject({ sha256: sha256Of(bytes), type: 'image/webp' });
    const video = aVideo();
    source.answer = send(video, 'image/jpeg');
    expect(await fetch({ kind: 'video' })).toMatchObject({ type: 'video/mp4', durationMs: 12_000 });
    expect(await fetch({ kind: 'gif' })).toMatchObject({ type: 'video/mp4' });
    for (const kind of ['image', 'poster', 'avatar'])
      expect(await fetch({ kind })).toEqual({ refused: 'other_kind', retry: false });
    source.answer = send(bytes);
    expect(await fetch({ kind: 'video' })).toEqual({ refused: 'other_kind', retry: false });
  });

  it('takes a blob only where it is the one that its address is made of', async () => {
    const bytes = await aPicture();
    const cid = toText(await create(CODEC_RAW, bytes));
    expect(cid).toMatch(/^bafkrei/);
    source.answer = send(bytes);
    expect(await fetch({ cid })).toMatchObject({ sha256: sha256Of(bytes) });
    const others = [
      toText(await create(CODEC_RAW, randomBytes(9))),
      toText(await create(CODEC_DCBOR, bytes)),
      cid.toUpperCase(),
      '',
    ];
    for (const other of others) expect(await fetch({ cid: other })).toEqual({ refused: 'other_bytes', retry: true });
    source.answer = (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end();
    expect(await fetch({ cid })).toEqual({ refused: 'redirected', retry: false });
  });

  it('takes no blob that is longer than its record says, and nothing while the disk is short', async () => {
    const bytes = await aPicture({ isNoise: true });
    const cid = toText(await create(CODEC_RAW, bytes));
    source.answer = send(bytes);
    expect(await fetch({ cid, maxBytes: bytes.length - 1 })).toEqual({ refused: 'too_large', retry: false });
    expect(await fetch({ cid, maxBytes: bytes.length })).toMatchObject({ sha256: sha256Of(bytes) });
    const short = await startTestApi({ env: { DISK_FLOOR: '999999', SOURCE_LOCAL_HOSTS: source.host } });
    const url = `http://${source.host}/a.jpg`;
    expect(await short.context.media.fetch({ url, kind: 'image' })).toEqual({ refused: 'disk_short', retry: true });
    await short.close();
  });

  it('takes nothing that is too large, away, or nowhere media are kept', async () => {
    source.answer = send(aVideo({ mediaBytes: 1_000_000 }));
    expect(await fetch({ kind: 'video' })).toEqual({ refused: 'too_large', retry: false });
    source.answer = (_, response) => response.writeHead(503).end();
    expect(await fetch()).toEqual({ refused: 'status', retry: true });
    for (const url of ['https://elsewhere.example/a.jpg', 'http://127.0.0.1:1/a.jpg', 'javascript:alert(1)'])
      expect(await fetch({ url })).toEqual({ refused: 'not_allowed', retry: false });
  });
});

it('in an S3-compatible store serves the same', async () => {
  const s3 = await startS3();
  const { endpoint, bucket, key, secret, region } = s3.settings;
  const other = await startTestApi({
    env: { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_KEY: key, S3_SECRET: secret, S3_REGION: region },
  });
  const bytes = await aPicture({ width: 900, height: 900, isNoise: true });
  const file = await other.context.media.keep(bytes, { post: 'post' });
  const path = `/media/${sha256Of(bytes)}`;
  expect(file).toMatchObject({ type: 'image/jpeg', width: 900 });
  expect((await request(other.app).get(path)).body).toEqual(bytes);
  expect((await request(other.app).get(`${path}/preview`)).headers['content-type']).toBe('image/webp');
  const part = await request(other.app).get(path).set('Range', 'bytes=100-199');
  expect([part.status, part.body]).toEqual([206, bytes.subarray(100, 200)]);
  await other.context.media.dropReferences('post');
  expect((await request(other.app).get(path)).status).toBe(404);
  await other.close();
  await s3.close();
});

it('the command that checks counts missing bytes', async () => {
  const own = await startTestApi();
  const post = new ObjectId().toHexString();
  await own.context.media.keep(await aPicture(), { post });
  const said: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const check = () => checkMedia(own.context.database, own.context.config);
  const whole = await check();
  const [row] = await own.context.database.db.collection('media').find().toArray();
  await new FolderStore(`${own.context.config.dataDir}/media`).remove(row?.['name']);
  const outcomes = [whole, await check()];
  write.mockRestore();
  await own.close();
  expect(outcomes).toEqual([true, false]);
  expect(said).toEqual([
    'pictures and videos: 1, and the bytes of all are there\n',
    'pictures and videos: 1, and the bytes of 1 are missing\n',
  ]);
});
