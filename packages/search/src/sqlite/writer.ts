import type { IndexPosition, Summary } from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { Counts } from './counts.ts';
import type { IndexFile, Value } from './index-file.ts';
import { finishBuild, getMeta, Query, setMeta } from './index-file.ts';
import { Pieces } from './pieces.ts';
import { DERIVED_COLUMNS, type DerivedRow, deriveRow, type PostColumns, searchFields } from './post-table.ts';
import { Ranks } from './ranks.ts';

const KNOWN_AUTHORS = 200_000;
/**
 * Posts per transaction of a build, whatever the size of the batches. Each transaction leaves a segment of the full
 * text to merge.
 */
const BUILT_AT_ONCE = 2_000;
/** Pages of the full text per statement of the final merge. The thread cannot end during a statement. */
const MERGED_AT_ONCE = 2_000;

type WholeColumn = 'at' | 'category' | 'traits' | 'saved_at' | 'reactions';
type Held = { [N in 'rank' | 'author' | WholeColumn]: bigint } & Omit<PostColumns, WholeColumn>;

/** Writes changes into the index file, one transaction per batch. */
export class IndexWriter {
  readonly #db: IndexFile;
  readonly #statements: ReturnType<typeof prepare>;
  /** Ids of authors by folded handle: saves a look-up per post of a bulk load. */
  readonly #authors = new Map<string, number>();
  readonly #ranks: Ranks;
  readonly #pieces: Pieces;
  readonly #counts: Counts;
  #isBuilding: boolean;
  #gathered: IndexedPost[] = [];

  constructor(db: IndexFile, isEmpty: boolean) {
    this.#db = db;
    this.#statements = prepare(db);
    this.#ranks = new Ranks(db, (from, to) => this.#move(from, to));
    this.#counts = new Counts(db);
    this.#pieces = new Pieces(db);
    this.#isBuilding = isEmpty;
  }

  /**
   * Writes posts and, in the same transaction, how far changes have been followed. A file with a position is complete.
   */
  apply(input: { posts: IndexedPost[]; position: IndexPosition | null }): { changed: number } {
    if (this.#isBuilding && input.position) this.finishBuild();
    if (!this.#isBuilding) return this.#write(input);
    this.#gathered.push(...input.posts);
    if (this.#gathered.length >= BUILT_AT_ONCE) this.#writeGathered();
    return { changed: input.posts.length };
  }

  #writeGathered(): void {
    this.#write({ posts: this.#gathered, position: null });
    this.#gathered = [];
  }

  #write(input: { posts: IndexedPost[]; position: IndexPosition | null }): { changed: number } {
    let changed = 0;
    // FTS5 starts a segment whenever a rowid is lower than the previous one. In order of time a batch is one segment.
    const posts = input.posts.toSorted((a, b) => a.at - b.at);
    this.#ranks.expect(posts.map((post) => post.at));
    this.#inTransaction(() => {
      for (const [index, post] of posts.entries()) if (this.#take(post, index)) changed++;
      this.#counts.write();
      this.#pieces.write();
      if (input.position) this.#setPosition(input.position);
    });
    return { changed };
  }

