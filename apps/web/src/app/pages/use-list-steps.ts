import type { Match } from '@archive/contracts';
import { useMemo } from 'react';
import { useArchives } from '../../features/archive/use-archives.ts';
import { listAddress, parseView } from '../../features/archive/view-state.ts';
import { formatCount } from '../../lib/format.ts';
import { matchRoute } from '../../lib/routes.ts';
import { hrefOf } from './list-section.tsx';

/** A neighbour of a post in a list, and the address of the list page that contains it. */
export interface ListStep {
  id: string;
  below: string;
}

export interface ListSteps {
  /** For example `3 of 1,902`. */
  place: string | null;
  previous: ListStep | null;
  next: ListStep | null;
}

/**
 * The neighbours of a post in a list, across page ends, and the match that found the list. `steps` is null if the post
 * is not on this page of a list.
 */
export function useListSteps(
  id: string,
  path: string,
  search: string,
): { steps: ListSteps | null; match: Match | undefined; isLoading: boolean } {
  const view = useMemo(() => parseView(search), [search]);
  const { route, name } = matchRoute(path);
  const handle = route === '/author/:handle' ? name : undefined;
  const address = (page: number) => listAddress({ ...view, page }, handle);
  const isList = route === '/' || handle !== undefined;

  const { list, error } = useArchives(isList ? address(view.page) : null);
  const posts = list?.data ?? [];
  const at = posts.findIndex((post) => post._id === id);
  const isSlab = at === -1 && list?.featured?._id === id;
  const pages = list?.pagination.pages ?? 0;
  const isFirst = at === 0 && view.page > 1;
  const isLast = at === posts.length - 1 && at !== -1 && view.page < pages;
  const before = useArchives(isFirst ? address(view.page - 1) : null).list?.data.at(-1);
  const after = useArchives(isLast ? address(view.page + 1) : null).list?.data[0];
  const match = list?.match;
  const isLoading = isList && list === undefined && error === undefined;
  if (list === undefined || (at === -1 && !isSlab)) return { steps: null, match, isLoading };

  const step = (target: string | undefined, page: number) =>
    target === undefined ? null : { id: target, below: hrefOf(path, { ...view, page }) };
  const { limit, total } = list.pagination;
  const steps = {
    place: isSlab ? null : `${formatCount((view.page - 1) * limit + at + 1)} of ${formatCount(total)}`,
    previous: isFirst ? step(before?._id, view.page - 1) : step(isSlab ? undefined : posts[at - 1]?._id, view.page),
    next: isLast ? step(after?._id, view.page + 1) : step(posts[at + 1]?._id, view.page),
  };
  return { steps, match, isLoading };
}
