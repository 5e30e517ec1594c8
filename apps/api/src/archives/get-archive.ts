import { type Archive, isLaunched, type LaunchInfo } from '@archive/contracts';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { ArchiveStore } from './archive-store.ts';
import { isRemoved, type PostDocument, type StoredPost, toArchive } from './post-document.ts';

/** One post by `_id` or platform id. */
export async function getArchive(context: Pick<Context, 'archives' | 'reactions'>, id: string): Promise<Archive> {
  const post = await findPost(context.archives, id);
  return toArchive(post, await context.reactions.countOf([post._id]));
}

/** One post with where its token was launched. */
export async function getLaunchInfo(
  context: Pick<Context, 'archives' | 'config' | 'launchDesk' | 'launches' | 'reactions'>,
  id: string,
): Promise<LaunchInfo> {
  const { config, launchDesk, launches } = context;
  const post = await findPost(context.archives, id);
  const [counts, found] = await Promise.all([context.reactions.countOf([post._id]), launches.find(post._id)]);
  const archive = toArchive(post, counts);
  const launch = found && isLaunched(found.state) ? found : null;
  const isShownOne = config.launchInfoId === archive._id || config.launchInfoId === archive.id;
  const [platform, contract] = isShownOne ? [config.launchPlatformName, config.launchContractAddress] : [null, null];
  return {
    ...archive,
    launch_platform: platform ?? (launch && launchDesk.platform(launch.platform).label),
    contract_address: contract ?? launch?.mint ?? null,
  };
}

/** The post itself, or the refusal that fits: unknown is 404, removed is 410. */
export async function findPost(archives: ArchiveStore, id: string): Promise<PostDocument> {
  const post = livePost(await archives.find(id));
  if (post instanceof AppError) throw post;
  return post;
}

export function livePost(post: StoredPost | null): PostDocument | AppError {
  if (!post) return new AppError('post_not_found', 'There is no such post in the archive.');
  return isRemoved(post) ? new AppError('post_removed', 'This post was removed from the archive.') : post;
}
