import { ALREADY_USED } from '../../features/launches/launch-button.tsx';
import { OpenedPost } from '../../features/post/opened-post.tsx';
import buttons from '../../ui/button.module.css';
import { ChevronLeftIcon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { Maintenance } from '../maintenance.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import styles from './post-page.module.css';
import { openedActions, openedReactions } from './post-slots.tsx';

/** A post by itself, for who followed a link to it. */
export function PostPage({ id }: { id: string }) {
  return (
    <>
      <OpenedPost
        id={id}
        reactions={openedReactions}
        actions={openedActions}
        launchedNote={ALREADY_USED}
        missing={(words) => <NotFoundPage {...words} />}
        down={(reload) => <Maintenance onRetry={reload} />}
      />
      <p className={styles['back']}>
        <Link href="/" className={buttons['ghost']}>
          <ChevronLeftIcon />
          All posts
        </Link>
      </p>
    </>
  );
}

/** A post over the list it was opened from; closing leads back there. */
export function PostOverlay({ id }: { id: string }) {
  return (
    <OpenedPost
      id={id}
      reactions={openedReactions}
      actions={openedActions}
      launchedNote={ALREADY_USED}
      onClose={() => window.history.back()}
    />
  );
}
