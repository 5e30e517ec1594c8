import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '@archive/testing/generate-posts';
import { cases, SERIES_MS } from '@archive/tiers';
import { expect, test } from '@jest/globals';
import { Changes } from '../testing/changes.ts';
import { built } from '../testing/threads.ts';
import { checkIndex } from './check-index.ts';
import { closeWritten, openForWriting } from './index-file.ts';
import { IndexWriter } from './writer.ts';

const KILLS = cases({ quick: 3, full: 100 });
/** The most changes of one process. */
const CHANGES = 1_500;
/** More than the about ten stages of a build. */
const STAGES = 25;
const random = seeded(29);

test(
  'a process killed at any moment of a build or a swap begins with a file that is whole, and misses no change',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kills-'));
    const path = join(folder, 'index.sqlite');
    const seen = new Set<string>();
    let followed = await recover(path, CHANGES, null);
    for (let kill = 0; kill < KILLS; kill++) {
      const end = followed + CHANGES;
      for (const stage of await runUntilKilled(path, end, kill)) seen.add(stage);
      followed = await recover(path, end, followed);
    }
    expect([...seen].sort()).toEqual(['caught up', 'followed', 'read', 'replaced']);
    rmSync(folder, { recursive: true });
  },
  SERIES_MS,
);

/** Kills the process up to 30 ms after a stage of a build. Returns the stages that it reached. */
async function runUntilKilled(path: string, end: number, kill: number): Promise<string[]> {
  const child = fork(built('build-until-killed'), [path, String(end)], { stdio: 'inherit' });
  const exit = once(child, 'exit');
  // Chosen in advance and spread over all stages, so that the machine's speed does not decide which stages are hit.
  const wanted = 1 + Math.floor(((kill + random()) / KILLS) * STAGES);
  const laterMs = random() * 30;
  const stages: string[] = [];
  child.on('message', (stage: string) => {
    stages.push(stage);
    if (stages.filter((one) => one !== 'followed').length < wanted && !stage.startsWith('wrong')) return;
    setTimeout(() => child.kill('SIGKILL'), laterMs);
  });
  expect(await exit).toEqual([null, 'SIGKILL']);
  return stages;
}

/**
 * Opens the file as the next start does, applies the missing changes and compares every post. Returns the position up
 * to which the file has all changes.
 */
async function recover(path: string, end: number, begun: number | null): Promise<number> {
  const { db, isEmpty } = openForWriting(path, 'epoch');
  const writer = new IndexWriter(db, isEmpty);
  const { position } = writer.summary();
  // If the file was complete before, it still has a position, and not an earlier one.
  expect(position?.at ?? -1).toBeGreaterThanOrEqual(begun ?? -1);
  expect(['next', 'building'].filter((suffix) => existsSync(`${path}.${suffix}`))).toEqual([]);
  const changes = new Changes(end);
  if (isEmpty) {
    writer.apply({ posts: changes.all(), position: null });
    writer.finishBuild();
  }
  writer.apply({ posts: changes.since(position?.at ?? end), position: { at: end, beat: 1 } });
  const byId = changes.all().sort((one, other) => Buffer.compare(one.oid, other.oid));
  async function* each() {
    yield* byId;
  }
  expect((await checkIndex(path, each())).differences).toEqual([]);
  closeWritten(db);
  return end;
}
