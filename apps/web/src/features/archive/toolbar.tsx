import { FILTER_TEXT_LENGTH, SEARCH_DEBOUNCE_MS } from '@archive/contracts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import buttons from '../../ui/button.module.css';
import { CloseIcon, DownloadIcon, FiltersIcon, GridIcon, RowsIcon, SearchIcon } from '../../ui/icons.tsx';
import { activeFilters } from './active-filters.ts';
import styles from './toolbar.module.css';
import { exportAddress, LAYOUTS, type Layout, type ViewState } from './view-state.ts';

interface ToolbarProps {
  view: ViewState;
  handle: string | undefined;
  onSearch: (text: string) => void;
  onLayout: (layout: Layout) => void;
  /** Fields and buttons of the filter panel; told how to close it. */
  panel: ReactNode;
  isPanelOpen: boolean;
  onPanel: (isOpen: boolean) => void;
}

const LAYOUT_LOOKS = {
  grid: { label: 'Card grid', Icon: GridIcon },
  table: { label: 'Table', Icon: RowsIcon },
};

export function Toolbar({ view, handle, onSearch, onLayout, panel, isPanelOpen, onPanel }: ToolbarProps) {
  const filters = activeFilters(view).length;
  return (
    <>
      <div className={styles['toolbar']}>
        <SearchBox search={view.search ?? ''} onSearch={onSearch} />
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
        <fieldset className={styles['layouts']}>
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
        <a className={buttons['plain']} href={exportAddress(view, 'csv', handle)} download title="Export as CSV">
          <DownloadIcon />
          Export
        </a>
      </div>
      <div id="filter-panel" hidden={!isPanelOpen}>
        {isPanelOpen && panel}
      </div>
    </>
  );
}

function SearchBox({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const input = useRef<HTMLInputElement>(null);

  // The address may change without this box: by Back, a chip, or Reset.
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);

  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      onSearch(wanted);
    }, SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);

  function sendNow(wanted: string) {
    setText(wanted);
    if (wanted === sent.current) return;
    sent.current = wanted;
    onSearch(wanted);
  }

  return (
    <search className={styles['search']}>
      <SearchIcon />
      <input
        ref={input}
        id="search"
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') sendNow(text.trim());
        }}
        placeholder="Search posts, authors or handles"
        aria-label="Search posts, authors or handles"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={FILTER_TEXT_LENGTH}
        dir="auto"
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
    </search>
  );
}
