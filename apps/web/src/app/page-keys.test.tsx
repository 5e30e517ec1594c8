import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { Arrivals } from '../features/archive/arrivals.tsx';
import { startOffline } from './offline.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const onHelp = jest.fn();

beforeEach(() => {
  onHelp.mockReset();
});

function Page({ isOpen = false }: { isOpen?: boolean }) {
  useShortcuts(onHelp);
  return (
    <>
      <input id="search" defaultValue="words" />
      <article>
        <a data-post-stop href="/post/1">
          One
        </a>
        <button type="button">Heart</button>
      </article>
      <aside data-aside="true">
        <a data-post-stop href="/post/9">
          Aside
        </a>
      </aside>
      <article>
        <a data-post-stop href="/post/2">
          Two
        </a>
      </article>
      <dialog open={isOpen}>Sheet</dialog>
    </>
  );
}

const press = (key: string, keys = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...keys });

test('a key of the search chooses the words that stand there, and is no key of the page from then on', () => {
  render(<Page />);
  expect(press('/')).toBe(false);
  const search = screen.getByRole<HTMLInputElement>('textbox');
  expect(search).toHaveFocus();
  expect([search.selectionStart, search.selectionEnd]).toEqual([0, 5]);
  expect(press('?')).toBe(true);
  expect(onHelp).not.toHaveBeenCalled();
});

test('keys lead on from the post that holds the focus, past what stands beside the list, and stop at its ends', () => {
  render(<Page />);
  screen.getByRole('button', { name: 'Heart' }).focus();
  expect(press('j')).toBe(false);
  expect(screen.getByRole('link', { name: 'Two' })).toHaveFocus();
  expect(press('ArrowRight')).toBe(true);
  expect(press('ArrowLeft')).toBe(false);
  expect(screen.getByRole('link', { name: 'One' })).toHaveFocus();
  expect(press('k')).toBe(true);
});

test.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }])('with %j a key is the browser’s', (keys) => {
  render(<Page />);
  for (const key of ['?', '/', 'j']) expect(press(key, keys)).toBe(true);
  expect(onHelp).not.toHaveBeenCalled();
});

test('under an open dialog no key acts', () => {
  const { rerender } = render(<Page isOpen />);
  expect(press('?')).toBe(true);
  expect(onHelp).not.toHaveBeenCalled();
  rerender(<Page />);
  expect(press('?')).toBe(false);
  expect(onHelp).toHaveBeenCalledTimes(1);
});

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static last: Stream | undefined;
  isClosed = false;

  constructor() {
    super();
    Stream.last = this;
  }

  close() {
    this.isClosed = true;
  }

  add(added: number) {
    act(() => void this.dispatchEvent(new MessageEvent('posts', { data: JSON.stringify({ added }) })));
  }
}

describe('posts that have come', () => {
  beforeEach(async () => {
    globalThis.EventSource = Stream as unknown as typeof EventSource;
    await import('../lib/live-stream.ts');
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
    window.history.replaceState(null, '', '/');
  });

  test.each([
    ['grid', '?sortBy=saved'],
    ['table', '?sortBy=saved&view=table'],
  ] as const)('are added up, and shown as a %s once they are asked for', async (layout, address) => {
    const onOpen = jest.fn();
    const { unmount } = render(
      <SWRConfig value={{ provider: () => new Map() }}>
        <Arrivals layout={layout} onOpen={onOpen} isWhole />
      </SWRConfig>,
    );
    await act(() => jest.advanceTimersByTimeAsync(1_100));
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    Stream.last?.add(1);
    expect(screen.getByRole('button')).toHaveTextContent('1 new post');
    Stream.last?.add(2);
    expect(screen.getByRole('button')).toHaveTextContent('3 new posts');
    fireEvent.click(screen.getByRole('button'));
    expect(window.location.search).toBe(address);
    expect(onOpen).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    unmount();
    expect(Stream.last?.isClosed).toBe(true);
  });
});

test('a page that is offline says so, and since when what it shows was kept, until it is online', async () => {
  let isOnline = true;
  const messages = new EventTarget();
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: Object.assign(messages, { register: () => Promise.reject(new Error('none')) }),
  });
  await act(() => startOffline());
  const said = () => screen.getByRole('status').textContent;
  const turn = (next: boolean) =>
    act(() => {
      isOnline = next;
      window.dispatchEvent(new Event(next ? 'online' : 'offline'));
    });
  const keep = (keptAt: string | null) =>
    act(() => void messages.dispatchEvent(new MessageEvent('message', { data: { keptAt } })));
  expect(said()).toBe('');
  turn(false);
  expect(said()).toBe('You are offline.');
  keep('2026-11-20T09:41:00.000Z');
  expect(said()).toMatch(/^You are offline\. This is what was kept on 20 November 2026/);
  turn(true);
  expect(said()).toBe('');
  keep('2026-11-20T09:41:00.000Z');
  expect(said()).toMatch(/^Amber cannot be reached\. This is what was kept on/);
  keep(null);
  expect(said()).toBe('');
});
