import type { PostDocument } from '../archives/post-document.ts';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import { type Budget, secondsOfDayLeft } from './launch-store.ts';

type Needs = Pick<Context, 'config' | 'database' | 'launches' | 'launchDesk' | 'optOuts'>;

/**
 * Why this wallet, or without one anybody, cannot launch from a free post now, whatever the token is called; null where
 * nothing is in the way. The chain is not asked.
 */
export async function findLaunchRefusal(
  context: Needs,
  post: PostDocument,
  wallet: string | null,
): Promise<AppError | null> {
  const now = context.database.clock.now();
  const budgets = budgetsOf(context, wallet);
  const [isOptedOut, left] = await Promise.all([
    context.optOuts.has(post.authorUsername),
    context.launches.left(budgets, now),
  ]);
  if (isOptedOut) {
    return new AppError('launch_not_allowed', 'The author of this post does not want tokens launched from it.');
  }
  const spent = budgets.find((_, at) => (left[at] as number) <= 0);
  return context.launchDesk.refusal ?? (spent ? spentRefusal(spent, now) : null);
}

/** What a launch counts against; without a wallet, what every launch does. */
export function budgetsOf({ config }: Pick<Context, 'config'>, wallet: string | null): Budget[] {
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
