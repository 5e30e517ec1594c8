import { createHash } from 'node:crypto';
import { IndexAwayError, type IndexPosition } from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { type Refused, WRITE_MS, type Write, writeAll } from './bulk.ts';
import { BUILD_MS, type Cluster, QUESTION_MS } from './cluster.ts';
import { postsOf, term, terms } from './compile.ts';
import { documentOf, GONE, type HeldPost, hexOf } from './mapping.ts';
import { bucketsOf, Searcher } from './search.ts';

/** Authors per counting request. */
const AUTHORS = 1_000;
/** Attempts to count authors whom other processes count at the same time. */
const ATTEMPTS = 8;

interface Got<Source> {
  _id: string;
  /** The own name of the index. */
  _index: string;
  error?: { type: string; reason: string };
  found?: boolean;
  _source?: Source;
  _seq_no: number;
  _primary_term: number;
  _version: number;
}

/** Reads all posts of the given threads from the source. */
export type OfThreads = (threads: readonly string[]) => Promise<IndexedPost[]>;

/** Result of a write: how many posts changed, and which the cluster has refused for good. */
export interface Applied {
  changed: number;
  refused: Refused[];
}

/** A write, the authors whose posts it changes, and whether it removes words. */
interface Change {
  write: Write;
  handles: string[];
  isGone: boolean;
}

/** Writes into one index, addressed by its alias. */
export class ClusterWriter {
  readonly #cluster: Cluster;
  readonly #alias: string;
  readonly #searcher: Searcher;
  readonly #ofThreads: OfThreads;
  /** Handles of authors whose posts were written but not yet counted. */
  readonly #uncounted = new Set<string>();

  constructor(cluster: Cluster, alias: string, ofThreads: OfThreads) {
    this.#cluster = cluster;
    this.#alias = alias;
    this.#searcher = new Searcher(cluster, alias);
    this.#ofThreads = ofThreads;
  }

  /** Writes posts into the index, refreshes it, and updates the counts of their authors. */
  async apply(posts: readonly IndexedPost[]): Promise<Applied> {
    if (posts.length === 0) return { changed: 0, refused: [] };
    const changes = await this.#changesOf(posts);
    if (changes.some(({ isGone }) => isGone)) await this.#noteGone();
    const { outrun, refused } = await writeAll(
      this.#cluster,
      changes.map(({ write }) => write),
    );
    // The index is refreshed without changes too, because another process may have written the posts a moment ago. The
    // authors are noted after the refresh, because a count before it would miss the new posts.
    await this.refresh().finally(() => {
      for (const handle of changes.flatMap(({ handles }) => handles)) this.#uncounted.add(handle);
    });
    await this.#countAuthors();
    return { changed: changes.length - outrun.length - refused.length, refused };
  }

