import { call, Product, type ProductOptions } from '@archive/testing';
import { generatePosts } from '@archive/testing/generate-posts';
import type { Db } from 'mongodb';
import { AgentKeyStore } from '../src/accounts/agent-key-store.ts';
import { Chain } from '../src/chain/chain.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { PostStore } from '../src/posts/post-store.ts';
import { PostsForIndex } from '../src/posts/posts-for-index.ts';
import { ReactionStore } from '../src/reactions/reaction-store.ts';

const POSTS_AT_ONCE = 500;
const JUDGE_TIMEOUT_MS = 120_000;

/** The environment of a trial: the product with a number of posts, and access to its database. */
export class Stage {
  readonly product: Product;
  readonly database: Database;
  /** `_id`s of the posts that were not taken yet. */
  readonly #posts: string[];

  private constructor(product: Product, database: Database, posts: string[]) {
    this.product = product;
    this.database = database;
    this.#posts = posts;
  }

  static async open({ posts, ...options }: ProductOptions & { posts: number }): Promise<Stage> {
    const product = await Product.open(options);
    const database = await openDatabase(product.mongo.uri);
    return new Stage(product, database, await addPosts(product, database.db, posts));
  }

  /** Returns a post that was not returned before. */
  takePost(): string {
    const post = this.#posts.pop();
    if (post === undefined) throw new Error('there are no more posts');
    return post;
  }

  get postStore(): PostStore {
    return new PostStore(this.database.db, this.database.clock);
  }

  get forIndex(): PostsForIndex {
    return new PostsForIndex(this.database.db, new ReactionStore(this.database.db));
  }

  /**
   * The chain for judging: at an address without faults, and with long time limits, because the machine may be busy.
   */
  get chain(): Chain {
    return new Chain([this.product.solana.rpcUrl], JUDGE_TIMEOUT_MS);
  }

  /** The database's time plus `laterMs`. */
  now(laterMs = 0): Date {
    return new Date(this.database.clock.now().getTime() + laterMs);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.product.close();
  }
}

/** Sends generated posts as an agent does. Returns the `_id` of every post in the archive. */
async function addPosts(product: Product, db: Db, count: number): Promise<string[]> {
  const { key } = await new AgentKeyStore(db).create('stage');
  const posts = [...generatePosts(count, 11)];
  for (let at = 0; at < posts.length; at += POSTS_AT_ONCE) {
    await call(product, 'POST', '/amber/archives', key, { posts: posts.slice(at, at + POSTS_AT_ONCE) });
  }
  const kept = await db
    .collection('posts')
    .find({}, { projection: { _id: 1 } })
    .toArray();
  return kept.map(({ _id }) => _id.toHexString());
}
