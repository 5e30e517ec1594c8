import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { PostDocument } from '../posts/post-document.ts';
import { type Budget, secondsOfDayLeft } from './launch-store.ts';
import type { Launches } from './launches.ts';

export interface RefusalNeeds extends Pick<Base, 'config' | 'database'> {
  launches: Pick<Launches, 'store' | 'offer' | 'optOuts'>;
}

/**
 * Why this wallet, or without one anybody, cannot launch from a free post now, whatever the token is called; null where
 * nothing is in the way. The chain is not asked.
 */
export async function findLaunchRefusal(
  context: RefusalNeeds,
  post: PostDocument,
  wallet: string | null,
): Promise<AppError | null> {
  const now = context.database.clock.now();
  const budgets = budgetsOf(context, wallet);
  const [isOptedOut, left] = await Promise.all([
    context.launches.optOuts.has(post.authorUsername),
    context.launches.store.left(budgets, now),
  ]);
  if (isOptedOut) {
    return new AppError('launch_not_allowed', 'The author of this post does not want tokens launched from it.');
  }
  const spent = budgets.find((_, at) => (left[at] as number) <= 0);
  return context.launches.offer.refusal ?? (spent ? spentRefusal(spent, now) : null);
}

/** What a launch counts against; without a wallet, what every launch does. */
export function budgetsOf({ config }: Pick<Base, 'config'>, wallet: string | null): Budget[] {
  if (!config.rateLimits) return [];
  const all = { who: 'all', cap: config.launch.dailyCap };
  return wallet === null ? [all] : [{ who: wallet, cap: config.launch.walletCap }, all];
}

export function spentRefusal({ who, cap }: Budget, now: Date): AppError {
  const reason =
    who === 'all'
      ? 'No more tokens can be launched today.'
      : `A wallet can launch ${cap} ${cap === 1 ? 'token' : 'tokens'} a day.`;
  return new AppError('rate_limited', `${reason} The next day begins at 00:00 UTC.`, {
    headers: { 'Retry-After': String(secondsOfDayLeft(now)) },
  });
}
