import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { offerLocalBluesky } from '@archive/local-bluesky';

/** One build, one engine and, where a test asks for it, one Bluesky network for all files of a run; a caller may name a database. */
export default async function setUp(): Promise<void> {
  // The index threads and what is killed in the tests run from the build.
  execFileSync(process.execPath, ['build.mjs'], { cwd: join(__dirname, '..'), stdio: 'inherit' });
  await offerLocalBluesky();
  if (process.env['MONGODB_URI']) return;
  const mongo = await openEmbeddedMongo({ directory: mkdtempSync(join(tmpdir(), 'api-tests-')), cacheMegabytes: 256 });
  process.env['MONGODB_URI'] = mongo.uri;
  (globalThis as { mongo?: { close(): Promise<void> } }).mongo = mongo;
}
