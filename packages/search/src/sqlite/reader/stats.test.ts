import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECENT_DAYS } from '@archive/contracts';
import { seeded } from '@archive/testing/generate-posts';
import { expect, test } from '@jest/globals';
import { DAY_MS } from '../../figures.ts';
import { aPost } from '../../testing/a-post.ts';
import { openForWriting } from '../index-file.ts';
import { IndexWriter } from '../writer.ts';
import { Statements } from './statements.ts';
import { Stats } from './stats.ts';

const START = Date.UTC(2026, 0, 1);

test('counters that are remembered are those of the moment, forward and back in time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stats-'));
  const { db } = openForWriting(join(folder, 'index.sqlite'), 'epoch');
  const writer = new IndexWriter(db, true);
  writer.finishBuild();
  const random = seeded(5);
  const times: number[] = [];
  const save = (count: number) => {
    const added = Array.from({ length: count }, () => START + Math.floor(random() * 30 * DAY_MS));
    times.push(...added);
    const posts = added.map((at, index) => aPost({ at, handle: `ada${index % 7}` }));
    writer.apply({ posts, position: null });
  };
  const stats = new Stats(new Statements(db));
  const wanted = (now: number) => ({
    total: times.length,
    authors: 7,
    recent: times.filter((time) => time > now - RECENT_DAYS * DAY_MS && time <= now).length,
  });
  for (let version = 1; version <= 4; version++) {
    save(40);
    // The moments at which a figure changes, a millisecond before and after them, and random ones.
    const edges = times.flatMap((time) => [time, time + RECENT_DAYS * DAY_MS]).flatMap((at) => [at - 1, at, at + 1]);
    const anywhere = Array.from({ length: 300 }, () => START + Math.floor((random() * 50 - 5) * DAY_MS));
    const moments = [...edges.toSorted((a, b) => a - b), ...anywhere];
    for (const now of moments) expect({ now, ...stats.of(version, now) }).toEqual({ now, ...wanted(now) });
  }
  db.close();
  rmSync(folder, { recursive: true, force: true });
});
