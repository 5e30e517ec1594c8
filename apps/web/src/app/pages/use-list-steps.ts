import { useMemo } from 'react';
import { useArchives } from '../../features/archive/use-archives.ts';
import { listAddress, parseView } from '../../features/archive/view-state.ts';
import type { PostSteps } from '../../features/post/post-steps.tsx';
import { formatCount } from '../../lib/format.ts';
import { matchRoute } from '../../lib/routes.ts';
import { stepToPost } from '../../lib/view-location.ts';
import { hrefOf } from './list-section.tsx';

/** The way through a list from a post that was opened over it, over the ends of its pages; null where it is in none. */
export function useListSteps(id: string, path: string, search: string): PostSteps | null {
  const view = useMemo(() => parseView(search), [search]);
  const { route, name } = matchRoute(path);
  const handle = route === '/author/:handle' ? name : undefined;
  const address = (page: number) => listAddress({ ...view, page }, handle);
  const isList = route === '/' || handle !== undefined;

  const { list } = useArchives(isList ? address(view.page) : null);
  const posts = list?.data ?? [];
  const at = posts.findIndex((post) => post._id === id);
  const isSlab = at === -1 && list?.featured?._id === id;
  const pages = list?.pagination.pages ?? 0;
  const isFirst = at === 0 && view.page > 1;
  const isLast = at === posts.length - 1 && at !== -1 && view.page < pages;
  const before = useArchives(isFirst ? address(view.page - 1) : null).list?.data.at(-1);
  const after = useArchives(isLast ? address(view.page + 1) : null).list?.data[0];
  if (list === undefined || (at === -1 && !isSlab)) return null;

  const step = (target: string | undefined, page: number) =>
    target === undefined ? null : () => stepToPost(target, hrefOf(path, { ...view, page }));
  const { limit, total } = list.pagination;
  return {
    place: isSlab ? null : `${formatCount((view.page - 1) * limit + at + 1)} of ${formatCount(total)}`,
    previous: isFirst ? step(before?._id, view.page - 1) : step(isSlab ? undefined : posts[at - 1]?._id, view.page),
    next: isLast ? step(after?._id, view.page + 1) : step(posts[at + 1]?._id, view.page),
  };
}
