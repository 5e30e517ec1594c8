import type { MouseEvent } from 'react';
import { formatCount } from '../../lib/format.ts';
import { type PageItem, paginationWindow } from '../../lib/pagination-window.ts';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { isPlainPress } from '../../ui/link.tsx';
import styles from './pagination.module.css';

interface PaginationProps {
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
  onPage: (page: number) => void;
}

export function Pagination({ page, pages, hrefOf, onPage }: PaginationProps) {
  if (pages < 2 && page === 1) return null;
  // A page past the end is empty; from there one goes back to the last.
  const previous = Math.min(page - 1, pages);

  function link(target: number, extra: Record<string, unknown>) {
    return {
      href: hrefOf(target),
      onClick: (event: MouseEvent) => {
        if (!isPlainPress(event)) return;
        event.preventDefault();
        onPage(target);
      },
      ...extra,
    };
  }

  return (
    <nav className={styles['pagination']} aria-label="Pages">
      {previous >= 1 ? (
        <a {...link(previous, { className: styles['step'], rel: 'prev' })} aria-label="Previous page">
          <ChevronLeftIcon />
          <span>Previous</span>
        </a>
      ) : (
        <span className={styles['step']} aria-hidden="true">
          <ChevronLeftIcon />
          <span>Previous</span>
        </span>
      )}
      <ol>
        {paginationWindow(page, pages).map((item, index, items) => (
          <li key={item === 'gap' ? `gap-${index}` : item} data-far={isFar(item, page, pages)}>
            {item === 'gap' ? (
              <span className={styles['gap']} data-side={index < items.length / 2 ? 'before' : 'after'}>
                …
              </span>
            ) : (
              <a
                {...link(item, { className: styles['page'] })}
                aria-label={`Page ${formatCount(item)}`}
                aria-current={item === page ? 'page' : undefined}
              >
                {item}
              </a>
            )}
          </li>
        ))}
      </ol>
      {page < pages ? (
        <a {...link(page + 1, { className: styles['step'], rel: 'next' })} aria-label="Next page">
          <span>Next</span>
          <ChevronRightIcon />
        </a>
      ) : (
        <span className={styles['step']} aria-hidden="true">
          <span>Next</span>
          <ChevronRightIcon />
        </span>
      )}
    </nav>
  );
}

/** On a phone only the neighbours, the first and the last page have room. */
function isFar(item: PageItem, page: number, pages: number): boolean {
  if (item === 'gap' || item === 1 || item === pages) return false;
  const reach = page === 1 || page === pages ? 2 : 1;
  return Math.abs(item - page) > reach;
}
