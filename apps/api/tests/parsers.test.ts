import { cases } from '@archive/tiers';
import { expect, it } from '@jest/globals';
import { fuzzParsers } from '../trials/attack/fuzz-parsers.ts';
import { PARSERS } from '../trials/attack/parsers.ts';

const INPUTS = cases({ quick: 4_000, full: 10_000 });

it(`no parser falls over ${INPUTS.toLocaleString('en-US')} inputs made of right ones, and each is met`, async () => {
  const { inputs, byParser, wrong } = await fuzzParsers({ inputs: INPUTS, seed: 11 });
  expect(wrong).toEqual([]);
  expect(inputs).toBeGreaterThanOrEqual(INPUTS);
  const names = [
    ...PARSERS.map(({ name }) => name),
    ...['ndjson', 'jsonl', 'csv', 'json', 'js'].map((kind) => `files .${kind}`),
  ];
  expect(Object.keys(byParser).toSorted()).toEqual(names.toSorted());
});

it('every parser takes what its inputs are made of', () => {
  for (const { right, read, name, meant } of PARSERS) {
    for (const text of right) {
      try {
        read(text);
      } catch (error) {
        // A profile is no reaction, and another signature's text is another text.
        expect([name, meant?.(error)]).toEqual([name, true]);
      }
    }
  }
});
