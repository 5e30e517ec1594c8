import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { navigate } from 'wouter/use-browser-location';
import { useAnswer } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { refreshPosts } from '../../lib/post-cache.ts';
import { ChevronUpIcon } from '../../ui/icons.tsx';
import styles from './arrivals.module.css';
import type { Layout } from './view-state.ts';

/** What is drawn first comes first. */
const REST_MS = 1_000;

/** Seconds; of changes that wait no longer nothing is said. */
const LONG_BEHIND = 60;
const LOOK_AGAIN_MS = 60_000;

interface ArrivalsProps {
  layout: Layout;
  onOpen: () => void;
  /** Whether the list holds all posts. */
  isWhole: boolean;
}

/** Says what the list lacks: posts that came since it was drawn, and those that the index does not hold yet. */
export function Arrivals({ layout, onOpen, isWhole }: ArrivalsProps) {
  const behind = useAnswer('ready', {}, { refreshInterval: LOOK_AGAIN_MS }).data?.behind ?? 0;
  return (
    <div role="status" className={styles['place']}>
      {isWhole && <Come layout={layout} onOpen={onOpen} />}
      {behind > LONG_BEHIND && <p className={styles['note']}>Newer posts are still being indexed</p>}
    </div>
  );
}

/** Nothing moves before it is pressed. */
function Come({ layout, onOpen }: Omit<ArrivalsProps, 'isWhole'>) {
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

  if (count === 0) return null;
  return (
    <button type="button" className={styles['pill']} onClick={open}>
      <ChevronUpIcon size={14} />
      <span>
        {formatCount(count)} new<span className="wide-words">{count === 1 ? ' post' : ' posts'}</span>
      </span>
    </button>
  );
}
