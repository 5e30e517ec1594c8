import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { IndexPositions } from '../posts/index-positions.ts';
import { PostsForIndex } from '../posts/posts-for-index.ts';
import { ReactionStore } from '../reactions/reaction-store.ts';

const LOOK_MS = 1_000;

/**
 * Reports how many of the imported posts the indexes of the running servers hold. With `isAwaited`, repeats this until
 * they hold all. `say` receives whole sentences.
 */
export async function followImport(
  database: Database,
  created: number,
  isAwaited: boolean,
  say: (words: string) => void,
): Promise<void> {
  const positions = new IndexPositions(database.db);
  const source = new PostsForIndex(database.db, new ReactionStore(database.db));
  const importedAt = (await database.clock.measure()).getTime();
  let said = '';
  for (;;) {
    const slowest = await positions.slowest();
    if (slowest === null)
      return say('The posts are in the database. The index takes them in at the next start of a server.');
    const waiting = slowest >= importedAt ? 0 : await source.countChanges(Math.floor(slowest / 1_000), created);
    const held = `${number(created - waiting)} of ${number(created)}`;
    const words =
      waiting === 0
        ? 'The posts are in the database and can be found.'
        : `The posts are in the database. The index holds ${held} so far; the running servers add the rest.`;
    if (words !== said) say(words);
    said = words;
    if (waiting === 0 || !isAwaited) return;
    await pause(LOOK_MS);
  }
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
