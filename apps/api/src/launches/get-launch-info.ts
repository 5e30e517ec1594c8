import { isLaunched, type LaunchInfo, type Post } from '@archive/contracts';
import type { Base } from '../base.ts';
import { answerPosts } from '../posts/answer-posts.ts';
import { findLivePost } from '../posts/live-post.ts';
import type { Posts } from '../posts/posts.ts';
import type { Reactions } from '../reactions/reactions.ts';
import type { Launches } from './launches.ts';
import { launchPlatform } from './platforms/platforms.ts';

interface Needs extends Pick<Base, 'config'> {
  posts: Pick<Posts, 'store'>;
  reactions: Pick<Reactions, 'store'>;
  launches: Pick<Launches, 'store'>;
}

/** One post with its launch. */
export async function getLaunchInfo({ config, posts, reactions, launches }: Needs, id: string): Promise<LaunchInfo> {
  const post = await findLivePost(posts.store, id);
  const [[archive], found] = await Promise.all([
    answerPosts({ posts, reactions }, [post]) as Promise<[Post]>,
    launches.store.find(post._id),
  ]);
  const launch = found && isLaunched(found.state) ? found : null;
  const isShownOne = config.launchInfoId === archive._id || config.launchInfoId === archive.id;
  const [platform, contract] = isShownOne ? [config.launchPlatformName, config.launchContractAddress] : [null, null];
  return {
    ...archive,
    launch_platform: platform ?? (launch && launchPlatform(launch.platform, config.launch).label),
    contract_address: contract ?? launch?.mint ?? null,
  };
}
