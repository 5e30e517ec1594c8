import { expect, it } from '@jest/globals';
import { clientOf } from '../clients.ts';
import { type ExportKind, ExportSlots } from './export-slots.ts';

function held() {
  const slots = new ExportSlots();
  const ends: (() => void)[] = [];
  const take = (address: string, kind: ExportKind = 'list', writableNeedDrain = false) =>
    slots.run(kind, clientOf(address), { writableNeedDrain }, () => new Promise((resolve) => ends.push(resolve)));
  return { take, ends };
}

it('gives each client one export at a time, and a few to all', async () => {
  const { take, ends } = held();
  const first = take('192.0.2.1');
  await expect(take('192.0.2.1')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^Your last/),
  });
  const others = [take('198.51.100.1'), take('203.0.113.1')];
  await expect(take('2001:db8::1')).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '10' } });
  ends[0]?.();
  await first;
  const next = take('2001:db8::1');
  for (const end of ends) end();
  await Promise.all([...others, next]);
});

it('leaves places for others, however many prefixes of one network ask', async () => {
  const { take, ends } = held();
  const first = take('2001:db8:1:1::1');
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:ff00::1'])
    await expect(take(address)).rejects.toMatchObject({ message: expect.stringMatching(/for your network/) });
  const visitor = take('198.51.100.1');
  for (const end of ends) end();
  await Promise.all([first, visitor]);
});

it('keeps places for mirrors and for people’s own data, whatever lists are read', async () => {
  const { take, ends } = held();
  const lists = ['192.0.2.1', '198.51.100.1', '203.0.113.1'].map((address) => take(address));
  const others = [take('2001:db8::1', 'mirror'), take('2001:db8::1', 'own')];
  for (const end of ends) end();
  await Promise.all([...lists, ...others]);
});

it('gives the place back where an export fails', async () => {
  const slots = new ExportSlots();
  const client = clientOf('192.0.2.1');
  const reader = { writableNeedDrain: false };
  await expect(slots.run('list', client, reader, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await slots.run('list', client, reader, async () => {});
});

it('counts no export that waits for its reader, up to a number that are open', async () => {
  const { take, ends } = held();
  const slow = Array.from({ length: 31 }, (_, at) => take(`10.0.${at}.1`, 'list', true));
  const visitor = take('192.0.2.1');
  await expect(take('198.51.100.1')).rejects.toMatchObject({ code: 'rate_limited' });
  for (const end of ends) end();
  await Promise.all([...slow, visitor]);
});
