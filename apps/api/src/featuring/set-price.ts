import type { FeaturingTerms } from '@archive/contracts';
import { formatAmount, InvalidPriceError, parsePrice } from '@archive/solana/price';
import { AppError } from '../app-error.ts';
import type { Act } from '../audit/audit-entry.ts';
import type { Base } from '../base.ts';
import type { FeatureOffer } from './feature-offer.ts';
import type { PriceStore } from './price-store.ts';

type Needs = Pick<Base, 'audit' | 'database'> & { featuring: { prices: PriceStore } };
/** The accepted token and its price by the settings. */
type PricedToken = { terms: Pick<FeatureOffer['terms'], 'mint' | 'decimals'>; price: bigint };
type By = Pick<Act, 'actor' | 'reason' | 'requestId'>;

/** Sets the price of featuring in tokens. It replaces the price of the settings until it is cleared with null. */
export async function setPrice(
  context: Needs,
  offer: PricedToken,
  price: string | null,
  by: By,
): Promise<FeaturingTerms> {
  const { decimals, mint } = offer.terms;
  const { prices } = context.featuring;
  const baseUnits = price === null ? offer.price : readPrice(price, decimals);
  const before = await prices.inForce(mint);
  const wasSet = before?.isSet ?? false;
  const isSame = before?.baseUnits === String(baseUnits) && wasSet === (price !== null);
  if (isSame) return describeTerms(context, offer);
  const act = { ...by, act: price === null ? 'clear price' : 'set price', subject: { kind: 'mint', id: mint } };
  const states = {
    before: { baseUnits: before?.baseUnits ?? null, isSet: wasSet },
    after: { baseUnits: String(baseUnits), isSet: price !== null },
  };
  await context.audit.perform({ ...act, ...states }, () =>
    prices.set(mint, baseUnits, { isSet: price !== null, now: context.database.clock.now() }),
  );
  return describeTerms(context, offer);
}

/** The price of featuring, and who has set it. */
export async function describeTerms(
  { featuring }: Pick<Needs, 'featuring'>,
  { price, terms: { decimals, mint } }: PricedToken,
): Promise<FeaturingTerms> {
  const inForce = await featuring.prices.inForce(mint);
  return {
    mint,
    price: formatAmount(BigInt(inForce?.baseUnits ?? price), decimals),
    configuredPrice: formatAmount(price, decimals),
    isSet: inForce?.isSet ?? false,
  };
}

function readPrice(price: string, decimals: number): bigint {
  try {
    return parsePrice(price, decimals);
  } catch (error) {
    if (!(error instanceof InvalidPriceError)) throw error;
    const message = 'must be an amount of tokens that can be sent, like 1 or 0.5';
    throw new AppError('invalid_request', `price: ${message}`, { errors: [{ path: 'price', message }] });
  }
}
