import { setTimeout as delay } from 'node:timers/promises';
import type { ArchiveFilter, ArchiveSort } from '@archive/contracts';
import {
  type ArchiveIndex,
  IndexAwayError,
  type IndexPosition,
  type IndexReport,
  type ListAnswer,
  type ListQuestion,
  type Questions,
  type RebuildSource,
  type Summary,
  type Turns,
} from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';
import * as answers from './answers.ts';
import type { Refused } from './bulk.ts';
import { checkIndex } from './check-index.ts';
import { BUILD_MS, Cluster, type ClusterOptions, foreign, NO_INDEX, QUESTION_MS } from './cluster.ts';
import { postsOf } from './compile.ts';
import { hexOf, indexBody, MERGE_LATE, SCHEMA_VERSION } from './mapping.ts';
import { metricOf, Searcher } from './search.ts';
import { ClusterWriter, type OfThreads } from './writer.ts';

/** Questions in progress at once, per process. */
const CONNECTIONS = 8;
/** Posts per write of a build, and writes in progress at once. */
const BUILT_AT_ONCE = 1_000;
const WRITES = 4;
/** A build pauses as long as it has worked, unless no question has come for this time. */
const UNASKED_MS = 1_000;
const MERGE_MS = 3_600_000;
/**
 * Longest wait for the replicas of a new index. After `STILL_LOOKS` looks, one a second, without a replica in
 * preparation, the cluster has too few nodes.
 */
const COPY_MS = 3_600_000;
const STILL_LOOKS = 10;
/** Interval of the cluster's health checks. */
const WATCH_MS = 5_000;
/** A shard that has had no copy for this time, while none is in recovery, is lost. */
const LOST_AFTER_MS = 60_000;
/**
 * A count may be lower by this number (plus `LOST_SHARE`) before posts count as lost: other processes may have removed
 * posts.
 */
const LOST_POSTS = 100;
const LOST_SHARE = 0.005;
const DIFFERENCE_MS = 10_000;
/** How long the old index stays after a swap: questions in progress still use it. */
const LEFT_MS = 2_000;
const LEAST_VERSION = [2, 19] as const;

export interface ClusterIndexOptions<Asker> extends ClusterOptions {
  /** First part of the name of every index. */
  name: string;
  shards: number;
  replicas: number;
  epoch: string;
  turns<Worker>(workers: readonly Worker[]): Turns<Worker, Asker>;
  /** Aborted when the caller has left. */
  signalOf(asker: Asker): AbortSignal | undefined;
  contentsOf: answers.ContentsOf;
  ofThreads: OfThreads;
  /** Called with the id of each document that the cluster refuses for good. */
  onRefused(id: string, reason: string): void;
}

/** Deletes every index of this name, of any archive. Returns how many. */
export async function dropIndexes({ name, ...options }: ClusterOptions & { name: string }): Promise<number> {
  const cluster = new Cluster(options);
  try {
    const indexes = Object.keys(await aliasesOf(cluster, name));
    for (const index of indexes) await deleteIndex(cluster, index);
    return indexes.length;
  } finally {
    await cluster.close();
  }
}

/** Every index of this name, with its aliases. */
async function aliasesOf(cluster: Cluster, name: string, ms?: number): Promise<Record<string, Record<string, object>>> {
  const found = await cluster.call<Record<string, { aliases: Record<string, object> }>>(`GET /${name}-posts-*/_alias`, {
    ms,
  });
  return Object.fromEntries(
    Object.entries(found ?? {}).map(([index, held]) => {
      if (!held?.aliases) throw foreign();
      return [index, held.aliases];
    }),
  );
}

async function deleteIndex(cluster: Cluster, index: string): Promise<void> {
  await cluster.call(`DELETE /${index}`, { allowed: 404, member: 'acknowledged', ms: BUILD_MS });
}

type Answers = {
  [N in keyof Questions]: (
    searcher: Searcher,
    asked: Questions[N]['asked'],
    contentsOf: answers.ContentsOf,
  ) => Promise<Questions[N]['answer']>;
};

