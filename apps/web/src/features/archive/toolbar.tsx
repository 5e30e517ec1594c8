import { isUnfinished, parseQuery, SEARCH_DEBOUNCE_MS, usesOperators } from '@archive/contracts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import buttons from '../../ui/button.module.css';
import { CloseIcon, FiltersIcon, GridIcon, RowsIcon, SearchIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import segments from '../../ui/segments.module.css';
import { countFilters } from './active-filters.ts';
import { SEARCH_FIELD } from './search-field.ts';
import styles from './toolbar.module.css';
import { useSuggesting } from './use-suggesting.ts';
import { LAYOUTS, type Layout, setWords, type ViewState, wordsIn } from './view-state.ts';

const Suggestions = lazyPart(() => import('./suggestions.tsx').then((part) => part.Suggestions), null, undefined, null);

interface ToolbarProps {
  view: ViewState;
  exportMenu: ReactNode;
  onSearch: (text: string) => void;
  /** Called when the visitor sends the search: the results should be shown now. */
  onSubmit: () => void;
  /** Called when the field gets the focus. */
  onField: () => void;
  onLayout: (layout: Layout) => void;
  /** The form of the filter panel. */
  panel: ReactNode;
  isPanelOpen: boolean;
  onPanel: (isOpen: boolean) => void;
}

const LAYOUT_LOOKS = {
  grid: { label: 'Card grid', Icon: GridIcon },
  table: { label: 'Table', Icon: RowsIcon },
};

export function Toolbar({
  view,
  exportMenu,
  onSearch,
  onSubmit,
  onField,
  onLayout,
  panel,
  isPanelOpen,
  onPanel,
}: ToolbarProps) {
  const filters = countFilters(view);
  return (
    <>
      <div className={styles['toolbar']}>
        <SearchBox search={wordsIn(view)} onSearch={onSearch} onSubmit={onSubmit} onField={onField} />
        <button
          type="button"
          className={buttons['plain']}
          aria-expanded={isPanelOpen}
          aria-controls="filter-panel"
          onClick={() => onPanel(!isPanelOpen)}
        >
          <FiltersIcon />
          Filters
          {filters > 0 && (
            <span className={styles['badge']}>
              {filters}
              <span className="visually-hidden"> active</span>
            </span>
          )}
        </button>
        <fieldset className={`${segments['segments']} ${styles['layouts']}`}>
          <legend className="visually-hidden">Layout</legend>
          {LAYOUTS.map((layout) => {
            const { label, Icon } = LAYOUT_LOOKS[layout];
            return (
              <button
                key={layout}
                type="button"
                aria-pressed={view.view === layout}
                aria-label={label}
                title={label}
                onClick={() => onLayout(layout)}
              >
                <Icon />
              </button>
            );
          })}
        </fieldset>
        {exportMenu}
      </div>
      <div id="filter-panel" hidden={!isPanelOpen}>
        {isPanelOpen && panel}
      </div>
    </>
  );
}

type SearchBoxProps = { search: string } & Pick<ToolbarProps, 'onSearch' | 'onSubmit' | 'onField'>;

function SearchBox({ search, onSearch, onSubmit, onField }: SearchBoxProps) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const input = useRef<HTMLInputElement>(null);

  // Back, a chip, or Reset may change the address without this box.
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);

  useEffect(() => {
    const wanted = text.trim();
    const isSent = () => asSent(wanted) === sent.current;
    if (isSent() || isUnfinished(wanted)) return;
    const timer = setTimeout(() => {
      // Enter may have sent the search meanwhile.
      if (isSent()) return;
      sent.current = asSent(wanted);
      onSearch(wanted);
    }, SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);

  function sendNow(wanted: string) {
    setText(wanted);
    if (asSent(wanted.trim()) === sent.current) return;
    sent.current = asSent(wanted.trim());
    onSearch(wanted.trim());
  }

  function submit(wanted: string) {
    sendNow(wanted);
    if (wanted.trim() !== '') onSubmit();
  }

  const suggesting = useSuggesting(text, (words, goesOn) => (goesOn ? sendNow(words) : submit(words)));

  return (
    <search className={styles['search']}>
      <SearchIcon />
      <input
        ref={input}
        {...SEARCH_FIELD}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          suggesting.type();
        }}
        onFocus={({ currentTarget: { value, selectionStart, selectionEnd } }) => {
          onField();
          Suggestions.prefetch();
          // Adds a space, so that the next letters start a new word. If all text is selected, they replace it.
          if (value === '' || (selectionStart === 0 && selectionEnd === value.length)) return;
          setText((now) => (/\S$/.test(now) && usesOperators(parseQuery(now)) && !isUnfinished(now) ? `${now} ` : now));
        }}
        onBlur={suggesting.close}
        onKeyDown={(event) => {
          if (suggesting.take(event)) return;
          if (event.key === 'Enter') submit(text.trim());
        }}
        {...suggesting.field}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            sendNow('');
            input.current?.focus();
          }}
        >
          <CloseIcon size={14} />
        </button>
      )}
      {suggesting.isOpen && <Suggestions text={text} suggesting={suggesting} />}
    </search>
  );
}

/** The words as the address will return them. */
function asSent(words: string): string {
  return wordsIn(setWords(words));
}
