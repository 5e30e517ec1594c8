import { buildLaunchMessage, type TokenCheck } from '@archive/contracts';
import type { LocalSolana } from '@archive/local-solana';
import request, { type Response } from 'supertest';
import { FastSigner } from './_fast-signer.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';
import { TestWallet } from './_wallet.ts';

export interface LaunchTry {
  amberId: string;
  name?: unknown;
  symbol?: unknown;
  /** In place of the right signature. */
  transaction?: unknown;
}

/** A signed-in wallet that launches. */
export class Launcher {
  readonly #api: TestApi;
  readonly wallet: TestWallet;
  readonly #token: string;
  readonly #signer: FastSigner;

  private constructor(api: TestApi, wallet: TestWallet, token: string) {
    this.#api = api;
    this.wallet = wallet;
    this.#token = token;
    this.#signer = new FastSigner(wallet);
  }

  static async open(api: TestApi, wallet = new TestWallet()): Promise<Launcher> {
    return new Launcher(api, wallet, (await wallet.signIn(api)).token);
  }

  /** Without the two signatures of a sign-in, where there are many. */
  static async openFast(api: TestApi): Promise<Launcher> {
    const { sessions, tokens, now } = api.context;
    const wallet = new TestWallet();
    const id = await sessions.begin(wallet.address, new Date(now() + 3_600_000));
    return new Launcher(api, wallet, tokens.sign({ walletAddress: wallet.address, id }));
  }

  async launch(input: LaunchTry): Promise<Response> {
    const { amberId, name = 'Ada Token', symbol = 'ADA' } = input;
    const sentence = buildLaunchMessage({ name: String(name), symbol: String(symbol), id: amberId });
    return this.post({ amberId, name, symbol, transaction: this.#signer.sign(sentence), ...pick(input) });
  }

  /** Any body at all. */
  async post(body: object): Promise<Response> {
    return request(this.#api.app).post('/amber/token').set('Authorization', `Bearer ${this.#token}`).send(body);
  }

  /** What is said of a post to this wallet. */
  async check(amberId: string): Promise<TokenCheck> {
    return checkPost(this.#api, amberId, `Bearer ${this.#token}`);
  }

  async tokens(): Promise<{ amberId: string; status: string }[]> {
    const answer = await request(this.#api.app).get('/amber/token/user').set('Authorization', `Bearer ${this.#token}`);
    return answer.body;
  }
}

/** What is said of a post to a caller with this authorization, or to a visitor. */
export async function checkPost(api: TestApi, amberId: string, authorization?: string): Promise<TokenCheck> {
  const call = request(api.app).get(`/amber/token/check/${amberId}`);
  const answer = await (authorization === undefined ? call : call.set('Authorization', authorization));
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}

function pick({ transaction }: LaunchTry): object {
  return transaction === undefined ? {} : { transaction };
}

/** An API with a funded launch key; slots move by hand, calls do not wait, and nothing is settled unasked. */
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
  await api.context.launchDesk.open();
  await solana.control.advance(1);
  return api;
}

let serial = 0;

/** A new post's `_id` and platform id. */
export async function addPost(api: TestApi, fields: object = {}): Promise<{ post: string; id: string }> {
  const id = `launch-${++serial}`;
  await api.add(newPost({ id, ...fields }));
  return { id, post: (await api.context.archives.find(id))?._id.toHexString() as string };
}
