import { expect, test } from '@jest/globals';
import { ownWork } from '../clients.ts';
import type { Asker } from '../question-queue.ts';
import { Sitemap } from './sitemap.ts';

const ID = Buffer.from('6b06d885eaf5664085dd4d05', 'hex');

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('a caller whose line does not move keeps no other from the list of parts', async () => {
  const slow: Asker = { client: ownWork('slow') };
  const other: Asker = { client: ownWork('other') };
  let asked = 0;
  const ask = (_name: string, _asked: object, asker: Asker) => {
    asked++;
    return asker === slow ? new Promise<never>(() => {}) : (Promise.resolve([ID]) as Promise<never>);
  };
  const sitemap = new Sitemap({ ask }, () => 0);
  void textOf(sitemap.parts('https://amber.example', slow));
  const list = await textOf(sitemap.parts('https://amber.example', other));
  expect(list).toContain(`<loc>https://amber.example/sitemap/${'0'.repeat(24)}.xml</loc>`);
  // The result is shared: a second caller causes no query.
  const before = asked;
  expect(await textOf(sitemap.parts('https://amber.example', slow))).toBe(list);
  expect(asked).toBe(before);
});
