import { statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArchiveFilter, ArchiveSort } from '@archive/contracts';
import {
  type ArchiveIndex,
  type IndexPosition,
  type IndexReport,
  NoRoomError,
  type Questions,
  type RebuildSource,
  type Summary,
  type Turns,
} from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { checkIndex } from './check-index.ts';
import { building, bytesOf, putInPlace, removeFile } from './files.ts';
import type { Asked, WorkerOptions } from './messages.ts';
import { Thread } from './thread.ts';

/** Room for a new file and, while its largest index is made, for its log. */
const ROOM = 1.25;
/** Batches that a build reads ahead of what it writes, if no question came for so long. */
const BATCHES_AHEAD = 16;
const UNASKED_MS = 1_000;

interface IndexOptions<Asker> {
  /** The index file of this process. */
  path: string;
  /** Of the archive it is derived from: the file of another one is made again. */
  epoch: string;
  /** The built worker script. */
  worker: URL | string;
  /** Decides whose question is answered next. */
  turns<Worker>(workers: readonly Worker[]): Turns<Worker, Asker>;
  /** Bytes that are free on the disk of a folder. */
  free?: (folder: string) => Promise<number>;
  rest?: (ms: number) => Promise<unknown>;
}

/** Opens the index file of this process, made again where it cannot be trusted. */
export async function openIndex<Asker>(options: IndexOptions<Asker>): Promise<ArchiveIndex<Asker>> {
  const index = new IndexThreads(options);
  await index.start();
  return index;
}

/**
 * The index behind threads: one writes the file, and as many as there are cores but one read it, so that neither a batch
 * nor a long count keeps a request waiting on the event loop. An export has a thread of its own. A thread has one file all
 * its life: the library lets go of a file for certain only when the thread ends that has opened it.
 */
class IndexThreads<Asker> implements ArchiveIndex<Asker> {
  readonly isShared = false;
  readonly isOutdated = false;
  readonly refused = 0;
  readonly trouble = null;
  readonly #options: IndexOptions<Asker>;
  #writer: Promise<Thread> | null = null;
  readonly #readers: Reader[] = Array.from({ length: Math.max(1, availableParallelism() - 1) }, () => ({}) as Reader);
  readonly #questions: Turns<Reader, Asker>;
  readonly failure: Promise<never>;
  #fail: (error: Error) => void = () => {};
  version = 0;
  /** Questions that wait or are being answered. */
  #asked = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The builder once it holds all posts: from then on it takes in changes too. */
  #next: Thread | null = null;
  /** While one file takes the place of the other, nothing is written, and no thread opens either. */
  #replacing: Promise<unknown> = Promise.resolve();
  #opening: Promise<unknown> = Promise.resolve();

  constructor(options: IndexOptions<Asker>) {
    this.#options = options;
    this.#questions = options.turns(this.#readers);
    this.failure = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Only some listen.
    this.failure.catch(() => {});
  }

  async start(): Promise<void> {
    // The writer first: it makes or replaces the file.
    await this.#writing();
    await this.#startReaders();
  }

  async ask<N extends keyof Questions>(
    name: N,
    asked: Questions[N]['asked'],
    asker: Asker,
    onAhead?: (oids: Uint8Array[]) => void,
  ): Promise<Questions[N]['answer']> {
    const question = ({ thread }: Reader) => thread.ask(name, { ...asked, version: this.version } as Asked<N>, onAhead);
    // The API itself walks all the time: that keeps no build waiting.
    if (name === 'walk') return this.#questions.ask(question, asker);
    this.#asked++;
    this.#askedAt = performance.now();
    try {
      // The queue throws before it returns a promise where the caller has left.
      return await this.#questions.ask(question, asker);
    } finally {
      this.#asked--;
    }
  }

  async *export(filter: ArchiveFilter, sort: ArchiveSort, now: number): AsyncGenerator<Uint8Array[]> {
    await this.#replacing.catch(() => {});
    const starting = this.#start('exporter', { filter, sort, now });
    this.#opening = Promise.allSettled([this.#opening, starting]);
    const thread = await starting;
    try {
      // One chunk is read ahead, and no more: a slow reader fills no memory.
      for (let next = thread.call('chunk', null); ; ) {
        const chunk = await next;
        if (chunk.length === 0) return;
        next = thread.call('chunk', null);
        // It may fail after the reader has left.
        next.catch(() => {});
        yield chunk;
      }
    } finally {
      await thread.end();
    }
  }

