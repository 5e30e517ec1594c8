import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { watchLive } from './live-stream.ts';

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 1;

  readonly address: string;

  constructor(address: string) {
    super();
    this.address = address;
    Stream.opened.push(this);
  }

  close() {
    this.readyState = 2;
  }

  tell(kind: string, data: unknown, lastEventId = '') {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data), lastEventId }));
  }
}

let isHidden: boolean;
const stops: (() => void)[] = [];
const streams = () => Stream.opened.map(({ address, readyState }) => [address.split('/').at(-1), readyState]);

beforeEach(() => {
  isHidden = false;
  Stream.opened = [];
  globalThis.EventSource = Stream as unknown as typeof EventSource;
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
  jest.useFakeTimers();
});

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  jest.useRealTimers();
});

function watch(listener: Parameters<typeof watchLive>[0]) {
  const stop = watchLive(listener);
  stops.push(stop);
  return stop;
}

function look(isLookedAt: boolean) {
  isHidden = !isLookedAt;
  document.dispatchEvent(new Event('visibilitychange'));
}

test('one stream tells all who listen, and closes after the last of them', () => {
  const [first, second, gone] = [jest.fn(), jest.fn(), jest.fn()];
  const stopFirst = watch({ onAdded: first });
  const stopSecond = watch({ onAdded: second, onGone: gone });
  expect(streams()).toEqual([['live', 1]]);
  Stream.opened[0]?.tell('posts', { added: 2 });
  Stream.opened[0]?.tell('gone', { posts: ['a'] });
  stopFirst();
  expect(streams()).toEqual([['live', 1]]);
  Stream.opened[0]?.tell('posts', { added: 3 });
  stopSecond();
  expect(streams()).toEqual([['live', 2]]);
  look(true);
  expect(streams()).toEqual([['live', 2]]);
  expect(first.mock.calls).toEqual([[2]]);
  expect(second.mock.calls).toEqual([[2], [3]]);
  expect(gone.mock.calls).toEqual([[['a']]]);
});

test('a page that nobody looks at has none; the next one goes on where it ended, until nobody listens', () => {
  const stop = watch({});
  Stream.opened[0]?.tell('posts', { added: 1 }, '7');
  Stream.opened[0]?.tell('posts', { added: 1 });
  look(false);
  expect(streams()).toEqual([['live', 2]]);
  look(true);
  expect(streams().slice(1)).toEqual([['live?since=7', 1]]);
  stop();
  watch({});
  expect(streams().slice(2)).toEqual([['live', 1]]);
});

test('a refused one is asked for again after half a minute, not where it was closed meanwhile', () => {
  const stop = watch({});
  const refuse = () => {
    const last = Stream.opened.at(-1) as Stream;
    last.readyState = Stream.CLOSED;
    last.dispatchEvent(new Event('error'));
  };
  Stream.opened[0]?.dispatchEvent(new Event('error'));
  jest.advanceTimersByTime(30_000);
  expect(streams()).toEqual([['live', 1]]);
  refuse();
  jest.advanceTimersByTime(29_999);
  expect(streams()).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(streams().slice(1)).toEqual([['live', 1]]);
  refuse();
  stop();
  jest.advanceTimersByTime(30_000);
  expect(streams()).toHaveLength(2);
});

test.each([0, -1, 0.5, '2', null])('%p is no count of posts', (added) => {
  const onAdded = jest.fn();
  watch({ onAdded });
  Stream.opened[0]?.tell('posts', { added });
  expect(onAdded).not.toHaveBeenCalled();
});
