import { expect, it } from '@jest/globals';
import { ExportSlots } from './export-slots.ts';

it('gives each address one export at a time, and a few to all', async () => {
  const slots = new ExportSlots();
  const ends: (() => void)[] = [];
  const take = (who: string) => slots.run(who, () => new Promise((resolve) => ends.push(resolve)));
  const first = take('one');
  await expect(take('one')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^Your last/),
  });
  const others = [take('two'), take('three')];
  await expect(take('four')).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '10' } });
  ends[0]?.();
  await first;
  const next = take('four');
  for (const end of ends) end();
  await Promise.all([...others, next]);
});

it('gives the place back where an export fails', async () => {
  const slots = new ExportSlots();
  await expect(slots.run('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await slots.run('one', async () => {});
});