  async summary(): Promise<Summary> {
    return (await this.#writing()).call('summary', null);
  }

  async apply(posts: IndexedPost[], position: IndexPosition | null): Promise<number> {
    const writer = await this.#writing();
    const next = this.#next;
    const [{ changed }] = await Promise.all([
      writer.call('apply', { posts, position }),
      // What cannot be taken into the next file ends its building, and nothing else.
      next?.call('apply', { posts, position: null }).catch((error) => next.end(error)),
    ]);
    if (changed > 0) this.version++;
    return changed;
  }

  mend(posts: IndexedPost[]): Promise<number> {
    return this.apply(posts, null);
  }

  async rebuild({ posts, count, catchUp }: RebuildSource): Promise<void> {
    const { path, rest = delay } = this.#options;
    await this.#lookForRoom(count);
    const builder = await this.#start('builder');
    const take = (some: IndexedPost[]) => builder.call('apply', { posts: some, position: null });
    try {
      const writing: Promise<unknown>[] = [];
      let startedAt = performance.now();
      // Some batches are written while the next are read.
      for await (const batch of posts) {
        const isAsked = this.#asked > 0 || performance.now() - this.#askedAt < UNASKED_MS;
        while (writing.length >= (isAsked ? 1 : BATCHES_AHEAD)) await writing.shift();
        // Leaves half of the time to questions that wait: nothing is written meanwhile.
        if (this.#asked > 0) await rest(performance.now() - startedAt);
        startedAt = performance.now();
        const one = take(batch);
        // A failure surfaces when it is awaited; until then it must not count as unhandled.
        one.catch(() => {});
        writing.push(one);
      }
      await Promise.all(writing);
      await builder.call('finishBuild', null);
      this.#next = builder;
      const position = await catchUp(take);
      this.#replacing = this.#replace(builder, position);
      await this.#replacing;
    } finally {
      this.#next = null;
      this.#replacing = Promise.resolve();
      await builder.end();
      // In its place by now, or given up.
      removeFile(building(path));
    }
  }

  async tidy(): Promise<void> {
    // Each start removes it.
  }

  /** A first file is built in any case: nothing can be answered without it. */
  async #lookForRoom(count: number): Promise<void> {
    const { path, free = freeBytes } = this.#options;
    const { posts, position } = await this.summary();
    if (!position) return;
    const needed = bytesOf(path) * Math.max(1, count / Math.max(1, posts)) * ROOM;
    const room = await free(dirname(path));
    if (room < needed) throw new NoRoomError({ needed, free: room });
  }

  async #replace(builder: Thread, position: IndexPosition): Promise<void> {
    const writer = await this.#writer;
    await builder.call('apply', { posts: [], position });
    await builder.call('close', null);
    await builder.end();
    // What it was given before is written by then.
    await writer?.call('summary', null);
    await writer?.end();
    this.#writer = null;
    await this.#opening;
    try {
      putInPlace(this.#options.path);
      await this.#startWriter();
    } finally {
      await this.#startReaders();
      this.version++;
    }
  }

  /** The writer, started again where it could not open the file: a full disk may have room by now. */
  async #writing(): Promise<Thread> {
    await this.#replacing.catch(() => {});
    return this.#startWriter();
  }

  #startWriter(): Promise<Thread> {
    this.#writer ??= this.#start('writer').catch((error) => {
      this.#writer = null;
      throw error;
    });
    return this.#writer;
  }

  async #startReaders(): Promise<void> {
    const threads = await Promise.all(this.#readers.map(() => this.#start('reader'))).catch((error) => {
      // Those of before would go on with a file that takes in nothing any more.
      this.#fail(error);
      throw error;
    });
    for (const [at, reader] of this.#readers.entries()) {
      reader.thread?.endAfterAll();
      reader.thread = threads[at] as Thread;
    }
  }

  async #start(role: WorkerOptions['role'], question?: WorkerOptions['question']): Promise<Thread> {
    const { worker, path, epoch } = this.#options;
    const thread = await Thread.start(worker, { role, path, epoch, ...(question && { question }) });
    if (role === 'writer' || role === 'reader') thread.failure.catch(this.#fail);
    return thread;
  }

  check(posts: AsyncIterable<IndexedPost>, onProgress?: (done: number) => void): Promise<IndexReport> {
    return checkIndex(this.#options.path, posts, onProgress);
  }

  async close(): Promise<void> {
    const writer = await this.#writing();
    try {
      await writer.call('close', null);
    } finally {
      // Also where the file is torn, and the writer has ended already.
      await Promise.all([writer, ...this.#readers.map(({ thread }) => thread)].map((thread) => thread.end()));
    }
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** A place in the queue: another thread takes it with each new file, and questions under way go on with the one before. */
interface Reader {
  thread: Thread;
}
