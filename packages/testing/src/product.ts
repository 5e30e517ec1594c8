import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedMongo, openEmbeddedMongo } from '@archive/embedded-mongo';
import { type LocalEndpoint, type LocalSolana, type LocalSolanaOptions, openLocalSolana } from '@archive/local-solana';
import { type ApiProcess, freePort, ROOT, run, startApi } from '@archive/processes';
import { featureEnv } from './payer.ts';

const CLI = join(ROOT, 'apps/api/dist/cli.js');

export interface ProductOptions {
  /** Starts a local Solana network with these settings; none by default. */
  solana?: LocalSolanaOptions;
  env?: NodeJS.ProcessEnv;
  /** Runs before the API starts. */
  prepare?: (product: Product) => Promise<void>;
}

/**
 * The built product in a folder of its own. Database, network and API are processes that can be killed and restarted.
 */
export class Product {
  readonly folder = mkdtempSync(join(tmpdir(), 'product-'));
  /** Settings of the API and of the command line. */
  env!: NodeJS.ProcessEnv;
  mongo!: EmbeddedMongo;
  #solana: LocalSolana | undefined;
  #node: LocalEndpoint | undefined;
  #api: ApiProcess | undefined;
  #killedEngine: number | undefined;

  static async open({ solana, env, prepare }: ProductOptions = {}): Promise<Product> {
    const product = new Product();
    try {
      product.mongo = await openEmbeddedMongo({ directory: join(product.folder, 'mongo'), cacheMegabytes: 256 });
      product.env = {
        ...process.env,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'silent',
        WEB_DIR: undefined,
        MONGODB_URI: product.mongo.uri,
        DATA_DIR: product.folder,
        PORT: String(await freePort()),
      };
      if (solana) {
        product.#solana = await openLocalSolana(solana);
        product.#node = await product.#solana.control.openEndpoint();
        Object.assign(product.env, featureEnv(product.#solana), { SOLANA_RPC_URL: product.#node.rpcUrl });
      }
      Object.assign(product.env, env);
      await prepare?.(product);
      await product.startApi();
      return product;
    } catch (error) {
      await product.close();
      throw error;
    }
  }

  get url(): string {
    return `http://localhost:${this.env['PORT']}`;
  }

  get solana(): LocalSolana {
    return there(this.#solana);
  }

  /** The Solana endpoint that only the API uses. */
  get node(): LocalEndpoint {
    return there(this.#node);
  }

  /** Starts a command of the built command line. */
  startCommand(...args: string[]): ChildProcess {
    return spawn(process.execPath, [CLI, ...args], { env: this.env, stdio: 'ignore' });
  }

  /** Runs a command of the built command line and returns its output; rejects if it fails. */
  async command(...args: string[]): Promise<string> {
    const { code, output } = await run(process.execPath, [CLI, ...args], { env: this.env, quiet: true });
    if (code !== 0) throw new Error(`"${args[0]}" failed:\n${output}`);
    return output;
  }

  async startApi(): Promise<void> {
    this.#api = await startApi({
      port: Number(this.env['PORT']),
      mongodbUri: this.mongo.uri,
      dataDir: this.folder,
      env: this.env,
    });
  }

  /** Kills with SIGKILL. The supervisor restarts the database; `recover` restarts the API. */
  async kill(victim: 'API' | 'database'): Promise<void> {
    if (victim === 'API') {
      const { process: child, ended } = there(this.#api);
      child.kill('SIGKILL');
      return ended;
    }
    this.#killedEngine = there(this.mongo.pid());
    process.kill(this.#killedEngine, 'SIGKILL');
  }

  async untilDatabase(): Promise<void> {
    while (this.mongo.pid() === this.#killedEngine) await delay(10);
  }

  /** Resolves when every process answers again after a kill. */
  async recover(): Promise<void> {
    await this.untilDatabase();
    const { process: child, untilReady } = there(this.#api);
    if (child.signalCode === null) await untilReady();
    else await this.startApi();
  }

  async close(): Promise<void> {
    await this.#api?.stop();
    await this.#solana?.close();
    await this.mongo?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function there<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('this part of the product does not run');
  return part;
}
