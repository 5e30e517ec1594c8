import { setTimeout as delay } from 'node:timers/promises';
import { type Network, networkOf } from '@archive/solana/price';
import { Keypair } from '@solana/web3.js';
import type { Config } from '../config.ts';
import { AppError } from '../http/app-error.ts';
import type { LaunchChain } from './launch-chain.ts';
import { keptLaunchKey } from './launch-key.ts';
import type { LaunchPlatformName } from './launch-settings.ts';
import { type LaunchPlatform, MAX_URI_BYTES } from './platforms/launch-platform.ts';
import { pumpfun } from './platforms/pumpfun.ts';
import { token2022 } from './platforms/token-2022.ts';
import { metadataUrl } from './token-metadata.ts';

const RETRY_MS = 5_000;
const LOCAL_FUNDS = 100_000_000_000n;
const FUNDING_TIMEOUT_MS = 3_000;
const FUNDING_POLL_MS = 100;
const ANY_MINT = '1'.repeat(44);

interface Logger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Where tokens are launched and with which key, as the chain confirms it. */
export interface LaunchOffer {
  platform: LaunchPlatform;
  network: Network;
  genesisHash: string;
  key: Keypair;
}

/** A setting that no waiting can mend. */
class LaunchSettingError extends Error {}

/** Opens launching once the nodes and the platform check out; until then nobody can launch. */
export class LaunchDesk {
  readonly #config: Config;
  readonly #chain: LaunchChain | null;
  readonly #log: Logger;
  #offer: LaunchOffer | null = null;
  #genesisHash: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: { config: Config; chain: LaunchChain | null; log: Logger }) {
    this.#config = options.config;
    this.#chain = options.chain;
    this.#log = options.log;
  }

  get offer(): LaunchOffer | null {
    return this.#offer;
  }

  /** Which network the nodes serve; null before they have answered. */
  get genesisHash(): string | null {
    return this.#genesisHash;
  }

  /** Of a platform by its name, whether launching on it is open or not. */
  platform(name: LaunchPlatformName): LaunchPlatform {
    return name === 'pumpfun' ? pumpfun : token2022(this.#config.launch);
  }

  /** Why nobody can launch at the moment; null where launching is open. */
  get refusal(): AppError | null {
    if (this.#offer) return null;
    if (this.#config.launch.platform === 'off') {
      return new AppError('launching_unavailable', 'Launching tokens is switched off.');
    }
    return new AppError('launching_unavailable', 'Launching tokens is not available at the moment.', {
      headers: { 'Retry-After': '10' },
    });
  }

  /** The offer, or the refusal. */
  require(): LaunchOffer {
    if (this.#offer) return this.#offer;
    throw this.refusal;
  }

  /** Looks at the chain; where it cannot be reached, again every few seconds. */
  async open(): Promise<void> {
    const { platform } = this.#config.launch;
    if (!this.#chain || this.#isStopped) return;
    try {
      // Known also where nothing is launched any more: what is under way is still to be settled.
      this.#genesisHash = await this.#chain.genesisHash();
      if (platform === 'off') return;
      this.#offer = await this.#readOffer(this.#genesisHash, platform);
      const { network, key } = this.#offer;
      this.#log.info({ network, platform, payer: key.publicKey.toBase58() }, 'launching is open');
      if (network === 'localnet') await this.#fund(this.#chain, this.#offer);
    } catch (error) {
      this.#log.error({ err: error }, 'launching is not ready');
      if (error instanceof LaunchSettingError || this.#isStopped) return;
      this.#timer = setTimeout(() => void this.open(), RETRY_MS);
      this.#timer.unref();
    }
  }

  /**
   * Whether the launch key can pay, with a margin; on a local network it is given what it lacks.
   *
   * @throws AppError launching_unavailable where it cannot.
   */
  async requireFunds(chain: LaunchChain, offer: LaunchOffer): Promise<void> {
    const { balanceFloor } = this.#config.launch;
    const address = offer.key.publicKey.toBase58();
    if ((await chain.balance(address)) >= balanceFloor) return;
    if (offer.network === 'localnet' && (await this.#isFundedInTime(chain, offer))) return;
    this.#log.error({ payer: address, balanceFloor: String(balanceFloor) }, 'the launch key holds too little');
    throw new AppError(
      'launching_unavailable',
      'The account that pays for launches is running low. Nothing was launched. Please try again later.',
    );
  }

  close(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #readOffer(genesisHash: string, name: LaunchPlatformName): LaunchOffer {
    const { isProduction, launch, publicUrl, dataDir } = this.#config;
    const network = networkOf(genesisHash);
    const platform = this.platform(name);
    if (isProduction && network === 'localnet') {
      throw new LaunchSettingError('production is refused on a network of one’s own');
    }
    if (!platform.isOn(network)) throw new LaunchSettingError(`${platform.label} is not on ${network}`);
    if (!launch.pinning && Buffer.byteLength(metadataUrl(publicUrl, ANY_MINT)) > MAX_URI_BYTES) {
      throw new LaunchSettingError('PUBLIC_URL is too long to stand in a token’s metadata');
    }
    const key = Keypair.fromSecretKey(launch.secretKey ?? keptLaunchKey(dataDir));
    return { platform, network, genesisHash, key };
  }

  /** Asks for lamports where too few are left; they arrive with one of the next blocks. */
  async #fund(chain: LaunchChain, { key }: LaunchOffer): Promise<void> {
    const address = key.publicKey.toBase58();
    if ((await chain.balance(address)) >= this.#config.launch.balanceFloor) return;
    await chain.requestAirdrop(address, LOCAL_FUNDS);
  }

  async #isFundedInTime(chain: LaunchChain, offer: LaunchOffer): Promise<boolean> {
    await this.#fund(chain, offer);
    const address = offer.key.publicKey.toBase58();
    for (const deadline = Date.now() + FUNDING_TIMEOUT_MS; Date.now() < deadline; await delay(FUNDING_POLL_MS)) {
      if ((await chain.balance(address)) >= this.#config.launch.balanceFloor) return true;
    }
    return false;
  }
}
