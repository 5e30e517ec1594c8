import type { Archive } from '@archive/contracts';
import { FeatureButton } from '../../features/featuring/feature-button.tsx';
import { LaunchButton, LaunchLink } from '../../features/launches/launch-button.tsx';
import { PlatformLink } from '../../features/launches/platform-link.tsx';
import type { PostSlots } from '../../features/post/post-slots.ts';
import { ReactionBar } from '../../features/reactions/reaction-bar.tsx';

/** What the other features put into every post. */
export const postSlots: PostSlots = {
  reactions: (post) => <ReactionBar post={post} />,
  launch: (post) => <LaunchLink post={post} />,
};

export function openedReactions(post: Archive) {
  return <ReactionBar post={post} boxed />;
}

export function openedActions(post: Archive) {
  return (
    <>
      {!post.featured && <FeatureButton />}
      <LaunchButton post={post} />
      {post.launched && <PlatformLink post={post} />}
    </>
  );
}
