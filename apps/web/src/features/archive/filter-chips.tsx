import { CloseIcon } from '../../ui/icons.tsx';
import { queryChips } from './query-chips.ts';
import styles from './result-row.module.css';
import { setWords, type ViewState } from './view-state.ts';

/** One active filter: its label, and the change that removes it. */
interface Chip {
  label: string;
  change: Partial<ViewState>;
}

/** All filters except plain words, which stay in the search box. */
function activeFilters(view: ViewState): Chip[] {
  const { q, author, content } = view;
  return [
    ...(author ? [{ label: `author ${author}`, change: { author: undefined } }] : []),
    ...(content ? [{ label: `text “${content}”`, change: { content: undefined } }] : []),
    ...(q ? queryChips(q).map(({ label, rest }) => ({ label, change: setWords(rest) })) : []),
  ];
}

interface FilterChipsProps {
  view: ViewState;
  onChange: (change: Partial<ViewState>) => void;
}

/** The active filters as buttons. A press removes the filter. */
export function FilterChips({ view, onChange }: FilterChipsProps) {
  return (
    <ul className={styles['chips']} aria-label="Active filters">
      {activeFilters(view).map(({ label, change }) => (
        <li key={label}>
          <button type="button" onClick={() => onChange(change)} aria-label={`Remove filter ${label}`}>
            <bdi className="one-line">{label}</bdi>
            <CloseIcon size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
