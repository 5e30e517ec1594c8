import type { Post } from '@archive/contracts';
import { type ComponentProps, useState } from 'react';
import { FeatureButton } from '../../features/featuring/feature-button.tsx';
import { LaunchButton, PlatformLink } from '../../features/launches/launch-button.tsx';
import { LaunchedNote } from '../../features/launches/launched-note.tsx';
import { OpenedPost } from '../../features/post/opened-post.tsx';
import { ReactionBar } from '../../features/reactions/reaction-bar.tsx';
import buttons from '../../ui/button.module.css';
import { ChevronLeftIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Link } from '../../ui/link.tsx';
import { Maintenance } from '../maintenance.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import styles from './post-page.module.css';

const FeatureSheet = lazyPart(() =>
  import('../../features/featuring/sheet/feature-sheet.tsx').then((part) => part.FeatureSheet),
);

/** A post by itself, for who followed a link to it. */
export function PostPage({ id }: { id: string }) {
  return (
    <WholePost
      id={id}
      above={
        <p className={styles['back']}>
          <Link href="/" className={buttons['ghost']}>
            <ChevronLeftIcon />
            All posts
          </Link>
        </p>
      }
      missing={(words) => <NotFoundPage {...words} />}
      down={(reload) => <Maintenance onRetry={reload} />}
    />
  );
}

/** A post over the list it was opened from; closing leads back there. */
export function PostOverlay({ id }: { id: string }) {
  return <WholePost id={id} onClose={() => window.history.back()} />;
}

/** A post with what the other features put into it. */
function WholePost(props: Pick<ComponentProps<typeof OpenedPost>, 'id' | 'onClose' | 'missing' | 'down' | 'above'>) {
  const [featuring, setFeaturing] = useState<Post | null>(null);

  return (
    <>
      <OpenedPost
        {...props}
        reactions={(post) => <ReactionBar post={post} boxed />}
        actions={(post) => (
          <>
            {!post.featured && <FeatureButton onOpen={() => setFeaturing(post)} />}
            <LaunchButton post={post} />
            {post.launched && <PlatformLink post={post} />}
          </>
        )}
        launchedNote={(post) => <LaunchedNote post={post} />}
      />
      {featuring !== null && <FeatureSheet post={featuring} onClose={() => setFeaturing(null)} />}
    </>
  );
}
