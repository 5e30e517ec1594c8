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

/** Free space that a build needs, as a factor of the estimated size of the new file. */
const ROOM = 1.1;
/** Batches that a build reads ahead of the writer, if no question has come for `UNASKED_MS`. */
const BATCHES_AHEAD = 16;
const UNASKED_MS = 1_000;

interface IndexOptions<Asker> {
  /** The index file of this process. */
  path: string;
  /** Id of the archive that the file is derived from. A file of another archive is replaced. */
  epoch: string;
  /** The built worker script. */
  worker: URL | string;
  /** Makes the queue that decides which question a worker answers next. */
  turns<Worker>(workers: readonly Worker[]): Turns<Worker, Asker>;
  /** Returns the free bytes on the disk of a folder. */
  free?: (folder: string) => Promise<number>;
  rest?: (ms: number) => Promise<unknown>;
}

/** Opens the index file of this process. Replaces a file that cannot be trusted by an empty one. */
export async function openIndex<Asker>(options: IndexOptions<Asker>): Promise<ArchiveIndex<Asker>> {
  const index = new IndexThreads(options);
  await index.start();
  return index;
}

/**
 * The index in worker threads. One thread writes the file; as many readers as there are cores, less one, answer
 * questions. So neither a batch nor a long count blocks the event loop. An export has its own thread. A thread uses one
 * file for its whole life, because the library reliably releases a file only when the thread ends.
 */
class IndexThreads<Asker> implements ArchiveIndex<Asker> {
  readonly isShared = false;
  /** Ranks keep the order of time, and a post after all others finds its rank at once. */
  readonly buildOrder = 'asc';
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
  /** Number of questions that wait or are being answered. */
  #asked = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The builder thread once it holds all posts. From then on it receives changes too. */
  #next: Thread | null = null;
  /** Pending during a swap of the files. Meanwhile no thread writes and no thread opens a file. */
  #replacing: Promise<unknown> = Promise.resolve();
  #opening: Promise<unknown> = Promise.resolve();

  constructor(options: IndexOptions<Asker>) {
    this.#options = options;
    this.#questions = options.turns(this.#readers);
    this.failure = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Not every caller listens; an unheard rejection must not end the process.
    this.failure.catch(() => {});
  }

  async start(): Promise<void> {
    // The writer starts first, because it makes or replaces the file.
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
    // The server itself asks `walk` all the time. Such questions must not slow a build.
    if (name === 'walk') return this.#questions.ask(question, asker);
    this.#asked++;
    this.#askedAt = performance.now();
    try {
      // The queue throws synchronously if the caller has left.
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
      // Only one chunk is read ahead, so that a slow client fills no memory.
      for (let next = thread.call('chunk', null); ; ) {
        const chunk = await next;
        if (chunk.length === 0) return;
        next = thread.call('chunk', null);
        // The call may fail after the client has left.
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
      // If the new file refuses a batch, only its build fails.
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
      // The builder writes some batches while the next ones are read.
      for await (const batch of posts) {
        const isAsked = this.#asked > 0 || performance.now() - this.#askedAt < UNASKED_MS;
        while (writing.length >= (isAsked ? 1 : BATCHES_AHEAD)) await writing.shift();
        // Leaves half of the time to waiting questions: the build writes nothing meanwhile.
        if (this.#asked > 0) await rest(performance.now() - startedAt);
        startedAt = performance.now();
        const one = take(batch);
        // The error surfaces at the `await`. Until then it must not count as unhandled.
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
      // By now the file is in place, or the build has failed.
      removeFile(building(path));
    }
  }

  async tidy(): Promise<void> {
    // Each start removes the remains of a build.
  }

  /**
   * Throws `NoRoomError` if the disk is too small. A first build always runs, because without it no question can be
   * answered.
   */
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
    // The writer answers after it has written all earlier batches.
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

  /** The writer thread. It is started again if it could not open the file: a full disk may have room by now. */
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
      // Otherwise the old readers would answer from a file that receives no more changes.
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
      // Also if the file is damaged and the writer has already ended.
      await Promise.all([writer, ...this.#readers.map(({ thread }) => thread)].map((thread) => thread.end()));
    }
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** A worker of the queue. Each new file gives it a new thread; questions in progress stay with the old thread. */
interface Reader {
  thread: Thread;
}
