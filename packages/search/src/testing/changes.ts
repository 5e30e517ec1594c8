import { type IndexedPost, toRemoval } from '../indexed-post.ts';
import { aPost } from './a-post.ts';

const DAY_MS = 86_400_000;

/**
 * A source for tests of restarts after a kill: every process makes the same changes in the same order. A position is
 * the number of changes made.
 */
export class Changes {
  readonly #posts = new Map<number, IndexedPost>();
  made = 0;

  constructor(made = 0) {
    while (this.made < made) this.make();
  }

  /** Makes the next change. */
  make(): void {
    const number = this.made++;
    const of = changedBy(number);
    if (number % 5 >= 3) this.#posts.delete(of);
    else this.#posts.set(of, postOf(of, number));
  }

  /** Posts changed since a position, in their present state. */
  since(position: number): IndexedPost[] {
    const changed = new Set<number>();
    for (let number = position; number < this.made; number++) changed.add(changedBy(number));
    return [...changed].map((of) => this.#asIs(of));
  }

  /** Oldest first. */
  all(): IndexedPost[] {
    return [...this.#posts.values()].sort((one, other) => one.at - other.at);
  }

  #asIs(of: number): IndexedPost {
    return this.#posts.get(of) ?? toRemoval(oidOf(of));
  }
}

/** The beginning of a post's first word, the same after each of its changes. */
export const anyWordOf = (oid: Uint8Array) => `word${Buffer.from(oid).readUInt32BE(8)}x`;

/**
 * Of five changes two add a post, one edits an earlier post, and two remove the oldest posts. About 400 posts exist at
 * any time.
 */
const changedBy = (number: number) => {
  const earlier = [0, 0, 31, 1_003, 1_003][number % 5] as number;
  return Math.max(0, number - earlier);
};

const oidOf = (of: number) => {
  const oid = Buffer.alloc(12);
  oid.writeUInt32BE(of, 8);
  return new Uint8Array(oid);
};

function postOf(of: number, change: number): IndexedPost {
  // Not in the order of time.
  const at = Date.UTC(2026, 0, 1) - ((of * 7_919) % 400) * DAY_MS - of;
  // No other change has this first word.
  const content = `${anyWordOf(oidOf(of))}${change}x and ${'some more of it '.repeat(change % 40)}`;
  return aPost({ oid: oidOf(of), at, content, author: `Author ${of % 17}`, handle: `author${of % 17}`, savedAt: at });
}
