import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../config.ts';
import { leaveSettings, takeSettings } from './running-settings.ts';

const CHAIN = { SOLANA_RPC_URL: 'http://127.0.0.1:8899', FEATURE_WALLET: 'wallet', FEATURE_MINT: 'mint' };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'running-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function taken(env: Record<string, string | undefined> = {}) {
  const all = { DATA_DIR: folder, ...env };
  takeSettings(all);
  return all;
}

test('a command beside a running server has its settings, where the environment does not set them', () => {
  const given = { ADMIN_WALLETS: 'admin', PORT: '4100', JWT_SECRET: 'secret', PATH: '/bin' };
  const takeBack = leaveSettings(folder, given, CHAIN);
  expect(taken()).toEqual({ DATA_DIR: folder, ADMIN_WALLETS: 'admin', PORT: '4100', ...CHAIN });
  expect(taken({ PORT: '4200', SOLANA_RPC_URL_FILE: '/secret' })).toEqual({
    DATA_DIR: folder,
    ADMIN_WALLETS: 'admin',
    PORT: '4200',
    SOLANA_RPC_URL_FILE: '/secret',
    FEATURE_WALLET: 'wallet',
    FEATURE_MINT: 'mint',
  });
  expect(taken({ NODE_ENV: 'production' })).toEqual({ DATA_DIR: folder, NODE_ENV: 'production' });
  takeBack();
  expect(taken()).toEqual({ DATA_DIR: folder });
});

test('a command beside a server with a bucket refuses without the key, since it would look at another store', () => {
  const bucket = { S3_BUCKET: 'media', S3_ENDPOINT: 'http://127.0.0.1:9000', S3_REGION: 'eu-1' };
  leaveSettings(folder, { ...bucket, S3_KEY: 'key', S3_SECRET: 'secret' }, CHAIN);
  expect(taken()).toEqual({ DATA_DIR: folder, ...bucket, ...CHAIN });
  expect(() => readConfig(taken())).toThrow('must be set together; not set: S3_KEY, S3_SECRET');
});

test('its file is for its owner alone, and counts for nothing once the server was killed or it cannot be read', () => {
  leaveSettings(folder, {}, CHAIN);
  const path = join(folder, 'running-settings.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const kept = JSON.parse(readFileSync(path, 'utf8'));
  // No process has this id.
  writeFileSync(path, JSON.stringify({ ...kept, pid: 2 ** 30 }));
  expect(taken()).toEqual({ DATA_DIR: folder });
  writeFileSync(path, '{');
  expect(taken()).toEqual({ DATA_DIR: folder });
});

test('of two servers over one folder the first one’s settings count, and stay when the second ends', () => {
  const path = join(folder, 'running-settings.json');
  // The parent of this test process stands for the first server.
  writeFileSync(path, JSON.stringify({ pid: process.ppid, settings: { PORT: '4100' } }));
  const takeBack = leaveSettings(folder, { PORT: '4200' }, CHAIN);
  expect(taken()).toEqual({ DATA_DIR: folder, PORT: '4100' });
  takeBack();
  expect(taken()).toEqual({ DATA_DIR: folder, PORT: '4100' });
});
