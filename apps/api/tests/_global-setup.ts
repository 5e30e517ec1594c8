import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';

/** One engine for all files of a run, unless the caller names a database. */
export default async function setUp(): Promise<void> {
  if (process.env['MONGODB_URI']) return;
  const mongo = await openEmbeddedMongo({ directory: mkdtempSync(join(tmpdir(), 'api-tests-')), cacheMegabytes: 256 });
  process.env['MONGODB_URI'] = mongo.uri;
  (globalThis as { mongo?: { close(): Promise<void> } }).mongo = mongo;
}
