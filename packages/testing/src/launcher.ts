import { buildLaunchMessage, ENDPOINTS, type TokenCheck } from '@archive/contracts';
import { type Answer, call, type Served } from './call.ts';
import { TestWallet } from './test-wallet.ts';

export interface LaunchTry {
  amberId: string;
  name?: unknown;
  symbol?: unknown;
  /** Replaces the correct signature. */
  transaction?: unknown;
}

/** A signed-in wallet that launches tokens. */
export class Launcher {
  readonly #api: Served;
  readonly wallet: TestWallet;
  readonly #token: string;

  constructor(api: Served, wallet: TestWallet, token: string) {
    this.#api = api;
    this.wallet = wallet;
    this.#token = token;
  }

  static async open(api: Served, wallet = new TestWallet()): Promise<Launcher> {
    return new Launcher(api, wallet, (await wallet.signIn(api)).token);
  }

  async launch({ amberId, name = 'Ada Token', symbol = 'ADA', transaction }: LaunchTry): Promise<Answer> {
    const sentence = buildLaunchMessage({ name: String(name), symbol: String(symbol), id: amberId });
    return this.post({ amberId, name, symbol, transaction: transaction ?? this.wallet.sign(sentence) });
  }

  /** Sends any body. */
  async post(body: object): Promise<Answer> {
    return call(this.#api, 'POST', ENDPOINTS.launchToken.path, this.#token, body);
  }

  /** The answer of the token check of a post for this wallet. */
  async check(amberId: string): Promise<TokenCheck> {
    return checkPost(this.#api, amberId, this.#token);
  }

  async tokens(): Promise<{ amberId: string; status: string }[]> {
    return (await call(this.#api, 'GET', ENDPOINTS.userTokens.path, this.#token)).body;
  }
}

/** The answer of the token check of a post, with this token or as a visitor. */
export async function checkPost(api: Served, amberId: string, token?: string): Promise<TokenCheck> {
  const { status, body } = await call(api, 'GET', ENDPOINTS.checkToken.path.replace(':id', amberId), token);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
