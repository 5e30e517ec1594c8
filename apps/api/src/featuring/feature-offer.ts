import type { FeatureWallet } from '@archive/contracts';
import { associatedAccount, UnsupportedMintError } from '@archive/solana/chain';
import { formatAmount, InvalidPriceError, parsePrice } from '@archive/solana/price';
import type { ReceiverTerms } from '@archive/solana/verify';
import { AppError } from '../app-error.ts';
import { Opening } from '../background/opening.ts';
import { type Base, servedNetwork } from '../base.ts';
import { ArchiveState } from '../db/archive-state.ts';
import type { Stops } from '../operators/operators.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PriceStore } from './price-store.ts';

const DEFAULT_DECIMALS = 6;

/** The receiver of payments and the price, as verified on the chain. */
export interface FeatureOffer {
  terms: ReceiverTerms;
  /** In base units. */
  price: bigint;
}

interface Stores {
  payments: PaymentStore;
  prices: PriceStore;
}

/** Opens once the nodes, the token and the receiving wallet are verified. Until then no payment is possible. */
export function openFeaturing(base: Base, stores: Stores): Opening<FeatureOffer> {
  return new Opening({
    read: () => readOffer(base, stores),
    isHeld: () => new ArchiveState(base.database.db).isUnsettled('payments'),
    onOpen: ({ terms: { mint } }) => base.log.info({ network: base.chain?.network, mint }, 'featuring is open'),
    onFailure: (error) => {
      base.log.error({ err: error }, 'featuring is closed');
      return !(error instanceof UnsupportedMintError || error instanceof InvalidPriceError);
    },
    refuse: (cause) =>
      new AppError('featuring_unavailable', 'Featuring is not available at the moment.', {
        headers: { 'Retry-After': '10' },
        cause,
      }),
  });
}

/** The public form of the offer, also if it is not open. */
export async function describeFeaturing(
  context: Pick<Base, 'chain' | 'config'> & {
    featuring: { offer: Opening<FeatureOffer>; payments: PaymentStore; prices: PriceStore };
    operators: Pick<Stops, 'switches'>;
  },
): Promise<FeatureWallet> {
  const { featureWallet, featureMint, featurePrice, publicSolanaRpcUrl } = context.config;
  const offer = context.featuring.offer.current;
  const { payments, prices } = context.featuring;
  const [inForce, known, stopped] = await Promise.all([
    offer && prices.inForce(offer.terms.mint),
    offer?.terms.decimals ?? (featureMint === null ? null : payments.decimalsOf(featureMint)),
    context.operators.switches.isStopped('featuring'),
  ]);
  return {
    wallet: featureWallet,
    mintAddress: featureMint,
    featurePrice:
      offer && inForce?.isSet ? formatAmount(BigInt(inForce.baseUnits), offer.terms.decimals) : featurePrice,
    decimals: known ?? DEFAULT_DECIMALS,
    network: servedNetwork(context),
    enabled: offer !== null && publicSolanaRpcUrl !== null && !stopped,
    stopped,
  };
}

async function readOffer(
  { chain, config, database }: Base,
  { payments, prices }: Stores,
): Promise<FeatureOffer | null> {
  if (!chain) return null;
  const { featureWallet, featureMint, featurePrice, isProduction } = config;
  // Read even without featuring, because the sign-in sentence contains the network's name.
  const network = await chain.readNetwork();
  if (isProduction && network === 'localnet') throw new Error('production is refused on a network of one’s own');
  if (!featureWallet || !featureMint) return null;
  const mint = await chain.readMint(featureMint);
  const price = parsePrice(featurePrice, mint.decimals);
  await payments.nameTokens(await prices.onlyMint());
  await prices.record(featureMint, price, database.clock.now());
  const receiverAccount = associatedAccount(featureWallet, featureMint, mint.tokenProgram);
  const terms = { ...mint, receiver: featureWallet, receiverAccount };
  await payments.keepReceiver(terms);
  return { terms, price };
}
