import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedMongo, openEmbeddedMongo } from '@archive/embedded-mongo';
import { offerLocalBluesky } from '@archive/local-bluesky';

/** What is taken down again in the end. */
export interface Opened {
  folder?: string;
  mongo?: EmbeddedMongo;
}

/** Files in memory. */
const MEMORY = '/dev/shm';
/** Many times what the tests' files take. */
const LEAST_BYTES = 2_000_000_000;

/** One build, one engine and, where a test asks for it, one Bluesky network for all files of a run; a caller may name a database. */
export default async function setUp(): Promise<void> {
  // The index threads and what is killed in the tests run from the build.
  execFileSync(process.execPath, ['build.mjs'], { cwd: join(__dirname, '..'), stdio: 'inherit' });
  await offerLocalBluesky();
  const opened = globalThis as Opened;
  // Whatever a test writes goes with this folder.
  opened.folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'api-tests-'));
  // The local Bluesky network's database runs as another user where this one is root.
  chmodSync(opened.folder, 0o711);
  process.env['TMPDIR'] = opened.folder;
  if (process.env['MONGODB_URI']) return;
  opened.mongo = await openEmbeddedMongo({ directory: join(opened.folder, 'mongo'), cacheMegabytes: 256 });
  process.env['MONGODB_URI'] = opened.mongo.uri;
}

/** Each of the hundreds of collections and indexes that a test makes costs half of what it does on a disk. */
function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > LEAST_BYTES;
}
