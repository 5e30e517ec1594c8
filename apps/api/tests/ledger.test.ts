import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { Ledger, ledgerFolder } from '../src/ledger/ledger.ts';
import type { LedgerEntry } from '../src/ledger/ledger-entry.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
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
    // A device that is always full, in place of the next month's file.
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
});
