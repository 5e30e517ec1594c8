import { expect, jest, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { type AdminRows, useAdminList } from './use-admin-list.ts';

type Fetch = (after: string | null) => Promise<AdminRows<string>>;

test('a late answer to what was asked before does not take the place of the newer one', async () => {
  let answer: (page: AdminRows<string>) => void = () => {};
  const slow: Fetch = () => new Promise((resolve) => (answer = resolve));
  const quick: Fetch = async () => ({ data: ['newer'], next: null });
  const { result, rerender } = renderHook(useAdminList<string>, { initialProps: slow });
  rerender(quick);
  await waitFor(() => expect(result.current.rows?.data).toEqual(['newer']));
  await act(async () => answer({ data: ['older'], next: null }));
  expect(result.current.rows?.data).toEqual(['newer']);
});

test('more rows follow those that are there; a failure is told, and over once they are asked for again', async () => {
  const fetchPage = jest
    .fn<Fetch>()
    .mockResolvedValueOnce({ data: ['a'], next: 'after-a' })
    .mockResolvedValueOnce({ data: ['b'], next: null })
    .mockRejectedValueOnce(new Error('away'))
    .mockResolvedValueOnce({ data: ['c'], next: null });
  const { result } = renderHook(useAdminList<string>, { initialProps: fetchPage });
  await waitFor(() => expect(result.current.rows?.next).toBe('after-a'));
  await act(async () => result.current.more());
  expect(result.current.rows).toEqual({ data: ['a', 'b'], next: null });
  await act(async () => result.current.reload());
  expect(result.current.hasFailed).toBe(true);
  await act(async () => result.current.reload());
  expect(result.current).toMatchObject({ hasFailed: false, rows: { data: ['c'] } });
  expect(fetchPage.mock.calls).toEqual([[null], ['after-a'], [null], [null]]);
});
