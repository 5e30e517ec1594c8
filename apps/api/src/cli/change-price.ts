import { parsePrice } from '@archive/solana/price';
import type { Audit } from '../audit/audit.ts';
import { Chain } from '../chain/chain.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Database } from '../db/database.ts';
import { PriceStore } from '../featuring/price-store.ts';
import { describeTerms, setPrice } from '../featuring/set-price.ts';
import { change, type Why } from './operators.ts';

export type PriceOptions = Why & { clear?: boolean };

interface Context {
  database: Database;
  audit: Audit;
  config: Config;
}

/** Sets, clears or shows the price of featuring. The node tells the token's decimals. */
export async function changePrice(
  { database, audit, config }: Context,
  price: string | undefined,
  { clear, ...why }: PriceOptions,
): Promise<boolean> {
  const { featureMint, featurePrice, solanaRpcUrls } = config;
  if (!featureMint || solanaRpcUrls.length === 0) throw new ConfigError('it needs FEATURE_MINT and SOLANA_RPC_URL');
  if (price !== undefined && clear) throw new ConfigError('name a price, or --clear');
  const mint = await new Chain(solanaRpcUrls).readMint(featureMint);
  const offer = { terms: mint, price: parsePrice(featurePrice, mint.decimals) };
  const context = { audit, database, featuring: { prices: new PriceStore(database.db) } };
  return change(async (by) => {
    const isChanged = price !== undefined || clear === true;
    const terms = isChanged ? await setPrice(context, offer, price ?? null, by) : await describeTerms(context, offer);
    return `Featuring costs ${terms.price}, by ${terms.isSet ? 'the operators' : 'FEATURE_PRICE'}.`;
  }, why);
}
