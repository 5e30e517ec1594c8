import { isLaunched, type LaunchStatus } from '@archive/contracts';
import { networkOf } from '@archive/solana/price';
import type { Base } from '../base.ts';
import type { Chain } from '../chain/chain.ts';
import type { SignatureStatus } from '../chain/node-answers.ts';
import type { Posts } from '../posts/posts.ts';
import { type LaunchDocument, UNDER_WAY } from './launch-document.ts';
import type { Launches } from './launches.ts';
import { launchPlatform } from './platforms/platforms.ts';

export interface SettleNeeds extends Pick<Base, 'config' | 'database' | 'log'> {
  posts: Pick<Posts, 'store'>;
  launches: Launches;
}

const FAILED = 'The network refused the token’s transaction. Please try again.';
const EXPIRED = 'The network did not take the token’s transaction in time. Please try again.';
const NETWORK_GONE = 'The network that the token was sent to is gone. Please try again.';

/**
 * Advances a signed launch as far as the chain allows and returns its new state. Only the chain decides: the token
 * exists, or no block can contain its transaction any more, or the outcome is unknown. In the last case the same bytes
 * are sent again, and nothing else is signed. Idempotent in any number of processes.
 *
 * Without `isThorough` only the transaction's status is read, as in the polls of a waiting call.
 */
export async function settleLaunch(
  context: SettleNeeds,
  chain: Chain,
  launch: LaunchDocument,
  options: { isThorough: boolean },
): Promise<LaunchDocument> {
  if (!UNDER_WAY.includes(launch.state)) return launch;
  if (launch.genesisHash !== chain.genesisHash) return settleElsewhere(context, chain, launch);
  const { mint, transaction, signedTransaction, lastValidBlockHeight } = launch;
  const { tokenProgram: program } = launchPlatform(launch.platform, context.config.launch);
  const token = { mint, program };
  const status = await chain.statusOf(transaction as string);
  if (isFirm(status) && status.err === null) return confirm(context, launch, isFinal(status));
  if (status !== null) {
    // A transaction that failed may still succeed in another fork, until the failure is final.
    if (status.err === null || !isFinal(status)) return launch;
    return end(context, launch, 'failed', FAILED);
  }
  if (!options.isThorough) return launch;
  if ((await chain.ownerOf(mint)) === program) return confirm(context, launch, false);
  const height = lastValidBlockHeight as number;
  const isOver = await chain.isPast(height);
  if (isOver && (await chain.isAbsent({ signature: transaction as string, height, token }))) {
    return end(context, launch, 'expired', EXPIRED);
  }
  return isOver ? launch : send(context, chain, launch, signedTransaction as string);
}

/** Checks a confirmed launch. If it is final, it is marked so. If the chain has dropped it, it is under way again. */
export async function reviewLaunch(
  context: SettleNeeds,
  chain: Chain,
  launch: LaunchDocument,
  missingMs: number,
): Promise<void> {
  if (launch.state !== 'confirmed' || launch.genesisHash !== chain.genesisHash) return;
  const { mint, transaction, missingSince } = launch;
  const { tokenProgram: program } = launchPlatform(launch.platform, context.config.launch);
  const token = { mint, program };
  const status = await chain.statusOf(transaction as string);
  const isSeenFinal =
    (status?.err === null && isFinal(status)) || (!status && (await chain.ownerOf(mint, 'finalized')) === program);
  if (isSeenFinal) return void (await confirm(context, launch, true));
  const isSeen = status?.err === null || (!status && (await chain.ownerOf(mint)) === program);
  if (isSeen) return void (missingSince && (await context.launches.store.setMissing(launch, null)));
  const now = context.database.clock.now();
  if (!missingSince) await context.launches.store.setMissing(launch, now);
  if (now.getTime() - (missingSince ?? now).getTime() < missingMs) return;
  const isUndone = status ? isFinal(status) : await chain.isAbsent({ signature: transaction as string, token });
  if (!isUndone) return;
  const changes = { confirmedAt: null, missingSince: null, changedAt: now };
  const undone = await context.launches.store.move(launch, ['confirmed'], 'sent', changes);
  if (!undone) return;
  context.log.error({ post: launch._id, mint }, 'the chain took back a launch');
  await showLaunch(context, undone);
}

/** Marks the post as the state of its launch says. */
export async function showLaunch(context: SettleNeeds, launch: LaunchDocument): Promise<void> {
  let current: LaunchDocument | null = launch;
  while (current) {
    const shown = isLaunched(current.state);
    await context.posts.store.setLaunched(current._id, shown);
    if (await context.launches.store.markShown(current, shown)) break;
    current = await context.launches.store.find(launch._id);
  }
}

/** Sends the stored bytes to a node. The outcome is read from the chain later. */
export async function send(
  context: Pick<SettleNeeds, 'launches' | 'database' | 'log'>,
  chain: Chain,
  launch: LaunchDocument,
  signedTransaction: string,
): Promise<LaunchDocument> {
  try {
    await chain.send(signedTransaction);
  } catch (error) {
    context.log.warn({ err: error, post: launch._id }, 'a launch could not be sent; it is sent again');
    return launch;
  }
  const changes = { changedAt: context.database.clock.now() };
  return (await context.launches.store.move(launch, ['signed'], 'sent', changes)) ?? launch;
}

async function confirm(context: SettleNeeds, launch: LaunchDocument, isFinalNow: boolean): Promise<LaunchDocument> {
  const now = context.database.clock.now();
  const moved = await context.launches.store.move(
    launch,
    [...UNDER_WAY, 'confirmed'],
    isFinalNow ? 'finalized' : 'confirmed',
    {
      confirmedAt: launch.confirmedAt ?? now,
      finalizedAt: isFinalNow ? now : null,
      missingSince: null,
      changedAt: now,
    },
  );
  return afterMove(context, launch, moved);
}

async function end(
  context: SettleNeeds,
  launch: LaunchDocument,
  state: Extract<LaunchStatus, 'failed' | 'expired'>,
  failure: string,
): Promise<LaunchDocument> {
  const moved = await context.launches.store.move(launch, UNDER_WAY, state, {
    failure,
    changedAt: context.database.clock.now(),
  });
  if (moved) context.log.error({ post: launch._id, mint: launch.mint, state }, 'a launch came to nothing');
  return afterMove(context, launch, moved);
}

async function afterMove(
  context: SettleNeeds,
  launch: LaunchDocument,
  moved: LaunchDocument | null,
): Promise<LaunchDocument> {
  if (moved && moved.shown !== isLaunched(moved.state)) await showLaunch(context, moved);
  return moved ?? (await context.launches.store.find(launch._id)) ?? launch;
}

/**
 * Ends a launch on a local network that was reset, since such a network has lost it. A launch on another public network
 * stays open, since only that network knows its outcome.
 */
async function settleElsewhere(
  context: SettleNeeds,
  { genesisHash }: Chain,
  launch: LaunchDocument,
): Promise<LaunchDocument> {
  const isGone = launch.network === 'localnet' && genesisHash !== null && networkOf(genesisHash) === 'localnet';
  return isGone ? end(context, launch, 'expired', NETWORK_GONE) : launch;
}

function isFirm(status: SignatureStatus | null): status is SignatureStatus {
  return status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized';
}

function isFinal(status: SignatureStatus): boolean {
  return status.confirmationStatus === 'finalized';
}
