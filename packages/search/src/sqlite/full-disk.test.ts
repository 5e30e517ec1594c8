import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '@archive/testing/generate-posts';
import { cases, SERIES_MS } from '@archive/tiers';
import { afterEach, expect, test } from '@jest/globals';
import { Changes } from '../testing/changes.ts';
import { inOrder } from '../testing/in-order.ts';
import { built } from '../testing/threads.ts';
import { checkIndex } from './check-index.ts';
import { openIndex } from './index-threads.ts';

const MOMENTS = cases({ quick: 5, full: 100 });
/** More than the about 130 pages of a file with 400 posts. */
const MOST_PAGES = 155;
const random = seeded(31);

afterEach(() => {
  delete process.env['PAGES_OF_DISK'];
});

test(
  'a disk that is full at any moment of a build ends the build alone: the file in use goes on, and the next build is whole',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
    const path = join(folder, 'index.sqlite');
    const worker = built('small-disk');
    const index = await openIndex<null>({ path, epoch: 'epoch', worker, turns: inOrder, free: async () => 1e12 });
    const changes = new Changes(1_500);
    async function* all() {
      const posts = changes.all();
      for (let at = 0; at < posts.length; at += 50) yield posts.slice(at, at + 50);
    }
    const build = () =>
      index.rebuild({
        posts: all(),
        count: 400,
        catchUp: async (take) => {
          const before = changes.made;
          for (let more = 0; more < 200; more++) changes.make();
          await take(changes.since(before));
          // The change goes into both files.
          await index.apply(changes.since(before), { at: changes.made, beat: 1 });
          return { at: changes.made, beat: 1 };
        },
      });
    async function* byId() {
      yield* changes.all().sort((one, other) => Buffer.compare(one.oid, other.oid));
    }
    const differences = async () => (await checkIndex(path, byId())).differences;

    await build();
    let full = 0;
    for (let moment = 0; moment < MOMENTS; moment++) {
      process.env['PAGES_OF_DISK'] = String(60 + Math.floor(random() * (MOST_PAGES - 60)));
      const before = changes.made;
      await build().catch((error: Error) => {
        expect(error.message).toMatch(/full|ended/);
        full++;
      });
      expect(readdirSync(folder).filter((name) => /building|next/.test(name))).toEqual([]);
      for (let more = 0; more < 30; more++) changes.make();
      await index.apply(changes.since(before), { at: changes.made, beat: 1 });
      expect(await differences()).toEqual([]);
    }
    expect(full).toBeGreaterThan(MOMENTS / 2);
    delete process.env['PAGES_OF_DISK'];
    await build();
    expect(await differences()).toEqual([]);
    await index.close();
    rmSync(folder, { recursive: true });
  },
  SERIES_MS,
);
