import type { Accounts } from '../accounts/accounts.ts';
import { AppError } from '../app-error.ts';
import type { Authors } from '../authors/authors.ts';
import type { Base } from '../base.ts';
import { findStop, findSuspension, type Stops } from '../operators/operators.ts';
import type { PostDocument } from '../posts/post-document.ts';
import type { LaunchOffer } from './launch-offer.ts';
import { type Budget, secondsOfDayLeft } from './launch-store.ts';
import type { Launches } from './launches.ts';
import { onChain } from './on-chain.ts';

export interface RefusalNeeds extends Pick<Base, 'chain' | 'config' | 'database'> {
  accounts: Pick<Accounts, 'users'>;
  authors: Pick<Authors, 'wishes'>;
  launches: Pick<Launches, 'store' | 'offer' | 'optOuts' | 'holdings'>;
  operators: Stops;
}

/** The caller of a launch check; a visitor has no wallet. */
export interface LaunchCaller {
  wallet: string | null;
  network: string;
}

const ALL = 'all';
const NEWCOMERS = 'newcomers';
const NETWORK = 'network ';
/** A wallet counts as new for this long after its first sign-in. */
const NEW_MS = 86_400_000;
/** One in so many launches of the day is reserved for wallets that are not new. */
const KEPT_PART = 5;

/**
 * Why this wallet cannot launch from a free post now, whatever the token's name; null if it can. Without a wallet, the
 * reasons that hold for all. If wallets must hold tokens, the chain is asked now, or a recent answer is used.
 */
export async function findLaunchRefusal(
  context: RefusalNeeds,
  post: PostDocument,
  { wallet }: LaunchCaller,
  budgets: readonly Budget[],
  holding: 'fresh' | 'recent',
): Promise<AppError | null> {
  const { launches } = context;
  const now = context.database.clock.now();
  const [stop, suspension, isOptedOut, unwilling, left] = await Promise.all([
    findStop(context.operators, 'launching'),
    wallet === null ? null : findSuspension(context.operators, wallet),
    launches.optOuts.has(post.authorUsername),
    context.authors.wishes.refused([post], 'noTokens'),
    launches.store.left(budgets, now),
  ]);
  if (suspension ?? stop) return suspension ?? stop;
  if (isOptedOut || unwilling.size > 0) {
    return new AppError('launch_not_allowed', 'The author of this post does not want tokens launched from it.');
  }
  const { current } = launches.offer;
  if (!current) return launches.offer.refusal;
  // If several budgets are spent, the last one, which most wallets share, is reported.
  const spent = budgets.findLast((_, at) => (left[at] as number) <= 0);
  if (spent) return spentRefusal(spent, now);
  return wallet === null ? null : findHoldingRefusal(context, current, wallet, holding);
}

/**
 * The budgets that a launch counts against, ordered from the wallet's own to the one of all. For a visitor, only those
 * that every wallet counts against.
 */
export async function budgetsOf(
  { accounts, config, database }: Pick<RefusalNeeds, 'accounts' | 'config' | 'database'>,
  { wallet, network }: LaunchCaller,
): Promise<Budget[]> {
  if (!config.rateLimits) return [];
  const { dailyCap, walletCap, addressCap } = config.launch;
  const ofNetwork = { who: NETWORK + network, cap: addressCap };
  const ofAll = { who: ALL, cap: dailyCap };
  if (wallet === null) return [ofNetwork, ofAll];
  const since = await accounts.users.knownSince(wallet);
  const isNew = !since || database.clock.now().getTime() - since.getTime() < NEW_MS;
  const ofNewcomers = { who: NEWCOMERS, cap: dailyCap - Math.floor(dailyCap / KEPT_PART) };
  return [{ who: wallet, cap: walletCap }, ofNetwork, ...(isNew ? [ofNewcomers] : []), ofAll];
}

export function spentRefusal({ who, cap }: Budget, now: Date): AppError {
  const [reason, more = ''] = spentWords(who, cap);
  return new AppError('rate_limited', `${reason} The next day begins at 00:00 UTC.${more}`, {
    headers: { 'Retry-After': String(secondsOfDayLeft(now)) },
  });
}

function spentWords(who: string, cap: number): [reason: string, more?: string] {
  if (who === ALL) return ['No more tokens can be launched today.'];
  if (who.startsWith(NETWORK)) return ['Too many tokens were launched from your network today.'];
  if (who === NEWCOMERS) {
    return ['What new wallets can launch today is used up.', ' A wallet is new for a day after its first sign-in.'];
  }
  return [`A wallet can launch ${cap} ${cap === 1 ? 'token' : 'tokens'} a day.`];
}

async function findHoldingRefusal(
  { chain, config, launches }: RefusalNeeds,
  { minimum }: LaunchOffer,
  wallet: string,
  holding: 'fresh' | 'recent',
): Promise<AppError | null> {
  if (!chain || !minimum) return null;
  const { token, baseUnits } = minimum;
  const read = async () => (await chain.holding(wallet, token, baseUnits)) >= baseUnits;
  try {
    if (await onChain(() => launches.holdings[holding](wallet, read))) return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  const amount = `${config.launch.minTokens} ${config.tokenTicker}`;
  return new AppError('launch_not_allowed', `A wallet must hold ${amount} to launch a token.`);
}
