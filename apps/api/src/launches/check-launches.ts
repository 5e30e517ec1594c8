import { isLaunched } from '@archive/contracts';
import { TOKEN_2022_PROGRAM } from '@archive/solana/verify';
import type { Chain } from '../chain/chain.ts';
import { isRemoved } from '../posts/post-document.ts';
import type { PostStore } from '../posts/post-store.ts';
import { type LaunchDocument, UNDER_WAY } from './launch-document.ts';
import type { LaunchStore } from './launch-store.ts';

/**
 * Longest time that a launch may be under way: a blockhash lives about a minute, and then the outcome must become
 * final.
 */
const SETTLING_MS = 180_000;

export interface LaunchesReport {
  /** Launches that hold their post. */
  launches: number;
  /** Tokens found on the chain; null if the chain was not asked. */
  onChain: number | null;
  /** One message for each difference. */
  differences: string[];
}

interface Needs {
  posts: PostStore;
  launches: LaunchStore;
  /** The chain to compare with, if it can be asked. */
  chain: Chain | null;
  now: Date;
}

/**
 * Checks that each post is marked as its launch says, that no token has two posts, and that no launch is stuck. With a
 * chain, it also checks that every launched token exists there and that no failed one does.
 */
export async function checkLaunches(needs: Needs): Promise<LaunchesReport> {
  const all = await needs.launches.launches.find().toArray();
  const differences = [...checkStates(all, needs.now), ...(await checkMarks(needs, all))];
  const onChain = needs.chain ? await checkChain(needs.chain, all, differences) : null;
  return { launches: all.filter(({ state }) => isLaunched(state)).length, onChain, differences };
}

function checkStates(all: LaunchDocument[], now: Date): string[] {
  const differences: string[] = [];
  const posts = new Map<string, LaunchDocument>();
  for (const launch of all) {
    const other = posts.get(launch.mint);
    if (other) differences.push(`token ${launch.mint} belongs to posts ${other._id} and ${launch._id}`);
    posts.set(launch.mint, launch);
    const isOld = now.getTime() - launch.changedAt.getTime() > SETTLING_MS;
    if (isOld && (launch.state === 'claimed' || UNDER_WAY.includes(launch.state))) {
      differences.push(`the launch of post ${launch._id} is still ${launch.state}`);
    }
  }
  return differences;
}

async function checkMarks({ posts: store }: Needs, all: LaunchDocument[]): Promise<string[]> {
  const differences: string[] = [];
  const launched = new Map(all.filter(({ state }) => isLaunched(state)).map((one) => [one._id.toHexString(), one]));
  for await (const { _id } of store.readLaunched()) {
    if (!launched.has(_id.toHexString())) differences.push(`post ${_id} is marked as launched and has no token`);
  }
  for (const [id, { restored }] of launched) {
    const post = await store.find(id);
    // A restore may have lost the post; it may be saved again.
    if (!post && !restored) differences.push(`a token was launched from post ${id}, which does not exist`);
    else if (post && !isRemoved(post) && !post.launched) differences.push(`post ${id} is launched and not marked so`);
  }
  return differences;
}

/**
 * Returns the number of tokens found. On every platform they are Token-2022 mints. Launches of another network are
 * skipped.
 */
async function checkChain(chain: Chain, all: LaunchDocument[], differences: string[]): Promise<number> {
  const genesisHash = await chain.readGenesisHash();
  let count = 0;
  for (const { _id, mint, state, genesisHash: itsOwn } of all) {
    if (itsOwn !== genesisHash) continue;
    const isThere = (await chain.ownerOf(mint)) === TOKEN_2022_PROGRAM;
    if (isThere) count++;
    if (isThere && (state === 'failed' || state === 'expired')) {
      differences.push(`token ${mint} of post ${_id} is on the chain, and its launch is ${state}`);
    }
    if (!isThere && isLaunched(state)) differences.push(`token ${mint} of post ${_id} is not on the chain`);
  }
  return count;
}
