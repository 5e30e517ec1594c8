import type { FormEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { SEARCH_FIELD } from '../features/archive/search-field.ts';
import { parseView, printView, setWords } from '../features/archive/view-state.ts';
import { SearchIcon } from '../ui/icons.tsx';
import styles from './navbar.module.css';

/** The search in the bar, on pages without a search field of their own. */
export function BarSearch() {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const words = String(new FormData(event.currentTarget).get('search')).trim();
    if (words !== '') navigate(`/?${printView({ ...parseView(''), ...setWords(words) })}`);
  }

  return (
    <search className={styles['search']}>
      <form onSubmit={submit}>
        {/* On a narrow page only this label is visible, until it is pressed. */}
        <label htmlFor={SEARCH_FIELD.id} aria-hidden="true">
          <SearchIcon size={16} />
        </label>
        <input {...SEARCH_FIELD} name="search" placeholder="Search posts" />
      </form>
    </search>
  );
}