  /** Ends the bulk load: merges the full text and makes the indexes. */
  finishBuild(): void {
    this.#writeGathered();
    this.#mergeAll();
    finishBuild(this.#db);
    this.#isBuilding = false;
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /**
   * Merges the full text into one segment. In FTS5 a negative number starts the merge; it is complete once fewer than
   * two rows change.
   */
  #mergeAll(): void {
    const changes = () => this.#statements.changes.first()?.made ?? 0;
    for (let pages = -MERGED_AT_ONCE; ; pages = MERGED_AT_ONCE) {
      const before = changes();
      this.#db.exec(`INSERT INTO search (search, rank) VALUES ('merge', ${pages})`);
      if (changes() - before < 2) return;
    }
  }

  summary(): Summary {
    const posts = this.#statements.total.first()?.posts ?? 0;
    const [at, beat] = [getMeta(this.#db, 'position'), getMeta(this.#db, 'beat')];
    const gone = getMeta(this.#db, 'gone');
    return {
      posts,
      position: typeof at === 'number' && typeof beat === 'number' ? { at, beat } : null,
      goneSince: typeof gone === 'number' ? gone : null,
    };
  }

  #setPosition({ at, beat }: IndexPosition): void {
    setMeta(this.#db, 'position', at);
    setMeta(this.#db, 'beat', beat);
  }

  #inTransaction(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      // First, because the file no longer holds what the batch added, whatever fails next.
      this.#authors.clear();
      this.#counts.forget();
      this.#pieces.forget();
      // SQLite itself rolls back when the disk is full.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #take(post: IndexedPost, index: number): boolean {
    const held = this.#isBuilding ? undefined : this.#statements.find.first(post.oid);
    if (post.removed) {
      if (held) this.#remove(held);
      if (held) this.#noteGone();
      return held !== undefined;
    }
    const row = deriveRow(post);
    if (held) {
      const differing = DERIVED_COLUMNS.filter((name) => !isEqual(held[name], row.columns[name]));
      if (differing.every((name) => name === 'reactions')) {
        // Reactions are neither counted nor in the full text.
        if (differing.length > 0) this.#statements.setReactions.run(post.reactions, held.rank);
        return this.#feature(held.rank, post.featuredAt) || differing.length > 0;
      }
      this.#remove(held);
      if (held.content !== row.columns.content || held.names !== row.columns.names) this.#noteGone();
    }
    this.#add(post, row, index);
    return true;
  }

  #add({ oid, featuredAt }: IndexedPost, { columns, handle }: DerivedRow, index: number): void {
    const s = this.#statements;
    const rank = this.#ranks.place(index, this.#isBuilding);
    const author = this.#authorId(handle);
    s.insertPost.run(rank, oid, author, ...DERIVED_COLUMNS.map((name) => columns[name]));
    s.insertSearch.run(rank, ...searchFields(columns));
    s.countAuthor.run(columns.saved_at, author);
    this.#counts.tally(columns, 1);
    this.#pieces.tally(columns, 1);
    if (featuredAt !== null) this.#feature(rank, featuredAt);
  }

  #remove(row: Held): void {
    const s = this.#statements;
    s.deletePost.run(row.rank);
    s.deleteSearch.run(row.rank);
    s.unfeature.run(row.rank);
    s.uncountAuthor.run(row.author, row.saved_at);
    s.dropAuthor.run(row.author);
    this.#authors.clear();
    this.#pieces.tally(row, -1);
    this.#counts.tally(row, -1);
  }

  /** Words or names were removed. The file may still hold them until a new file replaces it. */
  #noteGone(): void {
    if (getMeta(this.#db, 'gone') === undefined) setMeta(this.#db, 'gone', Date.now());
  }

  #feature(rank: bigint, featuredAt: number | null): boolean {
    const s = this.#statements;
    return (featuredAt === null ? s.unfeature.run(rank) : s.feature.run(rank, featuredAt)) > 0;
  }

  /** Changes the rank of a held post; the order stays the same. */
  #move(from: bigint, to: bigint): void {
    const s = this.#statements;
    const row = s.row.first(from) as Held;
    s.deleteSearch.run(from);
    s.insertSearch.run(to, ...searchFields(numbered(row)));
    s.movePost.run(to, from);
    s.moveFeatured.run(to, from);
  }

  #authorId(handle: string): number {
    const known = this.#authors.get(handle);
    if (known !== undefined) return known;
    this.#statements.addAuthor.run(handle);
    const id = this.#statements.findAuthor.first(handle)?.id as number;
    if (this.#authors.size >= KNOWN_AUTHORS) this.#authors.clear();
    this.#authors.set(handle, id);
    return id;
  }
}

/** Integers of `row` are bigint. */
function numbered(row: Held) {
  return { ...row, at: Number(row.at), category: Number(row.category), traits: Number(row.traits) };
}

function isEqual(held: Value, wanted: Value): boolean {
  return held === wanted || (typeof held === 'bigint' && Number(held) === wanted);
}

function prepare(db: IndexFile) {
  return {
    total: new Query<{ posts: number }>(db, 'SELECT coalesce(sum(posts), 0) AS posts FROM category'),
    changes: new Query<{ made: number }>(db, 'SELECT total_changes() AS made'),
    find: new Query<Held>(db, `SELECT rank, author, ${DERIVED_COLUMNS.join(', ')} FROM post WHERE oid = ?`, {
      big: true,
    }),
    row: new Query<Held>(db, `SELECT rank, author, ${DERIVED_COLUMNS.join(', ')} FROM post WHERE rank = ?`, {
      big: true,
    }),
    movePost: new Query(db, 'UPDATE post SET rank = ? WHERE rank = ?'),
    moveFeatured: new Query(db, 'UPDATE featured SET rank = ? WHERE rank = ?'),
    setReactions: new Query(db, 'UPDATE post SET reactions = ? WHERE rank = ?'),
    addAuthor: new Query(
      db,
      'INSERT INTO author (handle, posts, since) VALUES (?, 0, 9223372036854775807) ON CONFLICT DO NOTHING',
    ),
    findAuthor: new Query<{ id: number }>(db, 'SELECT id FROM author WHERE handle = ?'),
    countAuthor: new Query(db, 'UPDATE author SET posts = posts + 1, since = min(since, ?) WHERE id = ?'),
    uncountAuthor: new Query(
      db,
      `UPDATE author SET posts = posts - 1,
         since = CASE WHEN since < ?2 THEN since
                 ELSE coalesce((SELECT min(saved_at) FROM post WHERE author = ?1), since) END WHERE id = ?1`,
    ),
    dropAuthor: new Query(db, 'DELETE FROM author WHERE id = ? AND posts = 0'),
    insertPost: new Query(
      db,
      `INSERT INTO post (rank, oid, author, ${DERIVED_COLUMNS.join(', ')}) VALUES (?, ?, ?${', ?'.repeat(DERIVED_COLUMNS.length)})`,
    ),
    insertSearch: new Query(
      db,
      `INSERT INTO search (rowid, content, author, handle, category, media, platform, language, flags)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    deletePost: new Query(db, 'DELETE FROM post WHERE rank = ?'),
    deleteSearch: new Query(db, 'DELETE FROM search WHERE rowid = ?'),
    feature: new Query(
      db,
      'INSERT INTO featured VALUES (?1, ?2) ON CONFLICT DO UPDATE SET at = excluded.at WHERE at <> excluded.at',
    ),
    unfeature: new Query(db, 'DELETE FROM featured WHERE rank = ?'),
  };
}
