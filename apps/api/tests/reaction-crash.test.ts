import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { openDatabase } from '../src/db/database.ts';
import { ReactionStore } from '../src/reactions/reaction-store.ts';

it('does not take a broken connection for a reaction that is there already', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'reaction-crash-'));
  const mongo = await openEmbeddedMongo({ directory, cacheMegabytes: 256 });
  const database = await openDatabase(mongo.uri);
  const store = new ReactionStore(database.db);
  const setting = { post: new ObjectId(), wallet: 'w', type: 'heart' as const, isOn: true, at: new Date() };
  await store.read(setting.post, 'w');
  // A stopped engine accepts the command without an answer. Killing it then breaks the connection.
  const engine = mongo.pid() as number;
  process.kill(engine, 'SIGSTOP');
  const answer = expect(store.set([setting])).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  process.kill(engine, 'SIGKILL');
  await answer;
  await database.close();
  await mongo.close();
  rmSync(directory, { recursive: true, force: true });
});
