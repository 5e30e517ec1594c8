import type { FeatureWallet } from '@archive/contracts';
import { associatedAccount, UnsupportedMintError } from '@archive/solana/chain';
import { InvalidPriceError, type Network, parsePrice } from '@archive/solana/price';
import type { ReceiverTerms } from '@archive/solana/verify';
import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config.ts';
import { AppError } from '../http/app-error.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PriceStore } from './price-store.ts';

const DEFAULT_DECIMALS = 6;
const RETRY_MS = 5_000;

interface Logger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Where payments go and what they cost, as the chain confirms it. */
export interface FeatureOffer {
  terms: ReceiverTerms;
  /** Base units. */
  price: bigint;
}

/** Opens featuring once the nodes, the token and the receiving wallet check out; until then nobody can pay. */
export class FeatureDesk {
  readonly #config: Config;
  readonly #chain: Chain | null;
  readonly #prices: PriceStore;
  readonly #payments: PaymentStore;
  readonly #log: Logger;
  readonly #now: () => Date;
  #offer: FeatureOffer | null = null;
  #network: Network | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: {
    config: Config;
    chain: Chain | null;
    prices: PriceStore;
    payments: PaymentStore;
    log: Logger;
    now: () => Date;
  }) {
    this.#config = options.config;
    this.#chain = options.chain;
    this.#prices = options.prices;
    this.#payments = options.payments;
    this.#log = options.log;
    this.#now = options.now;
  }

  /** The network of the nodes; before they have answered, the one that such a process is expected to be on. */
  get network(): Network {
    return this.#network ?? (this.#config.isProduction ? 'mainnet' : 'localnet');
  }

  get offer(): FeatureOffer | null {
    return this.#offer;
  }

  /** The offer, or the refusal that nobody can pay at the moment. */
  require(): FeatureOffer {
    if (this.#offer) return this.#offer;
    throw new AppError('featuring_unavailable', 'Featuring is not available at the moment.', {
      headers: { 'Retry-After': '10' },
    });
  }

  publicTerms(): FeatureWallet {
    const { featureWallet, featureMint, featurePrice, publicSolanaRpcUrl } = this.#config;
    return {
      wallet: featureWallet,
      mintAddress: featureMint,
      featurePrice,
      decimals: this.#offer?.terms.decimals ?? DEFAULT_DECIMALS,
      network: this.network,
      enabled: this.#offer !== null && publicSolanaRpcUrl !== null,
    };
  }

  /** Looks at the chain; where it cannot be reached, again every few seconds. */
  async open(): Promise<void> {
    if (!this.#chain || this.#isStopped) return;
    try {
      this.#network = await this.#chain.readNetwork();
      this.#offer = await this.#readOffer(this.#chain, this.#network);
      if (this.#offer) this.#log.info({ network: this.#network, mint: this.#offer.terms.mint }, 'featuring is open');
    } catch (error) {
      this.#log.error({ err: error }, 'featuring is closed');
      // A wrong setting stays wrong; a node may come back.
      if (error instanceof UnsupportedMintError || error instanceof InvalidPriceError) return;
      if (this.#isStopped) return;
      this.#timer = setTimeout(() => void this.open(), RETRY_MS);
      this.#timer.unref();
    }
  }

  close(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #readOffer(chain: Chain, network: Network): Promise<FeatureOffer | null> {
    const { featureWallet, featureMint, featurePrice, isProduction } = this.#config;
    if (isProduction && network === 'localnet') throw new Error('production is refused on a network of one’s own');
    if (!featureWallet || !featureMint) return null;
    const mint = await chain.readMint(featureMint);
    const price = parsePrice(featurePrice, mint.decimals);
    await this.#prices.record(featureMint, price, this.#now());
    const receiverAccount = associatedAccount(featureWallet, featureMint, mint.tokenProgram);
    const terms = { ...mint, receiver: featureWallet, receiverAccount };
    await this.#payments.keepReceiver(terms);
    return { terms, price };
  }
}
