import { CATEGORY_MENU, FILTER_TEXT_LENGTH, readFilters } from '@archive/contracts';
import { type FormEvent, Fragment, type ReactNode, useRef, useState } from 'react';
import buttons from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { AlertIcon } from '../../ui/icons.tsx';
import { NO_FILTERS, PANEL_FILTERS, type PanelFilter } from './active-filters.ts';
import styles from './filter-panel.module.css';
import type { ViewState } from './view-state.ts';

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
    const entries = [...new FormData(event.currentTarget)] as [string, string][];
    const filters = { ...NO_FILTERS, ...readFilters(new URLSearchParams(entries)) };
    const { startDate, endDate } = filters;
    if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
      setError('The start date must not be after the end date.');
      start.current?.focus();
      return;
    }
    setError(null);
    onApply(filters);
  }

  const textField = (name: 'author' | 'content', label: string, placeholder: string) => (
    <label className={styles['field']}>
      <span>{label}</span>
      <input
        name={name}
        defaultValue={view[name]}
        placeholder={placeholder}
        maxLength={FILTER_TEXT_LENGTH}
        autoComplete="off"
        dir="auto"
      />
    </label>
  );

  const fields: Record<PanelFilter, ReactNode> = {
    author: textField('author', 'Author', 'Name or handle'),
    content: textField('content', 'Content', 'Words in the post'),
    startDate: (
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
    ),
    endDate: (
      <label className={styles['field']} data-half>
        <span>End date</span>
        <input type="date" name="endDate" defaultValue={view.endDate} max="9999-12-31" />
      </label>
    ),
    category: (
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
    ),
  };

  return (
    <form className={styles['panel']} onSubmit={submit} noValidate aria-label="Filters">
      <div className={styles['fields']}>
        {PANEL_FILTERS.map((name) => (
          <Fragment key={name}>{fields[name]}</Fragment>
        ))}
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
        <Button look="ghost" label="Reset" onClick={() => onApply(NO_FILTERS)} />
        <button type="submit" className={buttons['primary']}>
          Apply filters
        </button>
      </div>
    </form>
  );
}
