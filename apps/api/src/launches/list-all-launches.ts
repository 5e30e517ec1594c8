import type { AnswerOf, ParsedOf } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { Launches } from './launches.ts';
import { onChain } from './on-chain.ts';

const PAGE = 50;
/** Number of launches whose cost is read, to estimate the cost of the next ones. */
const COSTS_READ = 5;
const COUNTED_DAYS = 7;
const DAY_MS = 86_400_000;

/** Launches of all wallets in a state, the last changed first. */
export async function listAllLaunches(
  { launches }: { launches: Pick<Launches, 'store'> },
  { state, after }: ParsedOf<'listLaunches'>['query'],
): Promise<AnswerOf<'listLaunches'>> {
  const found = await launches.store.list({ state, after }, PAGE + 1);
  const shown = found.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    data: shown.map(({ _id, createdAt, changedAt, ...launch }) => ({
      archiveId: _id.toHexString(),
      state: launch.state,
      wallet: launch.wallet,
      name: launch.name,
      symbol: launch.symbol,
      mint: launch.mint,
      transaction: launch.transaction,
      attempt: launch.attempt,
      failure: launch.failure,
      createdAt: createdAt.toISOString(),
      changedAt: changedAt.toISOString(),
    })),
    next: last && found.length > PAGE ? `${last.changedAt.getTime()}_${last._id.toHexString()}` : null,
  };
}

/** The balance of the launch key, and how long it will last by the cost of the last launches. */
export async function describeLaunchKey({
  chain,
  config,
  database,
  launches,
}: Pick<Base, 'chain' | 'config' | 'database'> & { launches: Pick<Launches, 'store' | 'offer'> }): Promise<
  AnswerOf<'launchKey'>
> {
  const offer = launches.offer.known;
  if (!chain || !offer)
    throw launches.offer.refusal ?? new AppError('launching_unavailable', 'Nothing is launched here.');
  const address = offer.key.publicKey.toBase58();
  return onChain(async () => {
    const balance = await chain.balance(address);
    const spendable = balance > config.launch.balanceFloor ? balance - config.launch.balanceFloor : 0n;
    const costs: bigint[] = [];
    for await (const { transaction } of launches.store.newest()) {
      if (costs.length === COSTS_READ) break;
      const cost = transaction === null ? null : await chain.costOf(transaction);
      if (cost === null) break;
      costs.push(cost);
    }
    const lamportsEach = costs.length > 0 ? costs.reduce((sum, cost) => sum + cost, 0n) / BigInt(costs.length) : null;
    const left = lamportsEach ? Number(spendable / lamportsEach) : null;
    const since = new Date(database.clock.now().getTime() - COUNTED_DAYS * DAY_MS);
    const aDay = (await launches.store.countSince(since)) / COUNTED_DAYS;
    return {
      address,
      lamports: String(balance),
      floorLamports: String(config.launch.balanceFloor),
      lamportsEach: lamportsEach === null ? null : String(lamportsEach),
      launchesLeft: left,
      daysLeft: left === null || aDay === 0 ? null : Math.floor(left / aDay),
    };
  });
}
