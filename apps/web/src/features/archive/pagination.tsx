import { type FormEvent, type ReactNode, useId } from 'react';
import { formatCount } from '../../lib/format.ts';
import { type PageItem, paginationWindow } from '../../lib/pagination-window.ts';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { isPlainPress, Link } from '../../ui/link.tsx';
import styles from './pagination.module.css';

interface PaginationProps {
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
  onPage: (page: number) => void;
}

export function Pagination({ page, pages, hrefOf, onPage }: PaginationProps) {
  if (pages === 0 || (pages === 1 && page === 1)) return null;
  // From a page past the end, "previous" leads to the last page.
  const previous = Math.min(page - 1, pages);
  const items = paginationWindow(page, pages);

  function step(target: number, isThere: boolean, children: ReactNode) {
    if (!isThere) {
      return (
        <span className={styles['step']} aria-hidden="true">
          {children}
        </span>
      );
    }
    return pageLink(target, styles['step'], children);
  }

  function pageLink(target: number, className: string | undefined, children: ReactNode) {
    return (
      <Link
        href={hrefOf(target)}
        className={className}
        aria-current={target === page ? 'page' : undefined}
        onClick={(event) => {
          if (!isPlainPress(event)) return;
          event.preventDefault();
          onPage(target);
        }}
      >
        {children}
      </Link>
    );
  }

  return (
    <nav className={styles['pagination']} aria-label="Pages">
      <div className={styles['steps']}>
        {step(
          previous,
          previous >= 1,
          <>
            <ChevronLeftIcon />
            <span className="wide-words">Previous</span>
          </>,
        )}
        <ol>
          {items.map((item, index) =>
            item === 'gap' ? (
              <li key={index < items.length / 2 ? 'before' : 'after'} className={styles['gap']}>
                …
              </li>
            ) : (
              <li key={item} data-far={isFar(item, page, pages)}>
                {pageLink(
                  item,
                  styles['page'],
                  <>
                    <span className="visually-hidden">Page </span>
                    {formatCount(item)}
                  </>,
                )}
              </li>
            ),
          )}
        </ol>
        {step(
          page + 1,
          page < pages,
          <>
            <span className="wide-words">Next</span>
            <ChevronRightIcon />
          </>,
        )}
      </div>
      {items.includes('gap') && <GoToPage pages={pages} onPage={onPage} />}
    </nav>
  );
}

/** A field for the number of a page without a link. */
function GoToPage({ pages, onPage }: Pick<PaginationProps, 'pages' | 'onPage'>) {
  const id = useId();
  function go(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.querySelector('input');
    const wanted = Number(field?.value.replace(/\D/g, ''));
    if (field === null || wanted === 0) return;
    field.value = '';
    onPage(Math.min(wanted, pages));
  }
  return (
    <form className={styles['jump']} onSubmit={go}>
      <label htmlFor={id}>Go to page</label>
      <input id={id} inputMode="numeric" autoComplete="off" maxLength={12} placeholder={`of ${formatCount(pages)}`} />
    </form>
  );
}

/** Whether a page is hidden on a phone, which has room for the neighbours, the first and the last page only. */
function isFar(item: PageItem, page: number, pages: number): boolean {
  if (item === 'gap' || item === 1 || item === pages) return false;
  const reach = page === 1 || page === pages ? 2 : 1;
  return Math.abs(item - page) > reach;
}
