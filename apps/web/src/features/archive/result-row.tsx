import type { SortField, SortOrder } from '@archive/contracts';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format.ts';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { countFilters, isNarrowed } from './active-filters.ts';
import styles from './result-row.module.css';
import type { ViewState } from './view-state.ts';

/** On a phone the chips have their own line. The placeholder keeps that line's height. */
export const FilterChips = lazyPart(
  () => import('./filter-chips.tsx').then((part) => part.FilterChips),
  <div className={styles['chipsWaiting']} />,
);

const SORTS: Record<`${SortField} ${SortOrder}`, string> = {
  'timestamp desc': 'Newest first',
  'timestamp asc': 'Oldest first',
  'saved desc': 'Saved, newest first',
  'saved asc': 'Saved, oldest first',
  'reactions desc': 'Most reactions',
  'reactions asc': 'Fewest reactions',
  'author asc': 'Author, A to Z',
  'author desc': 'Author, Z to A',
  'content asc': 'Content, A to Z',
  'content desc': 'Content, Z to A',
  'category asc': 'Category, A to Z',
  'category desc': 'Category, Z to A',
};

interface ResultRowProps {
  view: ViewState;
  /** Undefined while the count is unknown. */
  total: number | undefined;
  isCounting: boolean;
  onChange: (change: Partial<ViewState>) => void;
  /** The button that saves the search, if the page has one. */
  save: ReactNode;
}

/** The number of matches, the active filters and the sort order. */
export function ResultRow({ view, total, isCounting, onChange, save }: ResultRowProps) {
  return (
    <div className={styles['row']}>
      <p className={styles['total']}>
        {total === undefined && isCounting && 'Searching…'}
        {total !== undefined && (
          <>
            <b>{formatCount(total)}</b> {total === 1 ? 'post' : 'posts'}
            {isNarrowed(view) && (total === 1 ? ' matches' : ' match')}
          </>
        )}
      </p>
      {countFilters(view) > 0 && <FilterChips view={view} onChange={onChange} />}
      <div className={styles['save']}>{save}</div>
      <label className={styles['sort']} data-layout={view.view}>
        <span className="visually-hidden">Sort</span>
        <select
          value={`${view.sortBy} ${view.sortOrder}`}
          onChange={(event) => {
            const [sortBy, sortOrder] = event.target.value.split(' ') as [SortField, SortOrder];
            onChange({ sortBy, sortOrder });
          }}
        >
          {Object.entries(SORTS).map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDownIcon size={14} />
      </label>
    </div>
  );
}
