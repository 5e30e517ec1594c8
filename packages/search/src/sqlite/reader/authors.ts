import { foldText, PLATFORMS, type Platform } from '@archive/contracts';
import type { AuthorFigures } from '../../archive-index.ts';
import { platformTrait } from '../traits.ts';
import type { Statements } from './statements.ts';
import type { Steps } from './steps.ts';
import { TURN } from './walk.ts';

/** SQL: the newest post of an author. Among posts of the same time it is the one with the highest id. */
export const NEWEST =
  '(SELECT post.oid FROM post INDEXED BY post_handle WHERE post.author = author.id ORDER BY post.at DESC, post.oid DESC LIMIT 1)';

/** The sums so far. */
interface Sum {
  reactions: number;
  categories: Map<number, number>;
  platforms: Map<Platform, number>;
  /** The last post that was summed. */
  place: { at: number; oid: Uint8Array } | null;
}

/** Figures of one author, summed over all of the author's posts: most have few. Null if the index holds none. */
export function* figuresOf(file: Statements, handle: string): Steps<AuthorFigures | null> {
  const folded = foldText(handle);
  const sum: Sum = { reactions: 0, categories: new Map(), platforms: new Map(), place: null };
  for (;;) {
    const figures = file.atOneMoment(() => sumOn(file, folded, sum));
    if (figures !== undefined) return figures;
    yield;
  }
}

/** Runs one turn. Returns undefined while posts are left to sum. */
function sumOn(file: Statements, folded: string, sum: Sum): AuthorFigures | null | undefined {
  const [author] = file.all<{ id: number; newest: Uint8Array; first: number; last: number }>(
    `SELECT id, ${NEWEST} AS newest, (SELECT min(at) FROM post WHERE author = author.id) AS first,
         (SELECT max(at) FROM post WHERE author = author.id) AS last FROM author WHERE handle = ?`,
    folded,
  );
  if (!author) return null;
  if (!isSummed(file, author.id, sum)) return undefined;
  const categories = mostFirst(sum.categories).map(([category, posts]) => ({ category, posts }));
  return {
    posts: categories.reduce((all, { posts }) => all + posts, 0),
    reactions: sum.reactions,
    first: author.first,
    last: author.last,
    newest: author.newest,
    categories,
    platforms: mostFirst(sum.platforms).map(([platform, posts]) => ({ platform, posts })),
  };
}

/** Sums the posts of one turn. Returns whether none is left. */
function isSummed(file: Statements, author: number, sum: Sum): boolean {
  const after = sum.place ? 'AND (at, oid) > (?, ?)' : '';
  const walked = `FROM post INDEXED BY post_handle WHERE author = ? ${after} ORDER BY at, oid`;
  const values = [author, ...(sum.place ? [sum.place.at, sum.place.oid] : [])];
  const groups = file.all<{ category: number; platform: number; posts: number; reactions: number }>(
    `SELECT category, traits & ? AS platform, count(*) AS posts, sum(reactions) AS reactions
       FROM (SELECT category, traits, reactions ${walked} LIMIT ?) GROUP BY 1, 2`,
    platformTrait('x').mask,
    ...values,
    TURN.byKey,
  );
  for (const { category, platform, posts, reactions } of groups) {
    const name = PLATFORMS.find((one) => platformTrait(one).values.includes(platform)) ?? 'other';
    sum.reactions += reactions;
    sum.categories.set(category, (sum.categories.get(category) ?? 0) + posts);
    sum.platforms.set(name, (sum.platforms.get(name) ?? 0) + posts);
  }
  const [last] = file.all<{ at: number; oid: Uint8Array }>(
    `SELECT at, oid ${walked} LIMIT 1 OFFSET ?`,
    ...values,
    TURN.byKey - 1,
  );
  sum.place = last ?? null;
  return sum.place === null;
}

function mostFirst<Key extends number | string>(counts: Map<Key, number>): [Key, number][] {
  return [...counts].sort(([one, of], [other, than]) => than - of || (one < other ? -1 : 1));
}
