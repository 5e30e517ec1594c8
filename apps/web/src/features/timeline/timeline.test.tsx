import { ENDPOINTS } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { Timeline } from './timeline.tsx';

const onRange = jest.fn();

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-12-15T12:00:00Z') });
  onRange.mockReset();
  // 24 months, January 2025 to December 2026.
  const counts = Array.from({ length: 24 }, (_, at) => ({
    from: new Date(Date.UTC(2025, at)).toISOString().slice(0, 10),
    count: at + 1,
  }));
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    const { pathname, search } = new URL(String(input), 'http://localhost');
    if (pathname !== ENDPOINTS.timeline.path || search !== '') throw new TypeError('away');
    return Response.json({ bucket: 'month', counts });
  });
});

afterEach(() => {
  jest.useRealTimers();
});

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

async function open(words: { q?: string }) {
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Timeline filter={words} words={words} onRange={onRange} hint="Drag" />
    </SWRConfig>,
  );
  await pass(0);
  return screen.getByRole('slider', { name: 'Dates' });
}

const SPRING = 'since:2026-03-01 until:2026-05-31';

test.each<[string, string[], string | undefined]>([
  ['', ['ArrowRight'], 'since:2025-01-01 until:2025-01-31'],
  ['', ['ArrowLeft'], 'since:2026-12-01 until:2026-12-31'],
  ['', ['ArrowRight', 'ArrowRight'], 'since:2025-01-01 until:2025-02-28'],
  ['', ['Home', 'Shift+ArrowRight'], 'since:2025-01-01 until:2025-11-30'],
  ['', ['End', 'Shift+ArrowLeft'], 'since:2026-02-01 until:2026-12-31'],
  ['', ['PageUp'], 'since:2026-01-01 until:2026-12-31'],
  ['', ['PageDown'], 'since:2025-01-01 until:2025-12-31'],
  [SPRING, ['ArrowRight'], 'since:2026-03-01 until:2026-06-30'],
  [SPRING, ['Enter', 'ArrowRight'], 'since:2026-04-01 until:2026-05-31'],
  [SPRING, ['Home'], 'since:2025-01-01 until:2026-03-31'],
  [SPRING, ['PageUp'], 'since:2026-01-01 until:2026-12-31'],
  ['since:2026-01-01 until:2026-12-31', ['PageUp'], 'since:2025-01-01 until:2025-12-31'],
  ['since:2025-01-01 until:2025-12-31', ['PageDown'], 'since:2026-01-01 until:2026-12-31'],
  ['since:2025-01-01 until:2025-01-31', ['ArrowLeft', 'PageUp'], undefined],
  [SPRING, ['a', 'Ctrl+ArrowRight', 'Alt+ArrowRight'], undefined],
])('of the dates "%s", keys %j choose "%s" once they rest', async (q, keys, expected) => {
  const plot = await open(q === '' ? {} : { q });
  for (const pressed of keys) {
    const [key, mark] = pressed.split('+').reverse() as [string, string | undefined];
    fireEvent.keyDown(plot, { key, shiftKey: mark === 'Shift', ctrlKey: mark === 'Ctrl', altKey: mark === 'Alt' });
  }
  await pass(349);
  expect(onRange).not.toHaveBeenCalled();
  await pass(1);
  expect(onRange.mock.calls.map(([change]) => (change as { q?: string }).q)).toEqual(expected ? [expected] : []);
});

test('Escape takes all dates at once, and is left to others where none are chosen', async () => {
  expect(fireEvent.keyDown(await open({}), { key: 'Escape' })).toBe(true);
  expect(onRange).not.toHaveBeenCalled();
});

test('Escape and the button beside the dates take all dates', async () => {
  const plot = await open({ q: SPRING });
  expect(plot).toHaveAttribute('aria-valuetext', '1 Mar to 31 May 2026, 48 posts');
  expect(fireEvent.keyDown(plot, { key: 'Escape' })).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(onRange.mock.calls).toEqual([[expect.objectContaining({ q: undefined })], [expect.anything()]]);
});
