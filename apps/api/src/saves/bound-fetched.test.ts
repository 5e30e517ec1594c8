import { describe, expect, it } from '@jest/globals';
import { boundFetched } from './bound-fetched.ts';

const post = (raw: number, car: number) =>
  ({ raw: new Uint8Array(raw * 2 ** 20), signed: { car: new Uint8Array(car * 2 ** 20), key: '', did: '' } }) as never;
const sizes = ({ asked, others }: ReturnType<typeof boundFetched>) =>
  [asked, ...others].map(({ raw, signed }) => [raw.byteLength / 2 ** 20, (signed?.car.byteLength ?? 0) / 2 ** 20]);

describe('what a request holds of what was fetched', () => {
  it.each([
    [
      [post(2, 2), post(2, 2)],
      [
        [2, 2],
        [2, 2],
      ],
    ],
    [
      [post(2, 2), post(3, 2)],
      [
        [2, 2],
        [0, 2],
      ],
    ],
    [
      [post(2, 2), post(1, 5)],
      [
        [2, 2],
        [0, 0],
      ],
    ],
    [
      [post(6, 6), post(1, 1)],
      [
        [6, 6],
        [0, 0],
      ],
    ],
  ])('%# is bounded, the evidence of the asked post last', ([asked, other], kept) => {
    expect(sizes(boundFetched({ asked: asked as never, others: [other as never] }))).toEqual(kept);
  });

  it('is trouble where the post alone is too much', () => {
    expect(() => boundFetched({ asked: post(7, 6), others: [] })).toThrow('more than can be kept');
  });
});
