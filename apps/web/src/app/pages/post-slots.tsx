import { LaunchLink } from '../../features/launches/launch-link.tsx';
import type { PostSlots } from '../../features/post/post-slots.ts';
import { ReactionBar } from '../../features/reactions/reaction-bar.tsx';

/** What the other features put into every post. */
export const postSlots: PostSlots = {
  reactions: (post) => <ReactionBar post={post} />,
  launch: (post) => <LaunchLink post={post} />,
};
