import { setImmediate as pause } from 'node:timers/promises';
import type { ArchiveIndex } from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';
import { openIndex } from '../sqlite/index-threads.ts';
import { anyWordOf, Changes } from './changes.ts';
import { inOrder } from './in-order.ts';

/**
 * Follows changes and builds one new file after the other until it is killed. It sends a message at each stage of a
 * build, and an error if an answer is wrong.
 */
const [path = '', end = ''] = process.argv.slice(2);
const index = await openIndex<null>({
  path,
  epoch: 'epoch',
  worker: new URL('./worker.mjs', import.meta.url),
  turns: inOrder,
});
const { position } = await index.summary();
const changes = new Changes(position?.at ?? 0);
const tell = (message: string) => process.send?.(message);
const wrong = (error: Error) => tell(`wrong: ${error.message}`);

void followOn(index).catch(wrong);
void buildOn(index).catch(wrong);

async function followOn(index: ArchiveIndex<null>): Promise<void> {
  for (let round = 0; changes.made < Number(end); round++) {
    const before = changes.made;
    for (let more = (round * 7) % 40; more >= 0 && changes.made < Number(end); more--) changes.make();
    const posts = changes.since(before);
    await index.apply(posts, { at: changes.made, beat: 1 });
    for (const post of posts) await ask(index, post);
    tell('followed');
  }
}

async function ask(index: ArchiveIndex<null>, { oid, content, removed }: IndexedPost): Promise<void> {
  const search = removed ? anyWordOf(oid) : (content.split(' ')[0] as string);
  const sort = { sortBy: 'timestamp', sortOrder: 'desc' } as const;
  const { total } = await index.ask(
    'list',
    { filter: { search }, sort, offset: 0, limit: 1, split: false, now: 0 },
    null,
  );
  if (total !== (removed ? 0 : 1)) throw new Error(`${search}: ${total}`);
}

async function buildOn(index: ArchiveIndex<null>): Promise<void> {
  for (;;) {
    const since = changes.made;
    const all = changes.all();
    await index.rebuild({
      posts: inBatches(all),
      count: all.length,
      catchUp: async (take) => {
        const at = changes.made;
        await take(changes.since(since));
        tell('caught up');
        return { at, beat: 1 };
      },
    });
    tell('replaced');
  }
}

async function* inBatches(posts: IndexedPost[]): AsyncGenerator<IndexedPost[]> {
  for (let at = 0; at < posts.length; at += 40) {
    yield posts.slice(at, at + 40);
    tell('read');
    await pause();
  }
}
