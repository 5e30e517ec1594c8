import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { featureEnv, TestWallet } from '@archive/testing';
import { BrowserKeys, PushEndpoint } from '@archive/testing/push';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import bs58 from 'bs58';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { parse } from 'yaml';
import { Lease } from '../src/background/lease.ts';
import { backUp } from '../src/cli/back-up.ts';
import { ArchiveState } from '../src/db/archive-state.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { Metrics } from '../src/metrics/metrics.ts';
import { PushFinder } from '../src/notices/push-finder.ts';
import { PushSender } from '../src/notices/push-sender.ts';
import { newPushKeys } from '../src/push-keys.ts';
import { isShowable, metricsIn, readScrape, rings, type Scrape } from './_expressions.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const ROOT = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { groups } = parse(read('docker/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const keys = newPushKeys();
/** Alarms that some test has triggered. */
const rung = new Set<string>();

class Watched {
  readonly api: TestApi;
  readonly metrics: Metrics;
  readonly #port: number;
  readonly #scrapes: Scrape[] = [];

  private constructor(api: TestApi, metrics: Metrics) {
    this.api = api;
    this.metrics = metrics;
    this.#port = metrics.port;
  }

  /** `partMs` is long, so that a slow machine omits no part of a scrape. One test shortens it. */
  static async start(options: Parameters<typeof startTestApi>[0] = {}, partMs = 120_000): Promise<Watched> {
    const api = await startTestApi({ ...options, env: { RATE_LIMITS: 'off', DISK_FLOOR: '0', ...options.env } });
    const metrics = new Metrics(api.context, { port: 0, host: '127.0.0.1' }, { keptMs: 0, partMs });
    await metrics.start();
    const watched = new Watched(api, metrics);
    await watched.scrape();
    return watched;
  }

