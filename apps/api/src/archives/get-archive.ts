import type { Archive, LaunchInfo } from '@archive/contracts';
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
  context: Pick<Context, 'archives' | 'config' | 'reactions'>,
  id: string,
): Promise<LaunchInfo> {
  const { config } = context;
  const archive = await getArchive(context, id);
  const isShownOne = config.launchInfoId === archive._id || config.launchInfoId === archive.id;
  return {
    ...archive,
    launch_platform: isShownOne ? config.launchPlatformName : null,
    contract_address: isShownOne ? config.launchContractAddress : null,
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
