import { ENDPOINTS, type FeatureWallet, PRODUCT_SLUG, type PublicConfig } from '@archive/contracts';
import { expect, type Page } from '@playwright/test';
import { Connection, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';

/** The local Solana network from the page's configuration. */
export async function openChain(page: Page) {
  const { rpcUrl } = await json<PublicConfig>(page, ENDPOINTS.config.path);
  const { wallet, mintAddress } = await json<FeatureWallet>(page, ENDPOINTS.featureWallet.path);
  if (rpcUrl === null || wallet === null || mintAddress === null) throw new Error('Featuring is closed.');
  return { rpcUrl, wallet, mint: mintAddress, connection: new Connection(rpcUrl, 'confirmed') };
}

export type Chain = Awaited<ReturnType<typeof openChain>>;

/** Requests SOL and this many tokens for a wallet. Resolves once they have arrived. */
export async function fund({ connection, rpcUrl }: Chain, address: string, tokens: string): Promise<void> {
  const body = { jsonrpc: '2.0', id: 1, method: `${PRODUCT_SLUG}_requestTokens`, params: [address, tokens] };
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { result } = (await answer.json()) as { result: string };
  const airdrop = await connection.requestAirdrop(new PublicKey(address), LAMPORTS_PER_SOL);
  await expect
    .poll(async () => {
      const { value } = await connection.getSignatureStatuses([result, airdrop]);
      return value.map((status) => status?.confirmationStatus);
    })
    .toEqual([expect.stringMatching(/confirmed|finalized/), expect.stringMatching(/confirmed|finalized/)]);
}

/** A wallet's balance of the project token, in base units. */
export async function tokensOf({ connection, mint }: Chain, address: string): Promise<bigint> {
  const { value } = await connection.getTokenAccountsByOwner(new PublicKey(address), { mint: new PublicKey(mint) });
  return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
}

interface RpcRequest {
  id: number | string;
  method: string;
  params: unknown[];
}

/**
 * Intercepts the page's calls to its node. `answer` may replace an answer; if it returns undefined, the call goes
 * through.
 */
export async function interceptNode(page: Page, chain: Chain, answer: (request: RpcRequest) => unknown) {
  await page.route(`${chain.rpcUrl}/**`, async (route) => {
    const request = route.request().postDataJSON() as RpcRequest | null;
    const result = request === null ? undefined : await answer(request);
    if (result === undefined) return route.continue();
    const headers = { 'Access-Control-Allow-Origin': '*' };
    return route.fulfill({ headers, json: { jsonrpc: '2.0', id: request?.id, result } });
  });
  return () => page.unroute(`${chain.rpcUrl}/**`);
}

async function json<Answer>(page: Page, path: string): Promise<Answer> {
  const answer = await page.request.get(path);
  return (await answer.json()) as Answer;
}
