import type { IndexReport } from './archive-index.ts';
import type { IndexedPost } from './indexed-post.ts';

const TOLD_EVERY = 1_000;
/** Differences that a report quotes. */
const QUOTED = 1_000;

/** Collects the differences between an index and the posts that it was derived from. */
export class Comparison {
  readonly report: IndexReport = { posts: 0, differenceCount: 0, differences: [] };

  differ(text: string): void {
    this.report.differenceCount++;
    if (this.report.differences.length < QUOTED) this.report.differences.push(text);
  }

  /**
   * Passes each post to `compare` with what the index holds of it, and notes those that only one of them has. Both must
   * be in ascending order of id.
   */
  async pair<Held extends { oid: Uint8Array }>(
    posts: AsyncIterable<IndexedPost>,
    held: Iterator<Held> | AsyncIterator<Held>,
    compare: (post: IndexedPost, held: Held | null) => void,
    onProgress?: (done: number) => void,
  ): Promise<void> {
    let next = await held.next();
    const passUpTo = async (oid: Uint8Array | null) => {
      for (; !next.done && (!oid || Buffer.compare(next.value.oid, oid) < 0); next = await held.next()) {
        this.differ(`${hex(next.value.oid)}: only the index holds it`);
      }
    };
    for await (const post of posts) {
      this.report.posts++;
      if (this.report.posts % TOLD_EVERY === 0) onProgress?.(this.report.posts);
      await passUpTo(post.oid);
      const isHeld = !next.done && Buffer.compare(next.value.oid, post.oid) === 0;
      if (!isHeld) this.differ(`${hex(post.oid)}: the index lacks it`);
      compare(post, isHeld ? next.value : null);
      if (isHeld) next = await held.next();
    }
    await passUpTo(null);
  }

  /** Notes each name whose numbers of posts differ. */
  count(table: string, held: Iterable<{ name: string; posts: number }>, wanted: Map<string, number>): void {
    const left = new Map(wanted);
    for (const { name, posts } of held) {
      const count = left.get(name) ?? 0;
      if (posts !== count) this.differ(`${table} ${JSON.stringify(name)}: ${posts} posts, not ${count}`);
      left.delete(name);
    }
    for (const [name, count] of left) this.differ(`${table} ${JSON.stringify(name)}: no posts, not ${count}`);
  }
}

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
