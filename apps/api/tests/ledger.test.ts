import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestWallet } from '@archive/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { revokeKey } from '../src/accounts/change-keys.ts';
import { Ledger, ledgerFolder } from '../src/ledger/ledger.ts';
import type { LedgerEntry } from '../src/ledger/ledger-entry.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { unmakeModerator } from '../src/operators/change-moderators.ts';
import { setSuspension, setSwitch } from '../src/operators/change-stops.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { newPost, startTestApi } from './_test-api.ts';

describe('the ledger', () => {
  let folder: string;
  let time = 0;
  const clock = { now: () => new Date(time) };
  const names: string[] = [];
  const register = async (name: string) => names.push(name);
  const optOut = (handle: string): LedgerEntry => ({ kind: 'opt-out', handle });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    time = Date.UTC(2026, 0, 31, 23, 59);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const only = () => join(folder, readdirSync(folder)[0] as string);

  it('gives back what several processes wrote, in the order of time, each value as it was', async () => {
    const [one, other] = [new Ledger(folder, clock, register), new Ledger(folder, clock, register)];
    const removal: LedgerEntry = {
      kind: 'removal',
      post: new ObjectId(),
      ids: ['1', '2'],
      fingerprint: 'f',
      removedAt: new Date(time),
    };
    await one.record(removal);
    time += 1;
    await other.record(optOut('ada'));
    time += 1;
    await one.record({ kind: 'opt-in', handle: 'ada' });
    const content = await readLedger(folder);
    expect(content?.entries.map(({ at: _at, ...entry }) => entry)).toEqual([
      removal,
      optOut('ada'),
      { kind: 'opt-in', handle: 'ada' },
    ]);
    expect(content).toMatchObject({ files: readdirSync(folder).sort(), torn: [] });
    expect(names.sort()).toEqual(content?.files);
    await Promise.all([one.close(), other.close()]);
  });

  it('begins a file each month', async () => {
    const ledger = new Ledger(folder, clock, register);
    await ledger.record(optOut('january'));
    time += 120_000;
    await ledger.record(optOut('february'));
    await ledger.close();
    expect(readdirSync(folder).map((name) => name.slice(0, 7))).toEqual(['2026-01', '2026-02']);
  });

  it('passes over a last line that was cut off and says so, wherever it was cut', async () => {
    const ledger = new Ledger(folder, clock, register);
    await ledger.record(optOut('first'));
    const first = readFileSync(only()).length;
    await ledger.record(optOut('second'));
    await ledger.close();
    const whole = readFileSync(only());
    for (let length = first + 1; length < whole.length; length++) {
      writeFileSync(only(), whole.subarray(0, length));
      const content = await readLedger(folder);
      expect(content?.entries).toHaveLength(1);
      expect(content?.torn).toHaveLength(1);
    }
  });

  it('refuses a broken line that others follow', async () => {
    const ledger = new Ledger(folder, clock, register);
    await ledger.record(optOut('first'));
    appendFileSync(only(), '{"half\n');
    await ledger.record(optOut('second'));
    await ledger.close();
    await expect(readLedger(folder)).rejects.toThrow('line 2');
  });

  it('refuses what went into a file that was deleted meanwhile', async () => {
    const ledger = new Ledger(folder, clock, register);
    await ledger.record(optOut('before'));
    rmSync(only());
    await expect(ledger.record(optOut('lost'))).rejects.toMatchObject({ code: 'ledger_unavailable' });
    await ledger.record(optOut('after'));
    await ledger.close();
    expect((await readLedger(folder))?.entries).toHaveLength(1);
  });

  it('tells an empty folder from none', async () => {
    expect(await readLedger(folder)).toEqual({ entries: [], files: [], torn: [] });
    expect(await readLedger(join(folder, 'none'))).toBeNull();
  });

  it('keeps nobody waiting for a disk that hangs', async () => {
    let goOn = () => {};
    const hanging = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const ledger = new Ledger(folder, clock, () => hanging, 20);
    await expect(ledger.record(optOut('first'))).rejects.toMatchObject({ code: 'ledger_unavailable' });
    await expect(ledger.record(optOut('second'))).rejects.toMatchObject({ code: 'ledger_unavailable' });
    goOn();
    await ledger.close();
  });

  it('refuses what a full disk does not take, and begins another file after it', async () => {
    const ledger = new Ledger(folder, clock, register);
    await ledger.record(optOut('before'));
    const kept = only();
    // A device that is always full replaces the next month's file.
    const next = kept.replace('2026-01', '2026-02').replace(/-1\.ndjson$/, '-2.ndjson');
    symlinkSync('/dev/full', next);
    time += 120_000;
    await expect(ledger.record(optOut('lost'))).rejects.toMatchObject({
      code: 'ledger_unavailable',
      cause: { code: 'ENOSPC' },
    });
    rmSync(next);
    await ledger.record(optOut('after'));
    await ledger.close();
    const handles = (await readLedger(folder))?.entries.map((entry) => 'handle' in entry && entry.handle);
    expect(handles).toEqual(['before', 'after']);
  });
});

