import { expect, test } from '@jest/globals';
import { postSchema, problemSchema, tokenLaunchSchema } from './entities.ts';
import { EXAMPLE_ARCHIVE, EXAMPLE_LAUNCH, EXAMPLE_POST, EXAMPLE_PROBLEM, EXAMPLE_WALLET } from './examples.ts';
import { INPUTS } from './inputs.ts';
import { newPostSchema } from './post-schema.ts';

test.each([
  ['a post that is sent', newPostSchema, EXAMPLE_POST],
  ['a post that is answered', postSchema, EXAMPLE_ARCHIVE],
  ['a launch', tokenLaunchSchema, EXAMPLE_LAUNCH],
  ['a problem', problemSchema, EXAMPLE_PROBLEM],
  ['the wallet of a challenge', INPUTS.challenge.body, { walletAddress: EXAMPLE_WALLET }],
])('the example of %s is one', (_, schema, example) => {
  expect(schema.safeParse(example).error).toBeUndefined();
});
