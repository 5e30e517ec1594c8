import { expect, test } from '@jest/globals';
import { platformIdSchema } from './schemas/index.ts';

const WORDS =
  'amber analytics archives auth challenge check config credits everywhere export feature image.png launch launches logout me metadata.json preferences profile reactions remove signature solana-auth token use user verify wallets wallet'.split(
    ' ',
  );

test.each(WORDS)('the literal segment %s of a path can never be taken for the id of a post', (word) => {
  expect(platformIdSchema.safeParse(word).success).toBe(false);
});

test('a word that is no segment of a path can be an id', () => {
  for (const word of ['health', 'ready', '1234567890123456789', 'abc_DEF-1']) {
    expect(platformIdSchema.safeParse(word).success).toBe(true);
  }
});
