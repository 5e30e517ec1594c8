import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { clientOf } from '../clients.ts';
import { download } from '../http/replies.ts';
import { type ExportKind, ExportSlots } from './export-slots.ts';

/** Exports of three parts. The test finishes each part; `begun` lists the started ones in order. */
function held({ highWaterMark = 1024 } = {}) {
  const slots = new ExportSlots();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  async function* make(name: string) {
    for (let part = 0; part < 3; part++) {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      yield `part ${part}\n`;
    }
  }
  const take = (
    address: string,
    { kind = 'list' as ExportKind, reads = true, signal = undefined as AbortSignal | undefined } = {},
  ) => {
    const response = Object.assign(new PassThrough({ highWaterMark }), { setHeader() {} });
    if (reads) response.resume();
    const asker = { client: clientOf(address), ...(signal && { signal }) };
    const reply = download({ name: 'all', type: 'text/csv' }, () => make(address), { slot: slots.of(kind, asker) });
    return reply({ method: 'GET' } as Request, response as unknown as Response);
  };
  const settle = () => new Promise(setImmediate);
  /** Finishes the oldest started part, so that the next one starts. */
  const end = async () => {
    ends.shift()?.();
    await settle();
  };
  const endAll = async () => {
    while (ends.length > 0) await end();
  };
  return { take, end, endAll, settle, begun };
}

it('gives each client one export at a time, and a few to all', async () => {
  const { take, endAll, settle, begun } = held();
  const first = take('192.0.2.1');
  await expect(take('192.0.2.1')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^Your last/),
    headers: { 'Retry-After': '10' },
  });
  const others = ['198.51.100.1', '203.0.113.1', '2001:db8::1'].map((address) => take(address));
  await settle();
  expect(begun).toHaveLength(3);
  await endAll();
  await Promise.all([first, ...others]);
  await Promise.all([take('192.0.2.1'), settle().then(endAll)]);
});

it('begins that of a newcomer next, whatever three networks read', async () => {
  const { take, end, endAll, settle, begun } = held();
  const greedy = ['2001:db8:1::1', '2001:db8:2::1', '2001:db8:3::1'].map((address) => take(address));
  await settle();
  const visitor = take('198.51.100.7');
  await settle();
  await end();
  expect(begun).toEqual(['2001:db8:1::1', '2001:db8:2::1', '2001:db8:3::1', '198.51.100.7']);
  await endAll();
  await Promise.all([...greedy, visitor]);
});

it('leaves places for others, however many prefixes of one network ask', async () => {
  const { take, endAll, settle } = held();
  const first = take('2001:db8:1:1::1');
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:ff00::1'])
    await expect(take(address)).rejects.toMatchObject({ message: expect.stringMatching(/for your network/) });
  const visitor = take('198.51.100.1');
  await settle();
  await endAll();
  await Promise.all([first, visitor]);
});

it('keeps places for mirrors and for people’s own data, whatever lists are read', async () => {
  const { take, endAll, settle, begun } = held();
  const lists = ['192.0.2.1', '198.51.100.1', '203.0.113.1'].map((address) => take(address));
  const others = (['mirror', 'own'] as const).map((kind) => take('2001:db8::1', { kind }));
  await settle();
  expect(begun).toHaveLength(5);
  await endAll();
  await Promise.all([...lists, ...others]);
});

it('gives the place back where an export fails, and where its reader leaves before its turn', async () => {
  const { take, endAll, settle, begun } = held();
  const broken = new ExportSlots();
  const fail = () => {
    const response = Object.assign(new PassThrough(), { setHeader() {} }) as unknown as Response;
    const whole = (async function* () {
      yield await Promise.reject(new Error('broken'));
    })();
    const reply = download({ name: '', type: '' }, () => whole, {
      slot: broken.of('list', { client: clientOf('192.0.2.1') }),
    });
    return reply({ method: 'GET' } as Request, response);
  };
  for (let times = 0; times < 2; times++) await expect(fail()).rejects.toThrow('broken');

  const others = ['198.51.100.1', '203.0.113.1', '2001:db8::1'].map((address) => take(address));
  await settle();
  const gone = new AbortController();
  const left = take('192.0.2.1', { signal: gone.signal });
  await settle();
  gone.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  await endAll();
  await Promise.all(others);
  expect(begun).not.toContain('192.0.2.1');
});

it('counts no export that waits for its reader, up to a number that are open', async () => {
  const { take, endAll, settle, begun } = held({ highWaterMark: 1 });
  for (let at = 0; at < 31; at++) void take(`10.${at}.0.1`, { reads: false });
  await settle();
  await endAll();
  const before = begun.length;
  const visitor = take('192.0.2.1');
  await settle();
  expect(begun.slice(before)).toEqual(['192.0.2.1']);
  await expect(take('198.51.100.1')).rejects.toMatchObject({ message: expect.stringMatching(/^Too many/) });
  await endAll();
  await visitor;
});
