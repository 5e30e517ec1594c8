import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { navigate } from 'wouter/use-browser-location';
import { useAnswer } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { refreshPosts } from '../../lib/post-cache.ts';
import { ChevronUpIcon } from '../../ui/icons.tsx';
import styles from './arrivals.module.css';
import type { Layout } from './view-state.ts';

/** Milliseconds before the stream opens, so that the page renders first. */
const REST_MS = 1_000;

/** Seconds that changes may wait for the index before the page mentions it. */
const LONG_BEHIND = 60;
const LOOK_AGAIN_MS = 60_000;

interface ArrivalsProps {
  layout: Layout;
  onOpen: () => void;
  /** Whether the list is the unfiltered archive. */
  isWhole: boolean;
}

/** Says what the list does not show: posts that arrived since, and posts that are not indexed yet. */
export function Arrivals({ layout, onOpen, isWhole }: ArrivalsProps) {
  // A failed call is retried too: otherwise polling would stop after the first failure.
  const looks = { refreshInterval: LOOK_AGAIN_MS, shouldRetryOnError: true, errorRetryInterval: LOOK_AGAIN_MS };
  const { data, error } = useAnswer('ready', {}, looks);
  const isBehind = error === undefined && data !== undefined && data.behind > LONG_BEHIND;
  return (
    <>
      <div role="status">
        {isBehind && <p className={styles['note']}>Newer posts are still being indexed. Some cannot be found yet.</p>}
      </div>
      {isWhole && <NewPosts layout={layout} onOpen={onOpen} />}
    </>
  );
}

/** The button that shows new posts. The list itself changes only when it is pressed. */
function NewPosts({ layout, onOpen }: Omit<ArrivalsProps, 'isWhole'>) {
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