/**
 * The archive's index on a cluster that many processes share. The cluster need not be reachable at the start. A post is
 * written under the version of its last change, so any process may write at any time. The current index has the
 * archive's name as its alias; an index in construction has this name, `-next-` and the schema number.
 */
export class ClusterIndex<Asker> implements ArchiveIndex<Asker> {
  readonly isShared = true;
  /**
   * A shard passes its posts mostly in the order of their writing. With the newest first, it soon holds the first page,
   * and compares the rest by their time alone.
   */
  readonly buildOrder = 'desc';
  readonly failure = new Promise<never>(() => {});
  readonly #options: ClusterIndexOptions<Asker>;
  readonly #cluster: Cluster;
  readonly #searcher: Searcher;
  readonly #questions: Turns<null, Asker>;
  readonly #answers: Answers = { ...answers, list: (searcher, question) => this.#list(searcher, question) };
  readonly #current: ClusterWriter;
  readonly #next: ClusterWriter;
  version = 0;
  trouble: string | null = null;
  isOutdated = false;
  /** An older release has built the index. This release writes no posts into it. */
  #isOld = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Since when a shard has had no copy and none in recovery; null if there is no such shard. */
  #redSince: number | null = null;
  /** Highest count of posts, less the posts removed since. A much lower count means that a part is lost. */
  #counted = 0;
  /** Own name of the index that answered last. Another index has other counts. */
  #asked: string | null = null;
  /** Whether the index is known to be this archive's, on a cluster of a supported version. */
  #isOurs = false;
  /** Ids of posts that the cluster has refused for good. */
  readonly #refused = new Set<string>();
  /** Sum of the authors' counts less the number of posts, and since when it has had this value. */
  #difference = { posts: 0, since: 0 };
  #recounting: Promise<void> | null = null;
  readonly #watching: NodeJS.Timeout;

  constructor(options: ClusterIndexOptions<Asker>) {
    this.#options = options;
    this.#cluster = new Cluster(options);
    this.#searcher = new Searcher(this.#cluster, options.name);
    this.#questions = options.turns(Array.from({ length: CONNECTIONS }, () => null));
    this.#current = new ClusterWriter(this.#cluster, options.name, options.ofThreads);
    this.#next = new ClusterWriter(this.#cluster, this.#nextName, options.ofThreads);
    void this.#watch();
    this.#watching = setInterval(() => void this.#watch(), WATCH_MS).unref();
  }

