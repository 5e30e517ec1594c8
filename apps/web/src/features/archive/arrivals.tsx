import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { navigate } from 'wouter/use-browser-location';
import { formatCount } from '../../lib/format.ts';
import { refreshPosts } from '../../lib/post-cache.ts';
import { ChevronUpIcon } from '../../ui/icons.tsx';
import styles from './arrivals.module.css';
import type { Layout } from './view-state.ts';

/** What is drawn first comes first. */
const REST_MS = 1_000;

/** Says how many posts have come since the list was drawn. Nothing moves before it is pressed. */
export function Arrivals({ layout, onOpen }: { layout: Layout; onOpen: () => void }) {
  const [count, setCount] = useState(0);
  const { mutate } = useSWRConfig();

  useEffect(() => {
    let stop = () => {};
    const timer = setTimeout(() => {
      import('../../lib/live-stream.ts').then(
        ({ watchLive }) => {
          if (!isOver) stop = watchLive({ onAdded: (added) => setCount((known) => known + added) });
        },
        () => {},
      );
    }, REST_MS);
    let isOver = false;
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, []);

  function open() {
    setCount(0);
    navigate(`/?sortBy=saved${layout === 'grid' ? '' : `&view=${layout}`}`);
    refreshPosts(mutate);
    onOpen();
  }

  return (
    <div role="status" className={styles['place']}>
      {count > 0 && (
        <button type="button" className={styles['pill']} onClick={open}>
          <ChevronUpIcon size={14} />
          <span>
            {formatCount(count)} new<span className="wide-words">{count === 1 ? ' post' : ' posts'}</span>
          </span>
        </button>
      )}
    </div>
  );
}