  /** Scrapes as Prometheus does, which adds `up`. */
  async scrape(): Promise<Scrape> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/metrics`).catch(() => null);
    const scrape = readScrape((await answer?.text()) ?? '', Date.now() / 1_000);
    scrape.samples.push({ name: 'up', labels: { job: 'amber' }, value: answer?.ok ? 1 : 0 });
    this.#scrapes.push(scrape);
    return scrape;
  }

  /** The alarms that fire now, according to all scrapes so far. */
  async ringing(): Promise<string[]> {
    await this.scrape();
    return rules.filter(({ expr }) => rings(expr, this.#scrapes)).map(({ alert }) => alert);
  }

  /** Expects that an alarm fires after its cause, and not before. */
  async expectRung(alert: string, cause: () => Promise<unknown>): Promise<void> {
    expect(await this.ringing()).not.toContain(alert);
    // Drops earlier scrapes, so that rates cover only the cause.
    if (alert !== 'Restarting') this.#scrapes.splice(0, this.#scrapes.length - 1);
    await cause();
    expect(await this.ringing()).toContain(alert);
    rung.add(alert);
  }

  async stop(): Promise<void> {
    await this.metrics.stop();
    await this.api.close();
  }
}

describe('alarms', () => {
  let solana: LocalSolana;
  let service: PushEndpoint;
  let watched: Watched;

  beforeAll(async () => {
    solana = await openLocalSolana({ slotMs: 0 });
    service = await PushEndpoint.open();
    const ofX = { X_API_KEY: 'a', X_API_SECRET: 'b', X_ACCESS_TOKEN: 'c', X_ACCESS_SECRET: 'd' };
    const ofPush = { VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: keys.privateKey };
    const env = { ...featureEnv(solana), ...ofX, ...ofPush, SOURCE_LOCAL_HOSTS: service.host };
    watched = await Watched.start({ env });
    await watched.api.context.launches.offer.start();
    await solana.control.advance(1);
    await watched.api.add(newPost({ id: 'one', content: 'a ferry' }));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  afterAll(async () => {
    await watched?.stop();
    await service?.close();
    await solana?.close();
  });

  const collection = (name: string) => watched.api.context.database.db.collection(name);
  /** Moves a date field back by some minutes. */
  const age = (name: string, field: string, minutes: number) =>
    collection(name).updateMany({}, [{ $set: { [field]: { $subtract: [`$${field}`, minutes * 60_000] } } }]);
  const call = (method: 'get' | 'post' | 'put', path: string, token: string | null, body: object = {}) => {
    const one = request(watched.api.app)[method](`/amber${path}`);
    if (token) one.set('Authorization', `Bearer ${token}`);
    return method === 'get' ? one : one.send(body);
  };

  it('are all silent where nothing is wrong', async () => {
    expect(await watched.ringing()).toEqual([]);
  });

  it('ask metrics that are there, as the dashboard does', async () => {
    const wallet = new TestWallet();
    const { token } = await wallet.signIn(watched.api);
    await call('get', '/account', token);
    const names = new Set((await watched.scrape()).samples.map(({ name }) => name));
    // A standalone database does not export this metric.
    names.add('amber_database_members_away');
    const dashboard = JSON.parse(read('docker/grafana/amber.json')) as { panels: { targets: { expr: string }[] }[] };
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((expression) => !isShowable(expression))).toEqual([]);
    const asked = [...rules.map(({ expr }) => expr), ...shown].flatMap(metricsIn);
    expect([...new Set(asked)].filter((name) => !names.has(name))).toEqual([]);
  });

  it('each have a line in the guide that says what to do', () => {
    const table = read('docs/operations.md').split('## When an alarm rings')[1]?.split('\n## ')[0] ?? '';
    const told = [...table.matchAll(/^\| `(\w+)`\s*\| (\S.*?)\s*\| (\S.*?)\s*\|$/gm)].map(([, name]) => name);
    expect(told).toEqual(rules.map(({ alert }) => alert));
    for (const { annotations, labels, for: lasting } of rules) {
      expect(annotations.runbook).toBe('docs/operations.md#when-an-alarm-rings');
      expect(annotations.summary.length).toBeGreaterThan(20);
      expect(labels.severity).toMatch(/^(critical|warning)$/);
      expect(lasting).toMatch(/^\d+[mh]$/);
    }
  });

  it('ring where requests fail as nobody foresaw', () =>
    watched.expectRung('Failing', async () => {
      await collection('reactions').dropIndex('count');
      expect((await call('get', '/reactions/one', null)).status).toBe(500);
      await collection('reactions').createIndex({ post: 1, type: 1 }, { name: 'count' });
    }));

  it('ring where a launch was left by a process that died', () =>
    watched.expectRung('LaunchStuck', async () => {
      const at = new Date();
      const launch = { state: 'signed', wallet: 'w', mint: 'm', shown: false, createdAt: at, changedAt: at };
      await collection('launches').insertOne({ _id: new ObjectId(), ...launch });
      await age('launches', 'createdAt', 16);
    }));

  it('ring where a payment was told of that never came', () =>
    watched.expectRung('PaymentStuck', async () => {
      await watched.api.context.featuring.offer.start();
      const { token } = await new TestWallet().signIn(watched.api);
      const transaction = bs58.encode(Buffer.alloc(64, 7));
      const { status } = await call('post', '/feature/verify', token, { amberId: 'one', transaction });
      expect(status).toBe(202);
      await age('payment_reports', 'reportedAt', 31);
    }));

  it('ring where nobody works on what was asked to be saved', () =>
    watched.expectRung('SavesStuck', async () => {
      const { token } = await new TestWallet().signIn(watched.api);
      const url = `https://bsky.app/profile/did:plc:${'a'.repeat(24)}/post/3lbxyzabcde2f`;
      expect((await call('post', '/saves', token, { url })).status).toBeLessThan(300);
      await age('saves', 'createdAt', 61);
    }));

  it('ring where an agent has not come back', () =>
    watched.expectRung('AgentAway', async () => {
      expect(await new Lease(watched.api.context.database.db, 'agent-x').take()).toBe(true);
      await age('leases', 'until', 6);
    }));

  it('ring where an agent that runs cannot reach its platform', async () => {
    const { db } = watched.api.context.database;
    await db.collection('leases').deleteMany({});
    expect(await new Lease(db, 'agent-x').take()).toBe(true);
    await watched.expectRung('AgentAway', async () => {
      await db.collection<{ _id: string }>('agents').insertOne({ _id: 'x', awaySince: new Date() } as never);
      await age('agents', 'awaySince', 6);
    });
  });

  it('ring where a push service refuses what is sent', () =>
    watched.expectRung('PushesFailing', async () => {
      service.answer = (_request, response) => void response.writeHead(400).end();
      const { context } = watched.api;
      const { token } = await new TestWallet().signIn(watched.api);
      const endpoint = `http://${service.host}/send/1`;
      await call('put', '/notices/browsers', token, { endpoint, keys: new BrowserKeys().keys, expirationTime: null });
      await call('post', '/searches', token, { query: 'search=ferry' });
      await watched.api.add(newPost({ content: 'another ferry' }));
      const needs = { ...context, pushes: context.notices.pushes };
      await new PushFinder(needs, keys).look();
      await new PushSender(needs, keys).look();
      expect(service.pushed.length).toBeGreaterThan(0);
    }));

  it('ring where pictures of many posts cannot be fetched', () =>
    watched.expectRung('MediaMissing', async () => {
      await watched.api.add(...Array.from({ length: 101 }, () => newPost()));
      await collection('posts').updateMany({}, { $set: { mediaDueAt: new Date() } });
    }));

  it('ring where the ledger cannot be written to', () =>
    watched.expectRung('LedgerUnwritable', async () => {
      const folder = ledgerFolder(watched.api.context.config.dataDir);
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
    }));

  it('ring where little is left on the disk, as its setting has it', async () => {
    const other = await Watched.start({ env: { DISK_FLOOR: '999999' } });
    expect(await other.ringing()).toEqual(['DiskShort']);
    rung.add('DiskShort');
    await other.stop();
  });

  it('ring where the launch key holds too little', async () => {
    const other = await Watched.start({ env: { ...featureEnv(solana), LAUNCH_BALANCE_FLOOR: '1000000' } });
    await other.expectRung('LaunchKeyLow', async () => {
      await other.api.context.launches.offer.start();
      await solana.control.advance(1);
    });
    await other.stop();
  });

  it('ring where a node answers nothing of use', async () => {
    const node = createServer((_request, response) => void response.writeHead(500).end());
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const other = await Watched.start({
      env: { SOLANA_RPC_URL: `http://127.0.0.1:${(node.address() as AddressInfo).port}` },
    });
    await other.expectRung('NodeFailing', async () => {
      await expect(other.api.context.chain?.blockHeight()).rejects.toThrow('HTTP 500');
    });
    await other.stop();
    node.close();
  });

  it('ring where what other processes do is not followed', async () => {
    const other = await Watched.start();
    await other.expectRung('IndexBehind', async () => {
      await other.api.context.posts.follower.stop();
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    });
    await other.stop();
  });

  it('ring where the driver sees a member of the replica set go, and are silent once it is back', async () => {
    const other = await Watched.start();
    const { database } = other.api.context;
    // A set with one member cannot lose one, so the test emits the driver's event.
    database.isReplicaSet = true;
    const seen = (...types: string[]) =>
      database.client.emit('topologyDescriptionChanged', {
        newDescription: { servers: new Map(types.map((type, at) => [`mongo-${at}`, { type }])) },
      } as never);
    seen('RSPrimary', 'RSSecondary', 'RSSecondary');
    await other.expectRung('MemberAway', async () => seen('RSPrimary', 'RSSecondary', 'Unknown'));
    seen('RSPrimary', 'RSSecondary', 'RSSecondary');
    expect(await other.ringing()).not.toContain('MemberAway');
    await other.stop();
  });

  it('ring where a process begins again and again, and not for one roll', async () => {
    const other = await Watched.start();
    const began = performance.timeOrigin;
    const restart = (seconds: number) => {
      jest.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(began + seconds * 1_000);
      return other.scrape();
    };
    await restart(1);
    await other.expectRung('Restarting', () => restart(2));
    await other.stop();
  });

  it('ring where no backup has been made and copied for two days', async () => {
    const other = await Watched.start();
    const { database } = other.api.context;
    const state = new ArchiveState(database.db);
    await state.noteBackup(new Date());
    await other.expectRung('BackupOld', () => state.noteBackup(new Date(Date.now() - 49 * 3_600_000)));
    const directory = mkdtempSync(join(tmpdir(), 'alarm-'));
    const [first, second] = ['first', 'second'].map((name) => join(directory, name)) as [string, string];
    expect(await backUp(database, first, { copy: 'exit 1' })).toBe(false);
    expect(await other.ringing()).toContain('BackupOld');
    expect(await backUp(database, second, { copy: `cp ${second} ${directory}/copy` })).toBe(true);
    expect(readFileSync(join(directory, 'copy'))).toEqual(readFileSync(second));
    rmSync(directory, { recursive: true });
    expect(await other.ringing()).not.toContain('BackupOld');
    await other.stop();
  });

  it('ring while the index is built', async () => {
    const other = await Watched.start({ start: false });
    expect(await other.ringing()).toContain('IndexNotReady');
    rung.add('IndexNotReady');
    await other.stop();
  });

  it('ring while the search cluster does not answer', async () => {
    const other = await Watched.start({ start: false, env: { SEARCH_URL: 'http://127.0.0.1:9' } });
    expect(await other.ringing()).toContain('SearchTroubled');
    rung.add('SearchTroubled');
    await other.stop();
  });

  it('ring where the database does not answer, and what cannot be read is left out and counted', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'alarm-'));
    const mongo = await openEmbeddedMongo({ directory, cacheMegabytes: 256 });
    const other = await Watched.start({ env: { MONGODB_URI: mongo.uri } }, 2_000);
    const engine = mongo.pid() as number;
    try {
      await other.expectRung('Away', async () => process.kill(engine, 'SIGSTOP'));
      const { samples } = await other.scrape();
      expect(samples.filter(({ name }) => name === 'amber_saves')).toEqual([]);
      const failures = samples.filter(({ name }) => name === 'amber_scrape_failures_total');
      expect(failures.map(({ labels }) => labels['part'])).toContain('saves');
    } finally {
      process.kill(engine, 'SIGCONT');
      await other.stop();
      await mongo.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('ring where the process itself has ended, which then tells nothing', async () => {
    const other = await Watched.start();
    await other.expectRung('Away', () => other.stop());
    expect(await other.ringing()).toEqual(['Away']);
  });

  it('have each rung once', () => {
    expect([...rung].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

it('metrics are answered on their own address alone, by route pattern, without anybody’s id', async () => {
  const watched = await Watched.start();
  const wallet = new TestWallet();
  await watched.api.add(newPost({ id: 'secret-id' }));
  const { token } = await wallet.signIn(watched.api);
  const get = (path: string) => request(watched.api.app).get(path).set('Authorization', `Bearer ${token}`);
  await get('/amber/archives/secret-id');
  await get('/amber/auth/me');
  await get(`/${wallet.address}`);
  expect((await get('/metrics')).status).toBe(404);
  const { samples } = await watched.scrape();
  const routes = samples.filter(({ name }) => name === 'amber_requests_total').map(({ labels }) => labels['route']);
  expect(routes).toEqual(expect.arrayContaining(['/amber/archives/:id', '/amber/auth/me', 'other']));
  const text = JSON.stringify(samples);
  for (const secret of [wallet.address, token, 'secret-id', '127.0.0.1']) expect(text).not.toContain(secret);
  for (const path of ['/', '/metrics/x', '/amber/archives'])
    expect((await fetch(`http://127.0.0.1:${watched.metrics.port}${path}`)).status).toBe(404);
  await watched.stop();
});
