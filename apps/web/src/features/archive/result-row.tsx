import type { SortField, SortOrder } from '@archive/contracts';
import { formatCount } from '../../lib/format.ts';
import { ChevronDownIcon, CloseIcon } from '../../ui/icons.tsx';
import { activeFilters, isNarrowed } from './active-filters.ts';
import styles from './result-row.module.css';
import type { ViewState } from './view-state.ts';

const SORTS: readonly { sortBy: SortField; sortOrder: SortOrder; label: string }[] = [
  { sortBy: 'timestamp', sortOrder: 'desc', label: 'Newest first' },
  { sortBy: 'timestamp', sortOrder: 'asc', label: 'Oldest first' },
  { sortBy: 'author', sortOrder: 'asc', label: 'Author, A to Z' },
  { sortBy: 'author', sortOrder: 'desc', label: 'Author, Z to A' },
  { sortBy: 'content', sortOrder: 'asc', label: 'Content, A to Z' },
  { sortBy: 'content', sortOrder: 'desc', label: 'Content, Z to A' },
  { sortBy: 'category', sortOrder: 'asc', label: 'Category, A to Z' },
  { sortBy: 'category', sortOrder: 'desc', label: 'Category, Z to A' },
];

interface ResultRowProps {
  view: ViewState;
  total: number | undefined;
  onChange: (change: Partial<ViewState>) => void;
}

/** How many there are, what narrows them, and in which order. */
export function ResultRow({ view, total, onChange }: ResultRowProps) {
  const chips = activeFilters(view);
  return (
    <div className={styles['row']}>
      <p className={styles['total']}>
        {total !== undefined && (
          <>
            <b>{formatCount(total)}</b> {total === 1 ? 'post' : 'posts'}
            {isNarrowed(view) && (total === 1 ? ' matches' : ' match')}
          </>
        )}
      </p>
      {chips.length > 0 && (
        <ul className={styles['chips']} aria-label="Active filters">
          {chips.map(({ name, label }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => onChange({ [name]: undefined })}
                aria-label={`Remove filter ${label}`}
              >
                <bdi>{label}</bdi>
                <CloseIcon size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <label className={styles['sort']} data-layout={view.view}>
        <span className="visually-hidden">Sort</span>
        <select
          value={`${view.sortBy} ${view.sortOrder}`}
          onChange={(event) => {
            const sort = SORTS.find(({ sortBy, sortOrder }) => `${sortBy} ${sortOrder}` === event.target.value);
            if (sort !== undefined) onChange({ sortBy: sort.sortBy, sortOrder: sort.sortOrder });
          }}
        >
          {SORTS.map(({ sortBy, sortOrder, label }) => (
            <option key={label} value={`${sortBy} ${sortOrder}`}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDownIcon size={14} />
      </label>
    </div>
  );
}
