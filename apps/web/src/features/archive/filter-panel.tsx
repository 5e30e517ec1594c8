import { CATEGORY_MENU, FILTER_TEXT_LENGTH, PLATFORMS, primaryLanguage, readFilters } from '@archive/contracts';
import { type FormEvent, Fragment, type ReactNode, useRef, useState } from 'react';
import { formatLanguage } from '../../lib/format.ts';
import buttons from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { AlertIcon } from '../../ui/icons.tsx';
import { MEDIA_LABELS, NO_FILTERS, PANEL_FILTERS, type PanelFilter, PLATFORM_LABELS } from './active-filters.ts';
import styles from './filter-panel.module.css';
import type { ViewState } from './view-state.ts';

/** Languages that most posts are written in. */
const LANGUAGES =
  'ar bn cs da de el en es fa fi fil fr he hi hu id it ja ko ms nl no pl pt ro ru sv ta th tr uk ur vi zh'.split(' ');

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

  const choice = (
    name: PanelFilter,
    label: string,
    all: string,
    options: readonly [string, string][],
    isHalf = false,
  ) => (
    <label className={styles['field']} {...(isHalf && { 'data-half': true })}>
      <span>{label}</span>
      <select name={name} defaultValue={view[name] ?? ''}>
        <option value="">{all}</option>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
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
    category: choice(
      'category',
      'Category',
      'All Categories',
      CATEGORY_MENU.map((category) => [category, category]),
    ),
    media: choice('media', 'Media', 'All posts', Object.entries(MEDIA_LABELS)),
    platform: choice(
      'platform',
      'Platform',
      'All platforms',
      PLATFORMS.map((platform) => [platform, PLATFORM_LABELS[platform]]),
      true,
    ),
    language: choice('language', 'Language', 'All languages', languageChoices(view.language), true),
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

/** By name; the one that is asked for stands among them whatever it is, in the words of the address. */
function languageChoices(asked: string | undefined): [string, string][] {
  const others = asked === undefined ? LANGUAGES : LANGUAGES.filter((tag) => tag !== primaryLanguage(asked));
  return [...others, ...(asked === undefined ? [] : [asked])]
    .map((tag): [string, string] => [tag, formatLanguage(tag)])
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}
