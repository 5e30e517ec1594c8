import { isLaunched } from '@archive/contracts';
import type { Accounts } from '../accounts/accounts.ts';
import { AppError } from '../app-error.ts';
import type { Authors } from '../authors/authors.ts';
import type { Base } from '../base.ts';
import { bytes, json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import type { Operators } from '../operators/operators.ts';
import type { Posts } from '../posts/posts.ts';
import type { Reactions } from '../reactions/reactions.ts';
import { checkToken } from './check-token.ts';
import { findToken, readMetadata } from './find-token.ts';
import { getLaunchInfo } from './get-launch-info.ts';
import { toTokenLaunch } from './launch-document.ts';
import { launchToken } from './launch-token.ts';
import type { Launches } from './launches.ts';
import { describeLaunchKey, listAllLaunches } from './list-all-launches.ts';
import { listLaunches } from './list-launches.ts';

/** Wallets and explorers read a token's metadata from pages of other origins. */
const FOR_EVERYBODY = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=86400' };
/** Short, so that caches do not keep the text of a removed post for long. */
const WORDS_CACHED_SECONDS = 30;

type Needs = Base & {
  accounts: Accounts;
  authors: Authors;
  posts: Posts;
  reactions: Reactions;
  launches: Launches;
  operators: Operators;
};

export const launchRoutes = {
  launchToken: {
    access: 'session',
    addressBudget: 'launch',
    walletBudget: 'launch',
    run: async (context, { wallet, network, requestId, body: { transaction: signature, ...request } }) => {
      const { chain, launches } = context;
      // Without a node, launching never opens.
      if (!chain) throw launches.offer.refusal;
      const asked = { ...request, wallet, network, signature, requestId };
      const launch = await launchToken(context, chain, asked).catch(async (error: unknown) => {
        await noteRefusal(context, asked, error);
        throw error;
      });
      const tokenLaunch = toTokenLaunch(launch);
      return json(isLaunched(launch.state) ? 201 : 202, { ...tokenLaunch, tokenLaunch });
    },
  },
  checkToken: {
    access: 'visitor',
    addressBudget: 'read',
    run: (context, { params, wallet, network }) => checkToken(context, params.id, { wallet, network }),
  },
  userTokens: {
    access: 'session',
    walletBudget: 'list',
    run: (context, { wallet }) => listLaunches(context, wallet),
  },
  tokenMetadata: {
    access: 'anyone',
    run: async (context, { params }) =>
      bytes('application/json', await readMetadata(context, params.mint), {
        ...FOR_EVERYBODY,
        'Cache-Control': `public, max-age=${WORDS_CACHED_SECONDS}`,
      }),
  },
  tokenImage: {
    access: 'anyone',
    run: async (context, { params }) => {
      const token = await findToken(context, params.mint);
      return bytes('image/png', context.launches.pictures.of(token), FOR_EVERYBODY);
    },
  },
  listLaunches: { access: 'operator', role: 'admin', run: (context, { query }) => listAllLaunches(context, query) },
  launchKey: { access: 'operator', role: 'admin', run: (context) => describeLaunchKey(context) },
  launchInfo: {
    access: 'anyone',
    addressBudget: 'read',
    run: (context, { params }) => getLaunchInfo(context, params.id),
  },
} satisfies Routes<
  | 'launchToken'
  | 'checkToken'
  | 'userTokens'
  | 'tokenMetadata'
  | 'tokenImage'
  | 'launchInfo'
  | 'listLaunches'
  | 'launchKey',
  Needs
>;

/**
 * Records a failed launch and its cause. A request that names no post is not recorded, since its id may be any text.
 */
async function noteRefusal(
  { audit, posts }: Pick<Needs, 'audit' | 'posts'>,
  { wallet, amberId, requestId }: { wallet: string; amberId: string; requestId: string },
  error: unknown,
): Promise<void> {
  const post = error instanceof AppError ? await posts.store.find(amberId).catch(() => null) : null;
  if (!(error instanceof AppError) || !post) return;
  audit.note({
    actor: { kind: 'wallet', id: wallet },
    act: 'refuse launch',
    subject: { kind: 'post', id: post._id.toHexString() },
    after: { code: error.code },
    requestId,
  });
}
