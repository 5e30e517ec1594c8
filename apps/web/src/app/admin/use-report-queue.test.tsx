import type { ReportedPost } from '@archive/contracts';
import { expect, jest, test } from '@jest/globals';
import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import { ToastHost } from '../../ui/toasts.tsx';
import { useReportQueue } from './use-report-queue.ts';

const reported = (id: string) => ({ _id: id, round: 0 }) as ReportedPost;

test('the queue tells when the next page failed and nothing is left, and loads it again', async () => {
  let refuse = () => {};
  const refused = new Promise<never>((_, reject) => {
    refuse = () => reject(new Error('away'));
  });
  const lists: (() => Response | Promise<never>)[] = [
    () => Response.json({ data: [reported('a'), reported('b')], total: 3, next: 'after-b' }),
    () => refused,
    () => Response.json({ data: [reported('c')], total: 1, next: null }),
  ];
  globalThis.fetch = jest.fn<typeof fetch>(async (address) =>
    String(address).endsWith('/decide') ? Response.json({}) : (lists.shift()?.() ?? Response.error()),
  );
  const { result } = renderHook(() => useReportQueue('open'));
  await waitFor(() => expect(result.current.items.length).toBe(2));
  await waitFor(() => expect(lists.length).toBe(1));
  for (const item of result.current.items) {
    act(() => result.current.decide(item, { act: 'dismiss', law: false, reason: '', answer: '' }));
  }
  expect(result.current).toMatchObject({ state: 'ready', total: 1, items: [] });
  await act(async () => refuse());
  await waitFor(() => expect(result.current.state).toBe('failed'));
  await act(async () => result.current.reload());
  await waitFor(() => expect(result.current).toMatchObject({ state: 'ready', items: [{ _id: 'c' }] }));
});

test('what is undone by key takes the offer to undo it along, and no other', async () => {
  const lists = [{ data: [reported('a'), reported('b')], total: 2, next: null }];
  globalThis.fetch = jest.fn<typeof fetch>(async (address) => {
    if (/\/(decide|reopen)$/.test(String(address))) return Response.json(reported('b'));
    return Response.json(lists.shift() ?? {});
  });
  render(<ToastHost />);
  const { result } = renderHook(() => useReportQueue('open'));
  await waitFor(() => expect(result.current.items.length).toBe(2));
  const [first, second] = result.current.items as [ReportedPost, ReportedPost];
  act(() => result.current.decide(first, { act: 'dismiss', law: false, reason: '', answer: '' }));
  act(() => result.current.decide(second, { act: 'hide', law: false, reason: '', answer: '' }));
  await screen.findByText('Hidden.');
  await act(() => result.current.undo());
  await screen.findByText('Undone: it is open again.');
  expect(screen.queryByText('Hidden.')).toBeNull();
  expect(screen.getByText('Dismissed.')).toBeTruthy();
});
