import { PAGE_WINDOW } from '@archive/contracts';

export type PageItem = number | 'gap';

/** Page numbers around the current one, with the first and last page, and a gap where pages are left out. */
export function paginationWindow(page: number, pages: number, size: number = PAGE_WINDOW): PageItem[] {
  if (pages < 1) return [];
  const current = Math.min(Math.max(page, 1), pages);
  const length = Math.min(size, pages);
  const first = Math.min(Math.max(current - Math.floor(length / 2), 1), pages - length + 1);
  const last = first + length - 1;

  const items: PageItem[] = Array.from({ length }, (_, index) => first + index);
  if (first > 1) items.unshift(...(first > 2 ? [1, 'gap' as const] : [1]));
  if (last < pages) items.push(...(last < pages - 1 ? ['gap' as const, pages] : [pages]));
  return items;
}
