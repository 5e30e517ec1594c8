import { isLaunched, type TokenCheck } from '@archive/contracts';
import { findLivePost } from '../posts/live-post.ts';
import type { Posts } from '../posts/posts.ts';
import { budgetsOf, findLaunchRefusal, type LaunchCaller, type RefusalNeeds } from './find-launch-refusal.ts';
import { holdsPost, type LaunchDocument, toTokenLaunch } from './launch-document.ts';

type Needs = RefusalNeeds & { posts: Pick<Posts, 'store'> };

/** The state of a post's launch. If the post is free, the reason that prevents a launch, if any. */
export async function checkToken(context: Needs, id: string, caller: LaunchCaller): Promise<TokenCheck> {
  const post = await findLivePost(context.posts.store, id);
  const check = describe(await context.launches.store.find(post._id), post.launched);
  const isFree = !check.exists && !check.tokenLaunch;
  const refusal = isFree
    ? await findLaunchRefusal(context, post, caller, await budgetsOf(context, caller), 'recent')
    : null;
  return { ...check, refusal: refusal && { code: refusal.code, message: refusal.message } };
}

function describe(launch: LaunchDocument | null, isMarked: boolean): Omit<TokenCheck, 'refusal'> {
  if (launch && holdsPost(launch)) {
    return { exists: isLaunched(launch.state), tokenLaunch: toTokenLaunch(launch), failure: null };
  }
  const failure =
    launch?.state === 'failed' || launch?.state === 'expired'
      ? { status: launch.state, message: launch.failure ?? 'Nothing was launched. Please try again.' }
      : null;
  return { exists: isMarked, tokenLaunch: null, failure };
}
