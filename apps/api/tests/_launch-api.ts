import type { LocalSolana } from '@archive/local-solana';
import { Launcher, TestWallet } from '@archive/testing';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

/** An API with a funded launch key. Slots advance by hand, calls do not wait, and nothing settles by itself. */
export async function startLaunchApi(
  solana: LocalSolana,
  options: Parameters<typeof startTestApi>[0] = {},
): Promise<TestApi> {
  const api = await startTestApi({
    ...options,
    env: { RATE_LIMITS: 'off', SOLANA_RPC_URL: solana.rpcUrl, ...options.env },
    overrides: {
      launchTiming: { waitMs: 0 },
      launchWatcher: { abandonedMs: 0, missingMs: 0 },
      ...options.overrides,
    },
  });
  await api.context.launches.offer.start();
  await solana.control.advance(1);
  return api;
}

/**
 * A launcher whose session is created directly, without the two signatures of a sign-in. `address` is its client
 * address, if the API trusts a proxy.
 */
export async function openLauncherFast(api: TestApi, address?: string, wallet = new TestWallet()): Promise<Launcher> {
  const { accounts } = api.context;
  const id = await accounts.sessions.begin(wallet.address, 3_600_000);
  await accounts.users.findOrCreate(wallet.address);
  const served = { url: api.url, headers: address ? { 'x-forwarded-for': address } : {} };
  return new Launcher(served, wallet, accounts.tokens.sign({ walletAddress: wallet.address, id }));
}

let serial = 0;

/** Adds a post. Returns its `_id` and its platform id. */
export async function addPost(api: TestApi, fields: object = {}): Promise<{ post: string; id: string }> {
  const id = `launch-${++serial}`;
  await api.add(newPost({ id, ...fields }));
  return { id, post: (await api.context.posts.store.find(id))?._id.toHexString() as string };
}
