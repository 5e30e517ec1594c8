import { beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { stepByKey } from './post-steps.tsx';
import { useSwipe } from './use-swipe.ts';

const previous = jest.fn();
const next = jest.fn();
const swiped = jest.fn();

beforeEach(() => {
  for (const one of [previous, next, swiped]) one.mockReset();
});

function Dialog() {
  return (
    <dialog open onKeyDown={(event) => stepByKey(event, { place: null, previous, next })} {...useSwipe(swiped)}>
      <p>Words</p>
      <input aria-label="Field" />
    </dialog>
  );
}

test.each([
  ['k', {}, 'previous'],
  ['ArrowLeft', {}, 'previous'],
  ['j', {}, 'next'],
  ['ArrowRight', {}, 'next'],
  ['ArrowDown', {}, null],
  ['j', { ctrlKey: true }, null],
  ['j', { metaKey: true }, null],
  ['ArrowRight', { altKey: true }, null],
  ['ArrowRight', { shiftKey: true }, null],
])('%s with %j leads to the %s post, from a field to none', (key, keys, expected) => {
  render(<Dialog />);
  fireEvent.keyDown(screen.getByLabelText('Field'), { key, ...keys });
  expect([previous.mock.calls, next.mock.calls]).toEqual([[], []]);
  const isLeft = fireEvent.keyDown(screen.getByText('Words'), { key, ...keys });
  expect(previous).toHaveBeenCalledTimes(Number(expected === 'previous'));
  expect(next).toHaveBeenCalledTimes(Number(expected === 'next'));
  // A handled key does not scroll.
  expect(isLeft).toBe(expected === null);
});

const at = (clientX: number, clientY: number) => ({ clientX, clientY });

test.each([
  ['to the left', [at(100, 0)], at(44, 0), 'left'],
  ['to the right', [at(0, 0)], at(56, 28), 'right'],
  ['too short', [at(0, 0)], at(55, 0), null],
  ['too steep', [at(0, 0)], at(56, 29), null],
  ['of two fingers', [at(0, 0), at(5, 5)], at(80, 0), null],
] as const)('a swipe %s', (_what, touches, end, expected) => {
  render(<Dialog />);
  for (const target of [screen.getByLabelText('Field'), screen.getByText('Words')]) {
    expect(swiped).not.toHaveBeenCalled();
    fireEvent.touchStart(target, { touches });
    fireEvent.touchEnd(target, { changedTouches: [end] });
  }
  expect(swiped.mock.calls).toEqual(expected === null ? [] : [[expected]]);
});
