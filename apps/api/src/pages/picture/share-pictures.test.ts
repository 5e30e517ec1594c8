import type { Post } from '@archive/contracts';
import { expect, it } from '@jest/globals';
import { clientOf } from '../../clients.ts';
import { SharePictures } from './share-pictures.ts';

/** A thread that draws pictures in order, each when the test says so. */
function heldPictures() {
  const reached: string[] = [];
  const ends: (() => void)[] = [];
  const draw = ({ words }: { words: string | null }) =>
    new Promise<Buffer>((resolve) => {
      reached.push(words ?? '');
      ends.push(() => resolve(Buffer.from(`picture of ${words}`)));
    });
  const pictures = new SharePictures({ draw }, { find: async () => null, open: async () => null } as never);
  const find = (words: string, address: string, signal?: AbortSignal) => {
    const fields = { author: 'Ada', authorUsername: 'ada', authorAvatar: null, timestamp: '2026-01-01', media: [] };
    const post = { _id: words, content: words, sensitive: false, ...fields } as unknown as Post;
    return pictures.find(post, { client: clientOf(address), ...(signal && { signal }) }).then(
      ({ png }) => png.toString(),
      (error) => (error as { code?: string }).code ?? (error as Error).message,
    );
  };
  const settle = () => new Promise(setImmediate);
  /** Finishes the current picture, so that the next one starts. */
  const end = async () => {
    ends.shift()?.();
    await settle();
  };
  return { pictures, find, end, settle, reached };
}

it('of a visitor is drawn next, whatever four networks ask for', async () => {
  const { find, end, settle, reached } = heldPictures();
  for (let at = 0; at < 40; at++) void find(`flood ${at}`, `2001:db8:${at % 4}:${at % 2}::${at}`);
  await settle();
  await end();
  const visitor = find('page', '198.51.100.7');
  await settle();
  await end();
  expect(reached.at(-1)).toBe('page');
  await end();
  expect(await visitor).toBe('picture of page');
});

it('that two wait for is drawn once, also where the first one leaves', async () => {
  const { find, end, settle, reached, pictures } = heldPictures();
  const gone = new AbortController();
  const [first, second, third] = [
    find('other', '192.0.2.1'),
    find('page', '203.0.113.1', gone.signal),
    find('page', '198.51.100.7'),
  ];
  const fourth = find('page', '198.51.100.8');
  await settle();
  gone.abort(new Error('left'));
  expect(await second).toBe('left');
  for (let ended = 0; ended < 3; ended++) await end();
  expect(await Promise.all([first, third, fourth])).toEqual(['picture of other', 'picture of page', 'picture of page']);
  expect([reached, pictures.size]).toEqual([['other', 'page'], 2]);
});

it('of a post that is removed while it is drawn is not kept', async () => {
  const { find, end, settle, pictures } = heldPictures();
  const removed = find('removed', '192.0.2.1');
  await settle();
  pictures.forget('removed');
  await end();
  expect([await removed, pictures.size]).toEqual(['picture of removed', 0]);
});
