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

/** How a launch ended, as far as this page can know. */
export type LaunchEnd =
  /** This person's token came from the post. */
  | { kind: 'launched'; launch: TokenLaunch }
  /** The post has another token: of somebody else, of this person's other tab, or from before the archive knew of launches. */
  | { kind: 'taken'; launch: TokenLaunch | null; isMine: boolean }
  /** Nothing came of it, and the post can be launched. */
  | { kind: 'released'; message: string }
  /** Neither the server nor the chain has said. */
  | { kind: 'unknown' };

/** Answers after which the post may have a token or be about to. */
const UNDER_WAY: ReadonlySet<ErrorCode> = new Set([
  'launch_under_way',
  'already_launched',
  'internal_error',
  'database_unavailable',
]);

/** How often to ask about a launch that the chain has not answered, and for how long: a transaction lives a minute or two. */
export interface FollowTiming {
  /** At first; later less and less often. */
  everyMs: number;
  limitMs: number;
  /** How long a request whose answer was lost may still take to claim its post. */
  lostMs: number;
}

export const FOLLOW_TIMING: FollowTiming = { everyMs: 1_000, limitMs: 3 * 60_000, lostMs: 5_000 };
/** A pause is at most this part of the time that has gone by. */
const SELDOM = 1 / 10;

/** The wallet's signature over the launch sentence of this post. */
export async function signLaunch({ id }: Post, { name, symbol }: TokenWords): Promise<string> {
  return bs58.encode(await signText(buildLaunchMessage({ name, symbol, id })));
}

/**
 * Asks for a launch that the wallet has signed, and follows it to its end. Rejects only where the server has refused it:
 * then nothing was launched.
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
  /** Nobody knows whether the request has arrived, so that a free post may be taken in a moment. */
  isLost?: boolean;
  isWanted?: () => boolean;
}

/** Follows a post's launch, whoever began it, until it has ended or nobody wants to know. */
export async function followLaunch(
  post: Post,
  { timing = FOLLOW_TIMING, isLost = false, isWanted = () => true }: Following = {},
): Promise<LaunchEnd> {
  const startedAt = Date.now();
  for (;;) {
    // Before the question: a computer that slept past the limit asks once more.
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

/** What the server holds about a post's token, and whether this person may launch one, asked for now. */
export function checkLaunch(post: Post): Promise<TokenCheck> {
  const { token } = walletState();
  return withTimeout(callApi('checkToken', { params: { id: post._id }, token }));
}

/** How a launch ended; null while it is under way. */
export async function endOf({ exists, tokenLaunch, failure }: TokenCheck): Promise<LaunchEnd | null> {
  if (exists) {
    if (tokenLaunch !== null && (await isMine(tokenLaunch))) return { kind: 'launched', launch: tokenLaunch };
    return { kind: 'taken', launch: tokenLaunch, isMine: false };
  }
  return tokenLaunch === null ? { kind: 'released', message: failure?.message ?? LAUNCH_FAILED } : null;
}

/** Whether the signed-in person's wallet launched it; no where that cannot be known. */
async function isMine({ mint }: TokenLaunch): Promise<boolean> {
  const { token } = walletState();
  if (token === null) return false;
  const own = withTimeout(callApi('userTokens', { token }));
  return (await own.catch(() => [])).some((launch) => launch.mint === mint);
}

/** Where nobody knows what became of the request, and where another launch of the post is coming to its end. */
function mayBeUnderWay({ status, code }: ApiError): boolean {
  if (code === undefined) return status === 0 || status >= 500;
  return UNDER_WAY.has(code);
}

/** Whoever asks often may be told to wait, which says nothing about the launch. */
function isOverLimit(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

function releasedSentence({ status, code, message }: ApiError): string | undefined {
  // The chain knows of a token that the database has lost.
  if (code === 'already_launched') return message;
  if (code === 'launch_under_way') return 'Another launch of this post came to nothing. You can launch a token now.';
  return status === 0 ? `${message} As far as the archive knows, nothing was launched.` : undefined;
}
