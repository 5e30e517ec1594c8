import { expect, test } from '@jest/globals';
import { readMessage } from './message.ts';

const ORIGIN = 'https://amber.example';
const read = (text: string) => readMessage(text, ORIGIN);

test('a message is shown as it was meant', () => {
  const words = { title: 'Amber', body: '3 new posts in “Night ferry”', tag: 'search-1' };
  const shown = { ...words, data: { url: '/?search=ferry' } };
  expect(read(JSON.stringify({ ...words, url: '/?search=ferry' }))).toMatchObject(shown);
});

test('a message leads nowhere but to a place of ours', () => {
  for (const url of [
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://[',
    '\\\\evil.example',
  ])
    expect(read(JSON.stringify({ title: 'a', url })).data).toEqual({ url: '/dashboard' });
  expect(read(JSON.stringify({ url: `${ORIGIN}/post/1` })).data).toEqual({ url: '/post/1' });
});

test('what cannot be read is one plain notification', () => {
  for (const text of ['', 'null', '7', '{', '[]', '{"title":7}'])
    expect(read(text)).toMatchObject({
      title: 'Amber',
      body: 'Something has come to pass.',
      data: { url: '/dashboard' },
    });
});
