import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ENDPOINTS, type RemovalSelection } from '@archive/contracts';
import { type ApiProcess, freePort, ROOT, startApi } from '@archive/processes';
import { call, Launcher, TestWallet } from '@archive/testing';
import { seeded } from '@archive/testing/generate-posts';
import { aPicture } from '@archive/testing/media';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { BSON } from 'mongodb';
import { pick } from '../bench/archive-questions.ts';
import { Stage } from './stage.ts';

/** Time within which everything public must have forgotten a removed post. */
const FORGOTTEN_MS = 60_000;
const READERS = 6;
/** Longest pause between two removals. */
const PAUSE_MS = 400;
const BY_AUTHOR = 8;
const PICTURED = 4;
const QUOTING = 6;
const LAUNCHED = 6;
const BATCH = 500;
const PUBLIC_URL = 'http://localhost:4000';

interface Written {
  id: string;
  /** A word of the post that readers search for. Answers may repeat it as part of the question. */
  key: string;
  /**
   * A word in the post's text and in its picture's description. No reader asks for it, so an answer with it holds the
   * post.
   */
  mark: string;
  handle: string;
  picture: string | null;
  _id?: string;
  mint?: string;
}

export interface CrawlReport {
  posts: number;
  removed: number;
  acts: Record<string, number>;
  /** Requests during the removals, and after them. */
  reads: number;
  crawled: number;
  wrong: string[];
}

/**
 * Removes posts with pictures, quotes, collections and tokens through both of two processes, by id, list, author and
 * key, while readers ask both for everything. A minute after the last removal no public answer, file or document may
 * hold a word of them, no earlier answer may be confirmed by its tag, and every other post must be there.
 */
export async function runRemovalCrawl(options: {
  posts: number;
  removals: number;
  seed: number;
  onStep?: (line: string) => void;
}): Promise<CrawlReport> {
  const admin = new TestWallet();
  const stage = await Stage.open({
    posts: 0,
    solana: { slotMs: 100 },
    // One public address for both, as behind a proxy, so that a session is valid at both.
    env: { WEB_DIR: join(ROOT, 'apps/web/dist'), ADMIN_WALLETS: admin.address, PUBLIC_URL },
  });
  let second: ApiProcess | undefined;
  try {
    const { product } = stage;
    const ground = { mongodbUri: product.mongo.uri, dataDir: product.folder, env: product.env };
    second = await startApi({ ...ground, port: await freePort() });
    return await new Crawl(stage, [product.url, second.url], admin, options).run();
  } finally {
    await second?.stop();
    await stage.close();
  }
}

class Crawl {
  readonly #stage: Stage;
  readonly #urls: string[];
  readonly #admin: TestWallet;
  readonly #removals: number;
  readonly #count: number;
  readonly #random: () => number;
  readonly #say: (line: string) => void;
  readonly #report: CrawlReport = { posts: 0, removed: 0, acts: {}, reads: 0, crawled: 0, wrong: [] };
  readonly #posts: Written[] = [];
  readonly #gone = new Set<Written>();
  /** The tag of an answer that held a post, and that post; by address. */
  readonly #tags = new Map<string, { tag: string; post: Written }>();
  #key = { id: '', key: '' };
  #collection = '';
  #token = '';

  constructor(
    stage: Stage,
    urls: string[],
    admin: TestWallet,
    { posts, removals, seed, onStep = () => {} }: Parameters<typeof runRemovalCrawl>[0],
  ) {
    this.#stage = stage;
    this.#urls = urls;
    this.#admin = admin;
    this.#count = posts;
    this.#removals = removals;
    this.#random = seeded(seed);
    this.#say = onStep;
  }