  /** Whether the index lacks the present state of any of these posts. */
  async differs(posts: readonly IndexedPost[]): Promise<boolean> {
    return (await this.#changesOf(posts)).length > 0;
  }

  /** Adds posts to an index in construction. Newer documents there stay. */
  async add(posts: readonly IndexedPost[]): Promise<Refused[]> {
    const threads = threadsOf(posts, new Map());
    const counts = countThreads(threads.length > 0 ? await this.#ofThreads(threads) : []);
    const writes = posts.flatMap((post) => (post.removed ? [] : [this.#writeOf(post, documentFor(post, counts))]));
    return (await writeAll(this.#cluster, writes)).refused;
  }

  /** Counts the posts of every author. */
  async countAllAuthors(): Promise<void> {
    for await (const authors of this.#authorsOf('post')) {
      const { outrun } = await writeAll(
        this.#cluster,
        authors.map(({ key, doc_count, since }) => ({
          index: this.#alias,
          id: authorId(key.by),
          document: { kind: 'author', by: key.by, posts: doc_count, since: (since as { value: number }).value },
          seen: null,
        })),
      );
      // Other processes counted these authors before all posts were there.
      for (const { document } of outrun) if (document.by !== undefined) this.#uncounted.add(document.by);
    }
    await this.refresh(BUILD_MS);
    await this.#countAuthors();
  }

  async setPosition({ at, beat }: IndexPosition): Promise<void> {
    // The highest position is correct for all processes: the process that wrote it has applied all earlier changes.
    const document = { kind: 'state' as const, position: at, beat };
    await this.#writeOwn('position', { id: 'state', document, version: Math.max(0, Math.floor(at)) });
  }

  /** Writes the mark of a complete index. Only a build writes it; an index without it lacks posts. */
  async markWhole(): Promise<void> {
    await this.#writeOwn('mark of a complete index', { id: 'whole', document: { kind: 'whole' } });
  }

  /** Writes a document about the index itself. A higher position stays, and so does an earlier note of removed words. */
  async #writeOwn(name: string, write: Omit<Write, 'index'>): Promise<void> {
    const { refused } = await writeAll(this.#cluster, [{ index: this.#alias, ...write }]);
    if (refused[0]) throw new Error(`the ${name} was refused: ${refused[0].reason}`);
  }

  async refresh(ms = WRITE_MS): Promise<void> {
    const { _shards } = await this.#cluster.call<{ _shards: { failed: number } }>(`POST /${this.#alias}/_refresh`, {
      member: '_shards',
      ms,
    });
    if (_shards.failed > 0) throw new IndexAwayError('away', 'a part of the index cannot be refreshed');
  }

  /**
   * Reads documents by id, also those written since the last refresh.
   * @throws IndexAwayError where one cannot be read: it is not absent.
   */
  async get<Source>(ids: readonly string[]): Promise<Got<Source>[]> {
    if (ids.length === 0) return [];
    const { docs } = await this.#cluster.call<{ docs: Got<Source>[] }>(`POST /${this.#alias}/_mget`, {
      body: { ids },
      member: 'docs',
      ms: QUESTION_MS + ids.length,
    });
    const failed = docs.find(({ error }) => error)?.error;
    if (failed) throw this.#cluster.toldOf(failed.type === 'index_not_found_exception' ? 404 : 503, failed);
    return docs;
  }

  async #held(posts: readonly IndexedPost[]): Promise<Map<string, Got<HeldPost>>> {
    const docs = await this.get<HeldPost>(posts.map(({ oid }) => hexOf(oid)));
    return new Map(docs.filter(({ found }) => found).map((document) => [document._id, document]));
  }

  /** The writes for these posts, and for others whose threads they change. */
  async #changesOf(posts: readonly IndexedPost[]): Promise<Change[]> {
    const held = await this.#held(posts);
    const threads = threadsOf(posts, held);
    const siblings = threads.length > 0 ? await this.#ofThreads(threads) : [];
    const given = new Set(posts.map(({ oid }) => hexOf(oid)));
    // For a post in both lists the given state is used; it is not older.
    const all = [...posts, ...siblings.filter(({ oid }) => !given.has(hexOf(oid)))];
    for (const [id, document] of await this.#held(siblings)) held.set(id, document);
    const counts = countThreads(siblings);
    return all.flatMap((post) => this.#changeOf(post, held.get(hexOf(post.oid)), counts));
  }

  /** The write for a post; empty if the index already holds the post's state. */
  #changeOf(post: IndexedPost, document: Got<HeldPost> | undefined, counts: Map<string, number>): Change[] {
    const held = document?._source?.kind === 'post' ? document._source : undefined;
    const version = post.changed ?? document?._version ?? 0;
    if (post.removed) {
      if (document?._source?.kind === 'gone' && document._version >= version) return [];
      const write = { index: this.#alias, id: hexOf(post.oid), document: GONE, version };
      return [{ write, handles: held?.by === undefined ? [] : [held.by], isGone: held !== undefined }];
    }
    const wanted = documentFor(post, counts);
    if (held && held.hash === wanted.hash && (held.in_thread ?? false) === wanted.in_thread) return [];
    const isCountedAlike = held && held.by === wanted.by && held.saved_at === wanted.saved_at;
    const handles = isCountedAlike ? [] : [wanted.by, ...(held?.by === undefined ? [] : [held.by])];
    const isGone = held !== undefined && held.words !== wanted.words;
    return [{ write: { ...this.#writeOf(post, wanted), version }, handles, isGone }];
  }

  #writeOf(post: IndexedPost, document: Write['document']): Write {
    return { index: this.#alias, id: hexOf(post.oid), document, version: post.changed ?? 0 };
  }

  /** Words were removed. The cluster's files may hold them until another index replaces this one. */
  async #noteGone(): Promise<void> {
    const document = { kind: 'state' as const, gone_since: Date.now() };
    await this.#writeOwn('note of removed words', { id: 'gone', document, seen: null });
  }

  /** Writes each author's count only if no other process has written it meanwhile. */
  async #countAuthors(): Promise<void> {
    // If many processes count an author at once, that author may be left to the next call.
    for (let attempt = 0; this.#uncounted.size > 0 && attempt < ATTEMPTS; attempt++) {
      const left = [...this.#uncounted];
      for (let from = 0; from < left.length; from += AUTHORS) {
        const some = left.slice(from, from + AUTHORS);
        // Removed before the count: a write during the count adds the author again.
        for (const handle of some) this.#uncounted.delete(handle);
        const again = await this.#countSome(some).catch((error) => {
          for (const handle of some) this.#uncounted.add(handle);
          throw error;
        });
        for (const handle of again) this.#uncounted.add(handle);
      }
      await this.refresh();
    }
  }

  /**
   * Counts the posts of every author while other processes may write. This repairs what a killed process left
   * uncounted.
   */
  async recountAuthors(): Promise<void> {
    for (const kind of ['post', 'author']) {
      for await (const authors of this.#authorsOf(kind)) {
        for (const { key } of authors) this.#uncounted.add(key.by);
        await this.#countAuthors();
      }
    }
  }

  /** The authors of all documents of a kind, in batches. */
  async *#authorsOf(kind: string) {
    for (let after: object | undefined, isLast = false; !isLast; ) {
      const source = { size: AUTHORS, sources: [{ by: { terms: { field: 'by' } } }], ...(after && { after }) };
      const query = { bool: { filter: [term('kind', kind)] } };
      const aggs = { authors: { composite: source, aggs: SINCE } };
      const buckets = bucketsOf<{ by: string }>(await this.#searcher.one({ query, aggs }, 120_000), 'authors');
      yield buckets;
      after = buckets.at(-1)?.key;
      isLast = buckets.length < AUTHORS;
    }
  }

  /** Returns the authors whose count another process has written meanwhile. */
  async #countSome(handles: readonly string[]): Promise<string[]> {
    const byId = new Map(handles.map((handle) => [authorId(handle), handle]));
    const seen = await this.get<{ posts: number; since: number }>([...byId.keys()]);
    const found = await this.#searcher.one({
      query: postsOf([], [terms('by', handles)]),
      aggs: { authors: { terms: { field: 'by', size: handles.length }, aggs: SINCE } },
    });
    const counted = new Map(
      bucketsOf<string>(found, 'authors').map(({ key, doc_count, since }) => [
        key,
        { posts: doc_count, since: (since as { value: number }).value },
      ]),
    );
    const writes = seen.flatMap(({ _id, found: isHeld, _source, _seq_no, _primary_term }): Write[] => {
      const by = byId.get(_id) as string;
      const count = counted.get(by);
      if (count && _source && count.posts === _source.posts && count.since === _source.since) return [];
      if (!count && !isHeld) return [];
      // An author without posts keeps a tombstone that no search finds, so that an older count cannot return.
      const document = count ? { kind: 'author' as const, by, ...count } : GONE;
      return [{ index: this.#alias, id: _id, document, seen: isHeld ? { _seq_no, _primary_term } : null }];
    });
    const { outrun } = await writeAll(this.#cluster, writes);
    return outrun.map(({ id }) => byId.get(id) as string);
  }
}

const SINCE = { since: { min: { field: 'saved_at' } } };

/** Document id of an author: a hash, because a handle may be longer than an id may be. */
export function authorId(handle: string): string {
  return `by-${createHash('sha1').update(handle).digest('base64url')}`;
}

/** The present and former threads of posts. */
function threadsOf(posts: readonly IndexedPost[], held: Map<string, Got<HeldPost>>): string[] {
  const threads = posts.flatMap(({ oid, thread }) => [thread, held.get(hexOf(oid))?._source?.thread]);
  return [...new Set(threads.filter((thread): thread is string => typeof thread === 'string'))];
}

function countThreads(posts: readonly IndexedPost[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { thread } of posts) if (thread !== null) counts.set(thread, (counts.get(thread) ?? 0) + 1);
  return counts;
}

function documentFor(post: IndexedPost, threads: Map<string, number>) {
  const isInThread = post.thread !== null && (threads.get(post.thread) ?? 0) > 1;
  return Object.assign(documentOf(post), { in_thread: isInThread });
}
