import { expect, test } from '@jest/globals';
import { parseUrl } from './parse-url.ts';
import { idOfLink, platformOf } from './platforms.ts';
import { webAddressSchema } from './schemas/post-schema.ts';

const OFTEN = 30_000;

test('an address stays one, however often it is looked at', () => {
  let taken = 0;
  for (let at = 0; at < OFTEN; at++) if (webAddressSchema.safeParse('https://müller.example/').success) taken++;
  expect(taken).toBe(OFTEN);
});

test('what is no address is none', () => {
  expect(parseUrl('https://')).toBeNull();
  expect(parseUrl('/a')).toBeNull();
  expect(parseUrl('/a', 'https://b.example/c')?.href).toBe('https://b.example/a');
  expect([platformOf('no address'), idOfLink('https://')]).toEqual(['other', null]);
});
