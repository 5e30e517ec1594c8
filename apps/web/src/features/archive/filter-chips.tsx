import { CloseIcon } from '../../ui/icons.tsx';
import { queryChips } from './query-chips.ts';
import styles from './result-row.module.css';
import { setWords, type ViewState } from './view-state.ts';

/** What narrows the list, in the words of its chip, and what its removal changes. */
interface Chip {
  label: string;
  change: Partial<ViewState>;
}

/** All but plain words, which stand in the box. */
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

/** What narrows the list, each to be taken away by a press. */
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