  async #watch(): Promise<void> {
    const nodes = this.#options.nodes.length;
    try {
      const health = await this.#cluster.call<Health | null>(`GET /_cluster/health/${this.#options.name}`, {
        query: { timeout: '1s', level: 'indices' },
        allowed: 408,
        member: 'status',
        ms: WATCH_MS,
      });
      const [asked = null] = Object.keys(health?.indices ?? {});
      this.#noteAsked(asked);
      await this.#ensureOurs();
      const isRed = health?.status === 'red' && health.initializing_shards === 0;
      this.#redSince = isRed ? (this.#redSince ?? performance.now()) : null;
      const troubles = [
        ...(health === null ? [NO_INDEX] : []),
        ...(health && health.number_of_nodes < nodes ? [`${health.number_of_nodes} of ${nodes} nodes`] : []),
        ...(health?.status === 'red' ? ['a part of the index has no copy: lists are not answered'] : []),
        ...(health?.status === 'yellow' ? ['not every part of the index has its copies'] : []),
        ...(this.#refused.size > 0 ? [`posts refused: ${this.#refused.size}`] : []),
      ];
      this.trouble = troubles.length > 0 ? troubles.join('; ') : null;
    } catch (error) {
      this.trouble = (error as Error).message;
      // An unanswered check says nothing about the shards, and time without an answer must not count.
      this.#redSince = null;
    }
  }

  /** Notes which index answered. Another process may have replaced the index. */
  #noteAsked(index: string | null): void {
    if (index === null || index === this.#asked) return;
    [this.#asked, this.#counted, this.#isOurs] = [index, 0, false];
    this.version++;
  }

  get #isLost(): boolean {
    return this.#redSince !== null && performance.now() - this.#redSince >= LOST_AFTER_MS;
  }

  /** Posts that the cluster has refused, as far as this process knows. */
  get refused(): number {
    return this.#refused.size;
  }

  /**
   * Alias of an index in construction. It contains the schema number, so servers of other releases write nothing into
   * it.
   */
  get #nextName(): string {
    return `${this.#options.name}-next-${SCHEMA_VERSION}`;
  }

  ask<N extends keyof Questions>(name: N, asked: Questions[N]['asked'], asker: Asker): Promise<Questions[N]['answer']> {
    const answer = (index: string) =>
      this.#answers[name](
        new Searcher(this.#cluster, index, this.#options.signalOf(asker)),
        asked,
        this.#options.contentsOf,
      );
    // The server itself asks `walk` all the time, to find what the index lacks. Such questions must not slow a build.
    if (name === 'walk') return this.#questions.ask(() => answer(this.#options.name), asker);
    this.#askedAt = performance.now();
    const ask = async () => {
      try {
        await this.#ensureOurs();
        // A list itself checks whether the index is complete.
        return await answer(name === 'list' ? this.#options.name : await this.#wholeIndex());
      } catch (error) {
        // Stays until the next health check, which may clear it.
        if (error instanceof IndexAwayError) this.trouble = error.message;
        throw error;
      }
    };
    return this.#questions.ask(ask, asker);
  }

  async #list(searcher: Searcher, question: ListQuestion): Promise<ListAnswer> {
    const { index, ...answer } = await answers.list(searcher, question);
    this.#noteAsked(index);
    await this.#ensureOurs();
    if (index === null || this.#hasLost(answer.stats.total)) throw lost();
    this.#counted = Math.max(this.#counted, answer.stats.total);
    return answer;
  }

  #hasLost(total: number): boolean {
    return total < this.#counted * (1 - LOST_SHARE) - LOST_POSTS;
  }

  export(filter: ArchiveFilter, sort: ArchiveSort, now: number): AsyncGenerator<Uint8Array[]> {
    const search = async () => new Searcher(this.#cluster, await this.#wholeIndex());
    return answers.exportAll(search, { filter, sort, now });
  }

  /** @throws IndexAwayError where the cluster cannot tell, or the index is another archive's. */
  async summary(): Promise<Summary> {
    const nothing: Summary = { posts: 0, position: null, goneSince: null };
    await this.#ensureOurs();
    const meta = await this.#meta();
    // Another process may have replaced the index a moment ago.
    const refusal = this.#refusalOf(meta);
    if (refusal !== null) throw new IndexAwayError('away', refusal);
    if (this.#isLost || meta?.schema !== SCHEMA_VERSION) return nothing;
    const [[posts, authors], [state, gone, whole]] = await Promise.all([
      this.#searcher.all([
        { query: postsOf([]), isCounted: true },
        { query: answers.AUTHOR, aggs: { posts: { sum: { field: 'posts' } } } },
      ]),
      this.#current.get<{ position: number; beat: number; gone_since: number }>(['state', 'gone', 'whole']),
    ]);
    const total = posts?.total ?? 0;
    this.#recount(authors ? (metricOf(authors, 'posts') ?? 0) : 0, total);
    // The count of an index that another process has replaced says nothing about this one.
    const isCut = whole?._index === this.#asked && this.#hasLost(total);
    const { position, beat } = !whole?.found || isCut ? {} : (state?._source ?? {});
    return {
      posts: total,
      position: position === undefined || beat === undefined ? null : { at: position, beat },
      goneSince: gone?._source?.gone_since ?? null,
    };
  }

  /**
   * Posts that are written but not yet counted make a short difference. A lasting difference was left by a killed
   * process, so all authors are counted again.
   */
  #recount(ofAuthors: number, total: number): void {
    const [now, posts] = [performance.now(), ofAuthors - total];
    if (posts !== this.#difference.posts) this.#difference = { posts, since: now };
    if (posts === 0 || now - this.#difference.since < DIFFERENCE_MS) return;
    this.#difference = { posts: 0, since: now };
    // Not awaited: a million authors take minutes, and looks go on meanwhile. If this fails, the difference stays.
    this.#recounting ??= this.#current
      .recountAuthors()
      .then(() => {
        this.version++;
      })
      .catch(() => {})
      .finally(() => {
        this.#recounting = null;
      });
  }

  async apply(posts: IndexedPost[], position: IndexPosition | null): Promise<number> {
    const changed = await this.#write(posts, async () => true);
    // Another process may have written the change; it is new to this process all the same.
    if (posts.length > 0 && changed === 0) this.version++;
    if (position) await this.#current.setPosition(position);
    return posts.length;
  }

  /**
   * The next index is written only if the current one lacks the state of a post. Otherwise a walk over all posts would
   * write the next index a second time. What the next index then lacks, a walk finds after the swap.
   */
  mend(posts: IndexedPost[]): Promise<number> {
    return this.#write(posts, () => this.#current.differs(posts));
  }

  async #write(posts: IndexedPost[], isForNext: () => Promise<boolean>): Promise<number> {
    await this.#ensureOurs();
    if (posts.length === 0) return 0;
    this.#counted = Math.max(0, this.#counted - posts.filter(({ removed }) => removed).length);
    const aliases = await aliasesOf(this.#cluster, this.#options.name, QUESTION_MS);
    const isNextThere = Object.values(aliases).some((names) => this.#nextName in names);
    // The next index is written first. If it becomes current meanwhile, at least one of the two writes reaches it.
    if (isNextThere && (await isForNext().catch(() => true))) {
      await this.#next.apply(posts).catch((error) => this.#giveUpNext(error));
    }
    if (this.#isOld) throw new IndexAwayError('building', NO_INDEX);
    const { changed, refused } = await this.#current.apply(posts).catch((error) => {
      throw this.#isLost ? new IndexAwayError('building', 'a part of the index is lost') : error;
    });
    for (const { oid } of posts) this.#refused.delete(hexOf(oid));
    this.#noteRefused(refused);
    if (changed > 0) this.version++;
    return changed;
  }

  #noteRefused(refused: readonly Refused[]): void {
    for (const { id, reason } of refused) {
      if (!this.#refused.has(id)) this.#options.onRefused(id, reason);
      this.#refused.add(id);
    }
  }

  /**
   * Gives up the next index, because it lacks a write. Without its alias its builder can neither write to it nor make
   * it current.
   */
  async #giveUpNext(error: unknown): Promise<void> {
    // The index is already current, or already given up.
    if (error instanceof IndexAwayError && error.reason === 'building') return;
    const remove = { index: `${this.#options.name}-posts-*`, alias: this.#nextName };
    const body = { actions: [{ remove }] };
    await this.#cluster.call('POST /_aliases', { body, allowed: 404, member: 'acknowledged' });
  }

  async rebuild({ posts, catchUp }: RebuildSource): Promise<void> {
    const { name, epoch, shards } = this.#options;
    await this.#ensureOurs();
    await this.tidy();
    this.#refused.clear();
    const index = `${name}-posts-${Date.now()}`;
    await this.#cluster.call(`PUT /${index}`, { body: indexBody({ epoch, shards }), member: 'acknowledged' });
    // From now on other processes write to the index by its alias. Its shards accept writes by now.
    const add = { index, alias: this.#nextName };
    await this.#cluster.call('POST /_aliases', { body: { actions: [{ add }] }, member: 'acknowledged' });
    const sent = await this.#addAll(posts);
    await this.#next.refresh(BUILD_MS);
    await this.#checkCount(index, sent - this.#refused.size);
    await this.#next.countAllAuthors();
    await this.#merge(index);
    await this.#copy(index);
    const position = await catchUp(async (some) => {
      this.#noteRefused((await this.#next.apply(some)).refused);
    });
    await this.#next.setPosition(position);
    await this.#next.markWhole();
    await this.#next.refresh(BUILD_MS);
    await this.#putInPlace(index);
    [this.#counted, this.#asked] = [0, index];
    this.version++;
    await delay(LEFT_MS);
    // If this fails, the server deletes the old index later. The new index is already current.
    await this.tidy().catch(() => {});
  }

  /** Other processes may have removed a few posts meanwhile. */
  async #checkCount(index: string, wanted: number): Promise<void> {
    const { total } = await new Searcher(this.#cluster, index).one({ query: postsOf([]), isCounted: true });
    if (total < wanted * (1 - LOST_SHARE) - LOST_POSTS) {
      throw new Error(`the new index holds ${total} posts of the ${wanted} that it was given`);
    }
  }

  /** Returns how many posts it has sent. */
  async #addAll(posts: AsyncIterable<IndexedPost[]>): Promise<number> {
    let sent = 0;
    let failure: { error: unknown } | undefined;
    const batches = this.#paced(posts);
    const write = async () => {
      for await (const batch of batches) {
        if (failure) return;
        sent += batch.filter(({ removed }) => !removed).length;
        const refused = await this.#next.add(batch).catch((error) => {
          failure ??= { error };
          return [];
        });
        this.#noteRefused(refused);
      }
    };
    // Waits for all writers: the next attempt must meet no write of this one.
    const ends = await Promise.allSettled(Array.from({ length: WRITES }, write));
    if (failure) throw failure.error;
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return sent;
  }

  /** The posts in larger batches. While visitors ask, it pauses as long as each batch has taken. */
  async *#paced(posts: AsyncIterable<IndexedPost[]>): AsyncGenerator<IndexedPost[], void> {
    let batch: IndexedPost[] = [];
    let startedAt = performance.now();
    for await (const some of posts) {
      batch.push(...some);
      if (batch.length < BUILT_AT_ONCE) continue;
      yield batch;
      batch = [];
      const now = performance.now();
      if (now - this.#askedAt < UNASKED_MS) await delay(now - startedAt);
      startedAt = performance.now();
    }
    if (batch.length > 0) yield batch;
  }

  /** Merges each shard into one segment, which answers several times faster than many. */
  async #merge(index: string): Promise<void> {
    try {
      await this.#cluster.call(`POST /${index}/_forcemerge`, { query: { max_num_segments: 1 }, ms: MERGE_MS });
    } catch (error) {
      // A proxy may cut such a long request; the merge continues without it.
      if (!(error instanceof IndexAwayError)) throw error;
    }
  }

  /**
   * Makes the replicas, and ends the late merges of the build. While another index still answers, the build waits for
   * the replicas: without them the loss of a node loses posts.
   */
  async #copy(index: string): Promise<void> {
    const body = { index: { number_of_replicas: this.#options.replicas }, [MERGE_LATE]: null };
    await this.#cluster.call(`PUT /${index}/_settings`, { body, member: 'acknowledged' });
    const indexes = Object.values(await aliasesOf(this.#cluster, this.#options.name));
    const isFirst = !indexes.some((names) => this.#options.name in names);
    let still = 0;
    for (const until = performance.now() + COPY_MS; performance.now() < until && still < STILL_LOOKS; ) {
      const health = await this.#cluster.call<Health>(`GET /_cluster/health/${index}`, { member: 'status' });
      if (health.status === 'red') throw new IndexAwayError('away', 'a part of the new index is lost');
      if (isFirst || health.status === 'green') return;
      still = health.initializing_shards === 0 ? still + 1 : 0;
      await delay(1_000);
    }
  }

  /** Moves the alias in one step, so that exactly one index is current at any moment. */
  async #putInPlace(index: string): Promise<void> {
    await this.#requireOurs();
    const { name } = this.#options;
    const replaced = Object.entries(await aliasesOf(this.#cluster, name)).filter(
      ([held, names]) => held !== index && name in names,
    );
    const actions = [
      ...replaced.map(([held]) => ({ remove: { index: held, alias: name } })),
      { add: { index, alias: name } },
      { remove: { index, alias: this.#nextName, must_exist: true } },
    ];
    await this.#cluster.call('POST /_aliases', { body: { actions }, member: 'acknowledged' });
  }

  async tidy(): Promise<void> {
    for (const [index, names] of Object.entries(await aliasesOf(this.#cluster, this.#options.name, QUESTION_MS))) {
      if (!(this.#options.name in names)) await deleteIndex(this.#cluster, index);
    }
  }

  check(posts: AsyncIterable<IndexedPost>, onProgress?: (done: number) => void): Promise<IndexReport> {
    return checkIndex(this.#searcher, posts, onProgress);
  }

  async close(): Promise<void> {
    clearInterval(this.#watching);
    await this.#cluster.close();
  }

  /** Why this cluster cannot be used, as text for the operator; null if it can, or if it cannot be asked yet. */
  async refusal(): Promise<string | null> {
    return this.#findRefusal().catch((error) => {
      if (error instanceof IndexAwayError) return null;
      throw error;
    });
  }

  /** @throws IndexAwayError if the index belongs to another archive, or the cluster is unsuitable or does not answer. */
  async #ensureOurs(): Promise<void> {
    if (this.#isOurs) return;
    const asked = this.#asked;
    await this.#requireOurs();
    // Another process may have replaced the index meanwhile.
    this.#isOurs = asked === this.#asked;
  }

  async #requireOurs(): Promise<void> {
    const refusal = await this.#findRefusal();
    if (refusal !== null) throw new IndexAwayError('away', refusal);
  }

  async #findRefusal(): Promise<string | null> {
    const info = await this.#cluster.call<{ version: { number?: string } }>('GET /', { member: 'version' });
    if (typeof info.version?.number !== 'string') throw foreign();
    const [major = 0, minor = 0] = info.version.number.split('.').map(Number);
    if (major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1])) {
      return `the search cluster is of version ${info.version.number}; ${LEAST_VERSION.join('.')} or newer is needed`;
    }
    return this.#refusalOf(await this.#meta());
  }

  #refusalOf(meta: Meta | null): string | null {
    this.isOutdated = meta !== null && meta.schema > SCHEMA_VERSION;
    this.#isOld = meta !== null && meta.schema < SCHEMA_VERSION;
    if (!meta) return null;
    if (this.isOutdated) return 'a newer release has built the index of the search cluster: update this one';
    if (meta.epoch === this.#options.epoch) return null;
    return `the index ${this.#options.name} of the search cluster is that of another archive: set SEARCH_INDEX to another name, or delete it by "amber index drop"`;
  }

  /** The metadata in the mapping of the current index; null if the index is missing. */
  async #meta(): Promise<Meta | null> {
    const found = await this.#cluster.call<Record<string, { mappings?: { _meta?: Meta } }> | null>(
      `GET /${this.#options.name}/_mapping`,
      { allowed: 404, ms: QUESTION_MS },
    );
    const [held] = Object.values(found ?? {});
    if (found && !held?.mappings) throw foreign();
    return held ? (held.mappings?._meta ?? { epoch: '', schema: 0 }) : null;
  }

  /**
   * The own name of the current index, if it has the mark of a complete one. An emptied index lacks the mark, even after
   * new writes. The questions that follow ask by this name: a node that has not heard of a swap yet would take the alias
   * for the old index.
   */
  async #wholeIndex(): Promise<string> {
    const [whole] = await this.#current.get(['whole']);
    if (!whole?.found) throw lost();
    return whole._index;
  }
}

function lost(): IndexAwayError {
  return new IndexAwayError('building', 'the index has lost a part of its posts');
}

interface Health {
  status: string;
  number_of_nodes: number;
  initializing_shards: number;
  indices?: Record<string, object>;
}

interface Meta {
  epoch: string;
  schema: number;
}
