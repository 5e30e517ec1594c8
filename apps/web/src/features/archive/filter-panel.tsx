import { CATEGORY_MENU, FILTER_TEXT_LENGTH, isCategory } from '@archive/contracts';
import { type FormEvent, useRef, useState } from 'react';
import buttons from '../../ui/button.module.css';
import { AlertIcon } from '../../ui/icons.tsx';
import styles from './filter-panel.module.css';
import { NO_FILTERS, type ViewState } from './view-state.ts';

interface FilterPanelProps {
  view: ViewState;
  onApply: (filters: Partial<ViewState>) => void;
}

/** Nothing changes until Apply; drawn anew whenever the applied filters change. */
export function FilterPanel({ view, onApply }: FilterPanelProps) {
  const [error, setError] = useState<string | null>(null);
  const start = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const read = (name: string) => String(fields.get(name) ?? '').trim() || undefined;
    const startDate = read('startDate');
    const endDate = read('endDate');
    if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
      setError('The start date must not be after the end date.');
      start.current?.focus();
      return;
    }
    setError(null);
    const category = read('category');
    onApply({
      author: read('author'),
      content: read('content'),
      startDate,
      endDate,
      category: isCategory(category) ? category : undefined,
    });
  }

  return (
    <form className={styles['panel']} onSubmit={submit} noValidate aria-label="Filters">
      <div className={styles['fields']}>
        <label className={styles['field']}>
          <span>Author</span>
          <input
            name="author"
            defaultValue={view.author}
            placeholder="Name or handle"
            maxLength={FILTER_TEXT_LENGTH}
            autoComplete="off"
            dir="auto"
          />
        </label>
        <label className={styles['field']}>
          <span>Content</span>
          <input
            name="content"
            defaultValue={view.content}
            placeholder="Words in the post"
            maxLength={FILTER_TEXT_LENGTH}
            autoComplete="off"
            dir="auto"
          />
        </label>
        <label className={styles['field']} data-half>
          <span>Start date</span>
          <input
            ref={start}
            type="date"
            name="startDate"
            defaultValue={view.startDate}
            max="9999-12-31"
            {...(error === null ? {} : { 'aria-invalid': true, 'aria-describedby': 'filter-error' })}
          />
        </label>
        <label className={styles['field']} data-half>
          <span>End date</span>
          <input type="date" name="endDate" defaultValue={view.endDate} max="9999-12-31" />
        </label>
        <label className={styles['field']}>
          <span>Category</span>
          <select name="category" defaultValue={view.category ?? ''}>
            <option value="">All Categories</option>
            {CATEGORY_MENU.map((category) => (
              <option key={category} value={category}>
                {category}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className={styles['foot']}>
        {error === null ? (
          <p>Dates are whole days in UTC, both included.</p>
        ) : (
          <p id="filter-error" role="alert" className={styles['error']}>
            <AlertIcon />
            {error}
          </p>
        )}
        <button type="button" className={buttons['ghost']} onClick={() => onApply(NO_FILTERS)}>
          Reset
        </button>
        <button type="submit" className={buttons['primary']}>
          Apply filters
        </button>
      </div>
    </form>
  );
}
