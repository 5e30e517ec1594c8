import { type ReactNode, useEffect, useRef, useState } from 'react';
import buttons from './button.module.css';
import styles from './panel.module.css';

const SHOWN_AT_FIRST = 5;
const SHOWN_MORE = 50;

interface PanelProps {
  title: string;
  note?: string | undefined;
  /** At the end of the heading. */
  tools?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, note, tools, children }: PanelProps) {
  return (
    <section className="panel" aria-label={title}>
      <header className={styles['heading']}>
        <h2>
          {title} {note !== undefined && <span className="panel-note">{note}</span>}
        </h2>
        {tools}
      </header>
      {children}
    </section>
  );
}

/** The first items of a list, and a button that shows more. The focus moves to the first new link. */
export function useShortList<Item>(items: readonly Item[] = []) {
  const [limit, setLimit] = useState(SHOWN_AT_FIRST);
  const list = useRef<HTMLUListElement>(null);
  const firstNew = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what has come is there once the limit has changed.
  useEffect(() => {
    if (firstNew.current === null) return;
    list.current?.children[firstNew.current]?.querySelector('a')?.focus();
    firstNew.current = null;
  }, [limit]);

  const shown = items.slice(0, limit);
  function showMore() {
    firstNew.current = shown.length;
    setLimit(limit + SHOWN_MORE);
  }
  const more = shown.length < items.length && (
    <button type="button" className={`${buttons['ghost']} ${styles['more']}`} onClick={showMore}>
      Show more
    </button>
  );
  return { shown, list, more };
}
