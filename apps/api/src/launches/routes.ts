import { ENDPOINTS, isLaunched, type LaunchResult, type TokenCheck, type TokenLaunch } from '@archive/contracts';
import { launchBodySchema } from '@archive/contracts/schemas';
import type { Request, Response, Router } from 'express';
import { findPost } from '../archives/get-archive.ts';
import { isRemoved } from '../archives/post-document.ts';
import { authenticate, findSession } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import { mount, parseBody } from '../http/serve.ts';
import { findLaunchRefusal } from './find-launch-refusal.ts';
import { holdsPost, type LaunchDocument, toTokenLaunch } from './launch-document.ts';
import { launchToken } from './launch-token.ts';
import { drawTokenImage } from './token-image.ts';

/** Pictures kept ready: drawing one takes some milliseconds. */
const IMAGES_KEPT = 200;

export function launchRoutes(router: Router, context: Context): void {
  const { launches, launchChain, launchDesk, limits } = context;
  const images = new Map<string, Buffer>();

  mount(router, ENDPOINTS.launchToken, async (request, response) => {
    const { walletAddress: wallet } = await authenticate(context, request);
    await limits.spend('launch', wallet, response);
    const { amberId, name, symbol, transaction: signature } = parseBody(launchBodySchema, request.body);
    // Without a node the desk never opens.
    if (!launchChain) return void launchDesk.require();
    const launch = await launchToken(context, launchChain, { wallet, amberId, name, symbol, signature });
    const tokenLaunch = toTokenLaunch(launch);
    const result: LaunchResult = { ...tokenLaunch, tokenLaunch };
    response.status(isLaunched(launch.state) ? 201 : 202).json(result);
  });

  mount(router, ENDPOINTS.checkToken, async (request, response) => {
    const post = await findPost(context.archives, String(request.params['id']));
    const [launch, session] = await Promise.all([launches.find(post._id), findSession(context, request)]);
    const check = describe(launch, post.launched);
    const isFree = !check.exists && !check.tokenLaunch;
    const refusal = isFree ? await findLaunchRefusal(context, post, session?.walletAddress ?? null) : null;
    const answer: TokenCheck = { ...check, refusal: refusal && { code: refusal.code, message: refusal.message } };
    response.json(answer);
  });

  mount(router, ENDPOINTS.userTokens, async (request, response) => {
    const { walletAddress } = await authenticate(context, request);
    response.json(await listLaunches(context, walletAddress));
  });

  mount(router, ENDPOINTS.tokenMetadata, async (request, response) => {
    const { metadata } = await findToken(context, request);
    showToEverybody(response);
    response.type('application/json').send(metadata);
  });

  mount(router, ENDPOINTS.tokenImage, async (request, response) => {
    const { symbol, mint } = await findToken(context, request);
    showToEverybody(response);
    const image = images.get(mint) ?? drawTokenImage(symbol, mint);
    images.set(mint, image);
    const [oldest] = images.keys();
    if (images.size > IMAGES_KEPT && oldest) images.delete(oldest);
    response.type('image/png').send(image);
  });
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

/** A removed post's words are in none of them. */
async function listLaunches({ launches, archives }: Context, wallet: string): Promise<TokenLaunch[]> {
  const found = await launches.of(wallet);
  if (found.length === 0) return [];
  const posts = await archives.findEach(found.map(({ _id }) => _id.toHexString()));
  return found.map((launch, at) => {
    const post = posts[at];
    return { ...toTokenLaunch(launch), ...(post && !isRemoved(post) ? { author: post.author } : { description: '' }) };
  });
}

async function findToken({ launches }: Context, request: Request): Promise<LaunchDocument> {
  const launch = await launches.findByMint(String(request.params['mint']).slice(0, 64));
  if (launch) return launch;
  throw new AppError('not_found', 'There is no token of this archive at this address.');
}

/** Wallets and explorers read these from pages of their own. */
function showToEverybody(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Cache-Control', 'public, max-age=86400');
}