describe('an author’s consent', () => {
  it('names the refusal that it ends, and none is written down where there is nothing to end', async () => {
    const api = await startTestApi();
    try {
      const { config, launches } = api.context;
      const [first, second] = [new Date(1), new Date(2)];
      expect(await launches.optOuts.remove('ada')).toBe(false);
      expect(await launches.optOuts.add('@Ada', first)).toBe(true);
      expect(await launches.optOuts.add('ada', second)).toBe(false);
      expect(await launches.optOuts.remove('ada')).toBe(true);
      const { entries } = (await readLedger(ledgerFolder(config.dataDir))) ?? {};
      expect(entries).toMatchObject([
        { kind: 'opt-out', handle: 'ada', createdAt: first },
        { kind: 'opt-in', handle: 'ada', createdAt: first },
      ]);
      expect(entries).toHaveLength(2);
    } finally {
      await api.close();
    }
  });
});

describe('what is not written down', () => {
  it('is not done: a removal, an opt-out', async () => {
    const api = await startTestApi();
    try {
      await api.add(newPost({ id: 'stays' }));
      const { config, posts, launches } = api.context;
      const folder = ledgerFolder(config.dataDir);
      rmSync(folder, { recursive: true });
      writeFileSync(folder, 'a file in its place');
      const post = await posts.store.find('stays');
      const remove = () => posts.store.remove(post?._id as ObjectId);
      await expect(remove()).rejects.toMatchObject({ code: 'ledger_unavailable' });
      await expect(launches.optOuts.add('ada', new Date())).rejects.toMatchObject({ code: 'ledger_unavailable' });
      expect(await launches.optOuts.has('ada')).toBe(false);
      expect(await posts.store.find('stays')).toEqual(post);
      rmSync(folder);
      expect(await remove()).toBe(true);
      expect((await readLedger(folder))?.entries).toMatchObject([{ kind: 'removal', post: post?._id, ids: ['stays'] }]);
    } finally {
      await api.close();
    }
  });
  it('is not done, whichever act it is, and done and told once it can be', async () => {
    const api = await startTestApi();
    try {
      const { context, add } = api;
      const { accounts, authors, config, launches, media, operators, posts } = context;
      const { sealed, store } = posts;
      const ids = ['hides', 'shows', 'seals', 'unseals', 'goes', 'goes-for-good'];
      for (const id of ids) await add(newPost({ id }));
      const found = new Map((await store.findEach(ids)).map((post, at) => [ids[at], post as PostDocument]));
      const postOf = (id: string) => found.get(id) as PostDocument;
      await sealed.hide(postOf('shows')._id, 'rules');
      for (const id of ['unseals', 'goes-for-good']) await sealed.seal(postOf(id), 'x', 'deleted', new Date());
      const { id: key } = await accounts.agentKeys.create('leaked');
      const wallet = new TestWallet().address;
      await operators.store.make(wallet, 'test');
      await launches.optOuts.add('bob', new Date());
      const by = { actor: { kind: 'command line' as const } };
      const author = { platform: 'x' as const, id: '1', handle: 'ann' };
      const sha256 = 'a'.repeat(64);
      const acts: [kind: string, act: () => Promise<unknown>, state: () => Promise<unknown>][] = [
        ['hidden', () => sealed.hide(postOf('hides')._id, 'rules'), () => store.find('hides')],
        ['unhidden', () => sealed.unhide(postOf('shows')._id), () => store.find('shows')],
        ['sealed', () => sealed.seal(postOf('seals'), 'x', 'deleted', new Date()), () => store.find('seals')],
        ['unsealed', () => sealed.unseal(postOf('unseals')._id, new Date()), () => store.find('unseals')],
        ['removal', () => store.remove(postOf('goes')._id), () => store.find('goes')],
        ['removal', () => sealed.remove(postOf('goes-for-good')), () => store.find('goes-for-good')],
        ['opt-out', () => launches.optOuts.add('ada', new Date()), () => launches.optOuts.has('ada')],
        ['opt-in', () => launches.optOuts.remove('bob'), () => launches.optOuts.has('bob')],
        ['wish', () => authors.wishes.set(author, { noArchive: true }, new Date()), () => authors.wishes.of('x', '1')],
        ['key-revoked', () => revokeKey(context, key, by), async () => (await accounts.agentKeys.list())[0]?.revokedAt],
        ['moderator-unmade', () => unmakeModerator(context, wallet, by), () => operators.roleOf(wallet)],
        ['switch', () => setSwitch(context, 'launching', true, by), () => operators.switches.isStopped('launching')],
        ['suspension', () => setSuspension(context, wallet, true, by), () => operators.wallets.isStopped(wallet)],
        ['media-blocked', () => media.block(sha256), () => media.isBlocked(sha256)],
      ];
      const folder = ledgerFolder(config.dataDir);
      rmSync(folder, { recursive: true });
      writeFileSync(folder, 'a file in its place');
      for (const [kind, act, state] of acts) {
        const before = await state();
        await expect(act()).rejects.toMatchObject({ code: 'ledger_unavailable' });
        expect([kind, await state()]).toEqual([kind, before]);
      }
      rmSync(folder);
      for (const [kind, act, state] of acts) {
        const before = await state();
        await act();
        expect([kind, await state()]).not.toEqual([kind, before]);
      }
      const told = (await readLedger(folder))?.entries.map(({ kind }) => kind).filter((kind) => kind !== 'audit-head');
      expect(told).toEqual(acts.map(([kind]) => kind));
    } finally {
      await api.close();
    }
  });
});
