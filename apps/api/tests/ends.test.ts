import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startApi } from '@archive/processes';
import { expect, it } from '@jest/globals';
import { connectDatabase } from '../src/db/database.ts';
import { runReactionKills } from '../trials/reaction-kills.ts';
import { rollUnderTraffic } from '../trials/two-processes.ts';

// Short versions of the full tier's tests: processes of the built product that end or are killed.

it('answers every request that has reached it when it is told to end', async () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const uri = new globalThis.URL(process.env['MONGODB_URI'] as string);
  uri.pathname = `/${name}`;
  const api = await startApi({
    port: await freePort(),
    mongodbUri: uri.href,
    dataDir: mkdtempSync(join(tmpdir(), 'ends-')),
    env: { ...process.env, RATE_LIMITS: 'off', LOG_LEVEL: 'silent', WEB_DIR: undefined },
  });
  const { answered, cut } = await rollUnderTraffic(api);
  expect(cut).toEqual([]);
  expect(answered).toBeGreaterThan(30);
  const database = await connectDatabase(uri.href, name);
  await database.db.dropDatabase();
  await database.close();
});

it('loses no acknowledged reaction or profile change when API or engine are killed', async () => {
  const report = await runReactionKills({ trials: 2, seed: 5 });
  expect(report.wrong).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(10);
});
