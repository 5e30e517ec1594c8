import buttons from '../../ui/button.module.css';
import { FeedIcon } from '../../ui/later-icons.tsx';
import styles from './follow-line.module.css';
import { SaveSearchButton } from './save-search-button.tsx';

/** Below a filtered list: how to follow new matches. `query` is the query string of the filters. */
export function FollowLine({ query }: { query: string }) {
  return (
    <p className={styles['line']}>
      <SaveSearchButton query={query} />
      <a className={buttons['word']} href={`/feed.atom?${query}`}>
        <FeedIcon size={14} />
        Feed of this search
      </a>
    </p>
  );
}
