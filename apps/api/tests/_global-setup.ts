import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedMongo, openEmbeddedMongo } from '@archive/embedded-mongo';
import { offerLocalBluesky } from '@archive/local-bluesky';

/** The resources that the teardown releases. */
export interface Opened {
  folder?: string;
  mongo?: EmbeddedMongo;
}

/** A file system in memory. */
const MEMORY = '/dev/shm';
/** Bytes: many times the size of the tests' files. */
const LEAST_BYTES = 2_000_000_000;

/**
 * Prepares one build, one database engine and, on demand, one Bluesky network for all test files of a run. A caller may
 * name a database instead.
 */
export default async function setUp(): Promise<void> {
  // The index threads and the killed processes run from the build.
  execFileSync(process.execPath, ['build.mjs'], { cwd: join(__dirname, '..'), stdio: 'inherit' });
  await offerLocalBluesky();
  const opened = globalThis as Opened;
  // The teardown deletes this folder with everything that the tests write.
  opened.folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'api-tests-'));
  // If the tests run as root, the local Bluesky network's database runs as another user.
  chmodSync(opened.folder, 0o711);
  process.env['TMPDIR'] = opened.folder;
  if (process.env['MONGODB_URI']) return;
  opened.mongo = await openEmbeddedMongo({ directory: join(opened.folder, 'mongo'), cacheMegabytes: 256 });
  process.env['MONGODB_URI'] = opened.mongo.uri;
}

/**
 * Whether there is room in memory. There a collection or an index costs half of its time on a disk, and tests make
 * hundreds.
 */
function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > LEAST_BYTES;
}