  async run(): Promise<CrawlReport> {
    await this.#write();
    this.#say(`${this.#posts.length} posts are there`);
    let isOver = false;
    const reading = Promise.all(Array.from({ length: READERS }, () => this.#read(() => isOver)));
    await this.#removeAll();
    this.#say(`${this.#gone.size} posts are removed`);
    await delay(FORGOTTEN_MS);
    isOver = true;
    await reading;
    await this.#crawl();
    await this.#searchFiles();
    await this.#searchDocuments();
    await this.#findOthers();
    return { ...this.#report, posts: this.#posts.length, removed: this.#gone.size };
  }

  async #write(): Promise<void> {
    const { product } = this.#stage;
    const folder = join(product.folder, 'to-import');
    await mkdir(folder);
    const posts = await Promise.all(Array.from({ length: this.#count }, (_, at) => this.#newPost(at, folder)));
    const file = join(product.folder, 'to-import.ndjson');
    await writeFile(file, posts.map((post) => JSON.stringify(post)).join('\n'));
    await product.command('import', file, '--media', folder);
    await this.#writeByKey();
    await this.#untilShown();
    this.#token = (await this.#admin.signIn({ url: product.url })).token;
    await this.#collect();
    await this.#launch();
  }

  async #newPost(at: number, folder: string): Promise<object> {
    const [key, mark] = [`k${this.#letters()}`, `m${this.#letters()}`];
    const bytes = at % PICTURED === 0 ? await aPicture({ width: 320, height: 200 }) : null;
    const picture = bytes && createHash('sha256').update(bytes).digest('hex');
    if (bytes) await writeFile(join(folder, `${picture}.jpg`), bytes);
    const handle = `author${Math.floor(at / BY_AUTHOR)}`;
    const quoted = at % QUOTING === 0 && at > 0 ? (this.#posts[at - 1] as Written) : null;
    const id = String(10n ** 17n + BigInt(at));
    this.#posts.push({ id, key, mark, handle, picture });
    return {
      id,
      content: `${key} and ${mark} of an evening`,
      author: `Author ${Math.floor(at / BY_AUTHOR)}`,
      authorUsername: handle,
      timestamp: new Date(Date.now() - at * 3_600_000).toISOString(),
      url: `https://x.com/${handle}/status/${id}`,
      ...(picture && {
        media: [{ type: 'image', sha256: picture, alt: `a picture of ${mark}`, width: 320, height: 200 }],
      }),
      ...(quoted && {
        quoted: {
          platform: 'x',
          id: quoted.id,
          url: `https://x.com/${quoted.handle}/status/${quoted.id}`,
          state: 'unknown',
        },
      }),
    };
  }

  #letters(): string {
    return Array.from({ length: 12 }, () => String.fromCharCode(97 + Math.floor(this.#random() * 26))).join('');
  }

  /** Writes the posts of a key, all of which are removed by that key later. */
  async #writeByKey(): Promise<void> {
    const { product } = this.#stage;
    const key = (await product.command('keys', 'create', 'crawl')).trim().split('\n').at(-1) as string;
    const folder = join(product.folder, 'to-import');
    const from = this.#posts.length;
    const posts = await Promise.all(
      Array.from({ length: Math.ceil(this.#removals / 8) }, (_, at) => this.#newPost(from + at, folder)),
    );
    const plain = posts.map((post) => ({ ...post, media: [] }));
    const { status } = await call({ url: product.url }, 'POST', ENDPOINTS.ingestArchives.path, key, { posts: plain });
    if (status !== 201) throw new Error(`the key's posts were answered ${status}`);
    const listed = await this.#stage.database.db.collection('agent_keys').findOne({ name: 'crawl' });
    this.#key = { id: String(listed?._id), key };
    for (const post of this.#posts.slice(from)) post.picture = null;
  }

  async #untilShown(): Promise<void> {
    for (const url of this.#urls) {
      for (const deadline = performance.now() + 120_000; performance.now() < deadline; await delay(200)) {
        const { body } = await call({ url }, 'GET', `${ENDPOINTS.listArchives.path}?limit=1`);
        if (body?.pagination?.total === this.#posts.length) break;
      }
    }
    const kept = this.#stage.database.db.collection<{ id: string }>('posts').find({}, { projection: { id: 1 } });
    const ids = new Map<string, string>();
    for await (const { _id, id } of kept) ids.set(id, _id.toHexString());
    for (const post of this.#posts) post._id = ids.get(post.id) as string;
  }

  /** Makes a public collection of posts. */
  async #collect(): Promise<void> {
    const served = { url: this.#urls[0] as string };
    const made = await call(served, 'POST', ENDPOINTS.createCollection.path, this.#token, {
      name: 'All',
      isPublic: true,
    });
    this.#collection = String(made.body?._id);
    for (const { _id } of this.#posts.slice(0, 100)) {
      const path = ENDPOINTS.addToCollection.path.replace(':collection', this.#collection).replace(':id', String(_id));
      await call(served, 'PUT', path, this.#token);
      await call(served, 'POST', ENDPOINTS.addReaction.path.replace(':id', String(_id)), this.#token, {
        reactionType: 'heart',
      });
    }
  }

  async #launch(): Promise<void> {
    const launcher = await Launcher.open({ url: this.#urls[0] as string });
    for (const [at, post] of this.#posts.slice(0, LAUNCHED).entries()) {
      const { status, body } = await launcher.launch({
        amberId: String(post._id),
        name: `Token ${at}`,
        symbol: `T${at}`,
      });
      if (status >= 300) throw new Error(`a launch was answered ${status} ${JSON.stringify(body)}`);
      post.mint = body.mint;
    }
  }

  /** Addresses for a reader who knows a post. An answer holds the post's mark only while the post exists. */
  #addresses({ id, _id, key, handle, picture, mint }: Written): string[] {
    const link = encodeURIComponent(`${PUBLIC_URL}/post/${_id}`);
    const list = ENDPOINTS.listArchives.path;
    return [
      `${list}/${_id}`,
      `${list}/${id}/thread`,
      `${list}/${_id}/neighbours`,
      `${list}?search=${key}`,
      `${list}?q=${key}`,
      `${list}?handle=${handle}&limit=100`,
      `${list}/export?format=ndjson&search=${key}`,
      `${ENDPOINTS.suggest.path}?q=${key.slice(0, 4)}`,
      `${ENDPOINTS.getAuthor.path.replace(':handle', handle)}`,
      `${ENDPOINTS.launchInfo.path.replace(':id', String(_id))}`,
      `${ENDPOINTS.checkToken.path.replace(':id', String(_id))}`,
      `/post/${_id}`,
      `/author/${handle}`,
      `/?search=${key}`,
      `/feed.atom?search=${key}`,
      `/feed.rss?handle=${handle}`,
      `/feed.json?search=${key}`,
      `/embed/${_id}`,
      `/oembed?url=${link}`,
      `/share/${_id}`,
      ...(picture ? [`/media/${picture}`, `/media/${picture}/preview`] : []),
      ...(mint ? [ENDPOINTS.tokenMetadata.path.replace(':mint', mint)] : []),
    ];
  }

  /** Addresses that do not depend on a post. */
  get #general(): string[] {
    const list = ENDPOINTS.listArchives.path;
    return [
      `${list}?limit=1000`,
      `${list}?limit=1000&sortBy=saved`,
      `${list}?limit=1000&sortBy=content&sortOrder=asc`,
      `${list}?split=featured`,
      ENDPOINTS.analytics.path,
      ENDPOINTS.explore.path,
      `${ENDPOINTS.random.path}`,
      ENDPOINTS.timeline.path,
      '/',
      '/explore',
      '/feed.atom',
      '/feed.rss',
      '/feed.json',
      '/sitemap.xml',
      '/llms.txt',
      `${ENDPOINTS.getCollection.path.replace(':collection', this.#collection)}?limit=100`,
      `/collection/${this.#collection}`,
      `/feed.atom?collection=${this.#collection}`,
      `${list}/export?format=csv`,
      `${list}/export?format=json`,
      `${list}/export?format=ndjson`,
    ];
  }

  async #read(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const post = pick(this.#posts, this.#random);
      const path = this.#random() < 0.3 ? pick(this.#general, this.#random) : pick(this.#addresses(post), this.#random);
      const address = `${pick(this.#urls, this.#random)}${path}`;
      // An export may break off, and a removed post may be refused.
      const answer = await fetch(address).catch(() => null);
      const text = (await answer?.text().catch(() => '')) ?? '';
      this.#report.reads++;
      const tag = answer?.headers.get('etag');
      if (tag && text.includes(post.mark)) this.#tags.set(address, { tag, post });
    }
  }

  async #removeAll(): Promise<void> {
    const left = () => this.#posts.slice(0, this.#count).filter((post) => !this.#gone.has(post));
    await this.#remove('key', { key: this.#key.id }, this.#posts.slice(this.#count));
    // First the posts with tokens, then random ones.
    for (const post of this.#posts.slice(0, LAUNCHED / 2)) await this.#remove('post', { posts: [post.id] }, [post]);
    while (this.#gone.size < this.#removals) {
      const act = this.#random();
      const post = pick(left(), this.#random);
      if (act < 0.1) {
        const same = left().filter(({ handle }) => handle === post.handle);
        await this.#remove('author', { author: post.handle.toUpperCase() }, same);
      } else if (act < 0.25) {
        const several = [...new Set(Array.from({ length: 6 }, () => pick(left(), this.#random)))];
        await this.#remove(
          'list',
          { posts: several.map(({ id, _id }) => (this.#random() < 0.5 ? id : String(_id))) },
          several,
        );
      } else await this.#remove('post', { posts: [post.id] }, [post]);
      await delay(this.#random() * PAUSE_MS);
    }
  }

  async #remove(act: string, selection: RemovalSelection, posts: readonly Written[]): Promise<void> {
    const served = { url: pick(this.#urls, this.#random) };
    const preview = await call(served, 'POST', ENDPOINTS.previewRemoval.path, this.#token, { selection });
    const { count } = preview.body ?? {};
    if (count !== posts.length) this.#report.wrong.push(`removing by ${act} would take ${count} of ${posts.length}`);
    const { status, body } = await call(served, 'POST', ENDPOINTS.removePosts.path, this.#token, { selection, count });
    if (status >= 300) throw new Error(`removing by ${act} was answered ${status} ${JSON.stringify(body)}`);
    for (const post of posts) this.#gone.add(post);
    this.#report.acts[act] = (this.#report.acts[act] ?? 0) + 1;
  }

  async #crawl(): Promise<void> {
    for (const url of this.#urls) {
      for (const path of this.#general) this.#judge(`${url}${path}`, await textOf(`${url}${path}`));
      for (const path of await partsOf(url)) this.#judge(path, await textOf(path));
      for (const post of this.#gone) {
        for (const path of this.#addresses(post)) {
          const { status, text } = await answerOf(`${url}${path}`);
          this.#judge(`${url}${path}`, text);
          const isOwn = [`/post/${post._id}`, `${ENDPOINTS.listArchives.path}/${post._id}`].includes(path);
          if (isOwn && status !== 410) this.#report.wrong.push(`${path} is answered ${status}`);
          if (path.startsWith('/media/') && status < 400) this.#report.wrong.push(`${path} is still served`);
          if (path.startsWith('/share/') && status < 400) this.#report.wrong.push(`${path} is still drawn`);
        }
      }
      await this.#askAsProgram(url);
    }
    for (const [address, { tag, post }] of this.#tags) {
      if (!this.#gone.has(post)) continue;
      const { status } = await fetch(address, { headers: { 'If-None-Match': tag } });
      if (status === 304) this.#report.wrong.push(`${address} confirms what it said before`);
    }
  }

  async #askAsProgram(url: string): Promise<void> {
    const client = new Client({ name: 'crawl', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    for (const { key, _id } of this.#gone) {
      for (const [name, values] of [
        ['search_posts', { q: key }],
        ['get_post', { id: String(_id) }],
      ] as const) {
        const told = await client
          .callTool({ name, arguments: values })
          .catch((error: Error) => ({ error: error.message }));
        this.#judge(`${url}/mcp ${name}`, JSON.stringify(told));
      }
    }
    await client.close();
  }

  #judge(place: string, text: string): void {
    this.#report.crawled++;
    for (const { mark } of this.#gone) if (text.includes(mark)) this.#report.wrong.push(`${place} says ${mark}`);
  }

  /** Searches the bytes of all files that the product keeps beside the database, except those of this trial. */
  async #searchFiles(): Promise<void> {
    const { folder } = this.#stage.product;
    const pictures = [...this.#gone].flatMap(({ picture }) => picture ?? []);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
      if (!entry.isFile() || /^(?:mongo|solana)\/|^to-import/.test(path)) continue;
      if (pictures.some((picture) => path.includes(picture))) this.#report.wrong.push(`${path} is still there`);
      this.#judge(path, (await readFile(join(folder, path))).toString('latin1'));
    }
  }

  async #searchDocuments(): Promise<void> {
    const { db } = this.#stage.database;
    for (const { name } of await db.listCollections().toArray()) {
      const documents = await db.collection(name).find().toArray();
      for (let at = 0; at < documents.length; at += BATCH) {
        const text = documents.slice(at, at + BATCH).map((one) => Buffer.from(BSON.serialize(one)).toString('latin1'));
        this.#judge(`the collection ${name}`, text.join('\n'));
      }
    }
  }

  async #findOthers(): Promise<void> {
    for (const url of this.#urls) {
      const text = await textOf(`${url}${ENDPOINTS.exportArchives.path}?format=ndjson`);
      const innocent = this.#posts.filter((post) => !this.#gone.has(post));
      for (const { mark, id } of innocent) {
        if (!text.includes(mark)) this.#report.wrong.push(`${id} was not removed and is not there`);
      }
      const lines = text.trim().split('\n').length;
      if (lines !== innocent.length) this.#report.wrong.push(`${lines} posts are left of ${innocent.length}`);
    }
  }
}

async function answerOf(address: string): Promise<{ status: number; text: string }> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(address);
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    // An address gets one export at a time.
    if (answer.status !== 429 || tries > 50) return { status: answer.status, text };
    await delay(200);
  }
}

async function textOf(address: string): Promise<string> {
  const { status, text } = await answerOf(address);
  if (status >= 400) throw new Error(`${address} is answered ${status}`);
  return text;
}

/** The parts of the sitemap. */
async function partsOf(url: string): Promise<string[]> {
  const map = await textOf(`${url}/sitemap.xml`);
  return [...map.matchAll(/<loc>[^<]*(\/sitemap\/[^<]*)<\/loc>/g)].map(([, path]) => `${url}${path}`);
}
