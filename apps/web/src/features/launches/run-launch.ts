import { ApiError, isServerDown } from '@archive/client';
import {
  buildLaunchMessage,
  type ErrorCode,
  isLaunched,
  type Post,
  type TokenCheck,
  type TokenLaunch,
} from '@archive/contracts';
import bs58 from 'bs58';
import { callApi } from '../../lib/api.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { signText } from '../../wallet/session.ts';
import { walletState } from '../../wallet/wallet-store.ts';
import type { TokenWords } from './launch-defaults.ts';
import { LAUNCH_FAILED } from './launch-words.ts';

/** How a launch ended, as far as the page can know. */
export type LaunchEnd =
  /** The signed-in person's token was launched from the post. */
  | { kind: 'launched'; launch: TokenLaunch }
  /**
   * The post has another token: of another person, of this person's other tab, or from before the archive recorded
   * launches.
   */
  | { kind: 'taken'; launch: TokenLaunch | null; isMine: boolean }
  /** The launch failed, and the post is free again. */
  | { kind: 'released'; message: string }
  /** Neither the server nor the chain has answered. */
  | { kind: 'unknown' };

/** Errors after which the post may have a token or may get one. */
const UNDER_WAY: ReadonlySet<ErrorCode> = new Set([
  'launch_under_way',
  'already_launched',
  'internal_error',
  'database_unavailable',
]);

/**
 * How often and how long to poll for a launch that the chain has not confirmed: a transaction lives a minute or two.
 */
export interface FollowTiming {
  /** Milliseconds between the first polls. The pauses grow later. */
  everyMs: number;
  limitMs: number;
  /** Milliseconds within which a request without an answer may still claim its post. */
  lostMs: number;
}

export const FOLLOW_TIMING: FollowTiming = { everyMs: 1_000, limitMs: 3 * 60_000, lostMs: 5_000 };
/** The largest pause, as a part of the elapsed time. */
const SELDOM = 1 / 10;

/** The wallet's signature of the launch sentence for this post, base58. */
export async function signLaunch({ id }: Post, { name, symbol }: TokenWords): Promise<string> {
  return bs58.encode(await signText(buildLaunchMessage({ name, symbol, id })));
}

/**
 * Requests a launch that the wallet has signed, and follows it to its end. Rejects only if the server refused the
 * request; then nothing was launched.
 */
export async function runLaunch(
  post: Post,
  { name, symbol }: TokenWords,
  signature: string,
  timing: FollowTiming = FOLLOW_TIMING,
): Promise<LaunchEnd> {
  const { token } = walletState();
  const body = { amberId: post.id, name, symbol, transaction: signature };
  let released: string | undefined;
  let isLost = false;
  try {
    const { tokenLaunch } = await withTimeout(callApi('launchToken', { token, body }));
    if (isLaunched(tokenLaunch.status)) return { kind: 'launched', launch: tokenLaunch };
  } catch (error) {
    if (!(error instanceof ApiError) || !mayBeUnderWay(error)) throw error;
    released = releasedSentence(error);
    isLost = error.code === undefined;
  }
  const end = await followLaunch(post, { timing, isLost });
  if (end.kind === 'released') return { kind: 'released', message: released ?? end.message };
  const isOther = end.kind === 'launched' && (end.launch.name !== name || end.launch.symbol !== symbol);
  return isOther ? { kind: 'taken', launch: end.launch, isMine: true } : end;
}

interface Following {
  timing?: FollowTiming;
  /** It is unknown whether the request arrived, so a free post may still be claimed. */
  isLost?: boolean;
  isWanted?: () => boolean;
}

/** Follows a launch of a post, by any person, until it ends or `isWanted` returns false. */
export async function followLaunch(
  post: Post,
  { timing = FOLLOW_TIMING, isLost = false, isWanted = () => true }: Following = {},
): Promise<LaunchEnd> {
  const startedAt = Date.now();
  for (;;) {
    // Measured before the question, so that a computer that slept past the limit asks once more.
    const elapsedMs = Date.now() - startedAt;
    const check = await checkLaunch(post).catch((error: unknown) => {
      if (isServerDown(error) || isOverLimit(error)) return null;
      throw error;
    });
    const end = check && (await endOf(check));
    const isTooEarly = isLost && end?.kind === 'released' && elapsedMs < timing.lostMs;
    if (end && !isTooEarly) return end;
    if (elapsedMs >= timing.limitMs || !isWanted()) return { kind: 'unknown' };
    await new Promise((resolve) => setTimeout(resolve, Math.max(timing.everyMs, elapsedMs * SELDOM)));
  }
}

/** Asks the server for the state of the post's token, and whether this person may launch one. */
export function checkLaunch(post: Post): Promise<TokenCheck> {
  const { token } = walletState();
  return withTimeout(callApi('checkToken', { params: { id: post._id }, token }));
}

/** How a launch ended; null while it is unfinished. */
export async function endOf({ exists, tokenLaunch, failure }: TokenCheck): Promise<LaunchEnd | null> {
  if (exists) {
    if (tokenLaunch !== null && (await isMine(tokenLaunch))) return { kind: 'launched', launch: tokenLaunch };
    return { kind: 'taken', launch: tokenLaunch, isMine: false };
  }
  return tokenLaunch === null ? { kind: 'released', message: failure?.message ?? LAUNCH_FAILED } : null;
}

/** Whether the signed-in person's wallet launched it; false if that is unknown. */
async function isMine({ mint }: TokenLaunch): Promise<boolean> {
  const { token } = walletState();
  if (token === null) return false;
  const own = withTimeout(callApi('userTokens', { token }));
  return (await own.catch(() => [])).some((launch) => launch.mint === mint);
}

/** Whether the post may be claimed after this error: the request's fate is unknown, or another launch is unfinished. */
function mayBeUnderWay({ status, code }: ApiError): boolean {
  if (code === undefined) return status === 0 || status >= 500;
  return UNDER_WAY.has(code);
}

/** Whether the server refused for too many calls, which says nothing about the launch. */
function isOverLimit(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

function releasedSentence({ status, code, message }: ApiError): string | undefined {
  // The chain has a token that the database lost.
  if (code === 'already_launched') return message;
  if (code === 'launch_under_way') return 'Another launch of this post came to nothing. You can launch a token now.';
  return status === 0 ? `${message} As far as the archive knows, nothing was launched.` : undefined;
}
