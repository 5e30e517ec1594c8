import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, until } from '@archive/tiers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { callXrpc, installLocalBluesky } from '../src/index.ts';

let folder: string;
let opener: ChildProcess;
let pids: { network: number; postgres: number };
let service: string;

describe('when somebody is killed', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'opener-'));
    // If root starts it, Postgres runs as another user.
    chmodSync(folder, 0o711);
    opener = spawn(process.execPath, ['--import', 'tsx', join(__dirname, '_opener.mjs')], {
      cwd: __dirname,
      env: { ...process.env, TMPDIR: folder },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = await once(opener.stdout as NodeJS.ReadableStream, 'data');
    const report = JSON.parse(String(line)) as { pid: number; service: string };
    const [name = ''] = readdirSync(folder).filter((one) => one.startsWith('local-bluesky-'));
    const [postgres] = readFileSync(join(folder, name, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
    pids = { network: report.pid, postgres: Number(postgres) };
    service = report.service;
  });

  afterEach(() => {
    opener.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['opener', 'network'])('the %s: no process and no file is left', async (victim) => {
    expect(await callXrpc(service, 'com.atproto.server.describeServer')).toMatchObject({ did: 'did:web:localhost' });
    expect(Object.values(pids).map(isAlive)).toEqual([true, true]);
    process.kill(victim === 'opener' ? (opener.pid as number) : pids.network, 'SIGKILL');
    await until(() => !Object.values(pids).some(isAlive));
    await until(() => !readdirSync(folder).some((name) => name.startsWith('local-bluesky')));
  });
});

test('what is installed is not installed again', async () => {
  const said: string[] = [];
  await Promise.all([installLocalBluesky((line) => said.push(line)), installLocalBluesky((line) => said.push(line))]);
  expect(said).toEqual([]);
});
