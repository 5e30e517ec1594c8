import { ApiError } from '@archive/client';
import type { ReportedPost } from '@archive/contracts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { closeToast, showToast } from '../../ui/toasts.tsx';
import { refreshSessionAnswer } from '../../wallet/session-answer.ts';
import { failureOf, useAdminCall } from './use-admin-call.ts';

/** The next page is fetched when fewer items than this are left, so that a fast operator does not wait. */
const LEFT = 25;

export interface Decision {
  act: 'hide' | 'dismiss' | 'remove';
  law: boolean;
  reason: string;
  answer: string;
}

interface Queue {
  items: readonly ReportedPost[];
  total: number;
  next: string | null;
  /** The index of the item on screen. */
  at: number;
  state: 'loading' | 'ready' | 'failed';
}

const DONE = { hide: 'Hidden.', dismiss: 'Dismissed.', remove: 'Removed for good.' } as const;

const EMPTY: Queue = { items: [], total: 0, next: null, at: 0, state: 'loading' };

/**
 * The queue of reported posts. A decided post leaves the queue at once, before its call is answered. If the call fails,
 * the post returns.
 */
export function useReportQueue(state: 'open' | 'done') {
  const call = useAdminCall();
  const { mutate } = useSWRConfig();
  const [queue, setQueue] = useState<Queue>(EMPTY);
  const acts = useRef<{ done: Promise<ReportedPost | null>; toast: number }[]>([]);
  /** The round of each post that was decided here. A page that was requested earlier may still list these posts. */
  const decided = useRef(new Map<string, number>());
  const calls = useRef(new Set<Promise<unknown>>());
  const [sending, setSending] = useState(0);
  const isFetching = useRef(false);
  /** The list that is on screen. An answer for another list is dropped. */
  const wanted = useRef(state);

  const fetchPage = useCallback(
    async (after: string | null) => {
      if (isFetching.current) return;
      isFetching.current = true;
      try {
        // A reload waits for pending decisions, so that the new list includes them.
        if (after === null) await Promise.allSettled(calls.current);
        const page = await call('listReports', { query: { state, ...(after === null ? {} : { after }) } });
        if (wanted.current !== state) return;
        setQueue((old) => {
          const known = new Set(old.items.map(({ _id }) => _id));
          const fresh = page.data.filter(({ _id, round }) => !known.has(_id) && decided.current.get(_id) !== round);
          const items = after === null ? page.data : [...old.items, ...fresh];
          return { ...old, items, next: page.next, total: after === null ? page.total : old.total, state: 'ready' };
        });
      } catch {
        if (wanted.current !== state) return;
        // While items are left, the next decision fetches again.
        setQueue((old) => (old.state === 'ready' && old.items.length > 0 ? old : { ...old, state: 'failed' }));
      } finally {
        if (wanted.current === state) isFetching.current = false;
      }
    },
    [call, state],
  );

  useEffect(() => {
    wanted.current = state;
    setQueue(EMPTY);
    // Switching lists drops the undo buttons of the other list.
    for (const { toast } of acts.current) closeToast(toast);
    acts.current = [];
    decided.current.clear();
    isFetching.current = false;
    void fetchPage(null);
  }, [fetchPage, state]);

  const { items, next } = queue;
  useEffect(() => {
    if (queue.state === 'ready' && next !== null && items.length - queue.at < LEFT) void fetchPage(next);
  }, [queue.state, queue.at, items.length, next, fetchPage]);

  const takeOut = (id: string) =>
    setQueue((old) => {
      const kept = old.items.filter(({ _id }) => _id !== id);
      return {
        ...old,
        items: kept,
        total: Math.max(0, old.total - 1),
        at: Math.max(0, Math.min(old.at, kept.length - 1)),
      };
    });

  const putBack = (item: ReportedPost) => {
    decided.current.delete(item._id);
    setQueue((old) => {
      const others = old.items.filter(({ _id }) => _id !== item._id);
      const at = Math.min(old.at, others.length);
      return { ...old, items: [...others.slice(0, at), item, ...others.slice(at)], total: old.total + 1, at };
    });
  };

  /** The browser asks before the tab closes while calls are pending, because closing may lose them. */
  useEffect(() => {
    if (sending === 0) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [sending]);

  function follow<Answer>(answer: Promise<Answer>): Promise<Answer> {
    calls.current.add(answer);
    setSending(calls.current.size);
    const end = () => {
      calls.current.delete(answer);
      setSending(calls.current.size);
    };
    answer.then(end, end);
    return answer;
  }

  async function send(item: ReportedPost, { act, law, reason, answer }: Decision): Promise<ReportedPost | null> {
    const params = { post: item._id };
    const told = { seen: item.round, reason, ...(answer.trim() === '' ? {} : { answer }) };
    try {
      return act === 'remove'
        ? await call('removeReported', { params, body: told })
        : await call('decideReport', { params, body: { act, law, ...told } });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'already_decided') showToast('error', error.message);
      else {
        putBack(item);
        showToast('error', failureOf(error));
      }
      return null;
    } finally {
      refreshSessionAnswer('adminToday', mutate);
    }
  }

  async function takeBack(done: Promise<ReportedPost | null>, isOfAnEarlierDay = false) {
    const taken = await done;
    if (!taken) return void showToast('missing', 'There is nothing to undo.');
    try {
      const opened = await follow(call('reopenReport', { params: { post: taken._id }, body: { seen: taken.round } }));
      if (isOfAnEarlierDay) takeOut(taken._id);
      else putBack(opened);
      showToast('done', 'Undone: it is open again.');
    } catch (error) {
      showToast('error', failureOf(error));
    } finally {
      refreshSessionAnswer('adminToday', mutate);
    }
  }

  return {
    ...queue,
    /** The number of calls without an answer yet. */
    sending,
    reload: () => void fetchPage(null),
    select: (at: number) => setQueue((old) => ({ ...old, at: Math.max(0, Math.min(at, old.items.length - 1)) })),
    move: (by: 1 | -1) => setQueue((old) => ({ ...old, at: Math.max(0, Math.min(old.at + by, old.items.length - 1)) })),
    decide: (item: ReportedPost, decision: Decision) => {
      takeOut(item._id);
      decided.current.set(item._id, item.round);
      const own = { done: follow(send(item, decision)), toast: 0 };
      acts.current.push(own);
      const act = () => {
        acts.current = acts.current.filter((other) => other !== own);
        void takeBack(own.done);
      };
      own.toast = showToast('done', DONE[decision.act], decision.act === 'remove' ? undefined : { label: 'Undo', act });
    },
    /** Undoes the last decision, or the given one from an earlier day. */
    undo: async (given?: ReportedPost) => {
      const last = given ? undefined : acts.current.pop();
      if (last) closeToast(last.toast);
      await takeBack(last?.done ?? Promise.resolve(given ?? null), given !== undefined);
    },
  };
}
