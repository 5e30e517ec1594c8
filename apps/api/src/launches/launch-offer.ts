import { setTimeout as delay } from 'node:timers/promises';
import { type MintTerms, UnsupportedMintError } from '@archive/solana/chain';
import { InvalidPriceError, type Network, networkOf, parsePrice } from '@archive/solana/price';
import { Keypair } from '@solana/web3.js';
import { AppError } from '../app-error.ts';
import { Opening } from '../background/opening.ts';
import type { Base } from '../base.ts';
import type { Chain } from '../chain/chain.ts';
import { ArchiveState } from '../db/archive-state.ts';
import { keptLaunchKey } from './launch-key.ts';
import { type LaunchPlatform, MAX_URI_BYTES } from './platforms/launch-platform.ts';
import { launchPlatform } from './platforms/platforms.ts';
import { metadataUrl } from './token-metadata.ts';

const LOCAL_FUNDS = 100_000_000_000n;
const FUNDING_TIMEOUT_MS = 3_000;
const FUNDING_POLL_MS = 100;
const ANY_MINT = '1'.repeat(44);

/** The platform and network of launches, and the key that pays, as verified on the chain. */
export interface LaunchOffer {
  platform: LaunchPlatform;
  network: Network;
  genesisHash: string;
  key: Keypair;
  /** What a wallet must hold to launch, in base units. */
  minimum: { token: MintTerms; baseUnits: bigint } | null;
}

/** A wrong setting, which waiting cannot fix. */
class LaunchSettingError extends Error {}

type Needs = Pick<Base, 'chain' | 'config' | 'database' | 'log'>;

/** Opens once the nodes and the platform are verified. Until then no launch is possible. */
export function openLaunching({ chain, config, database, log }: Needs): Opening<LaunchOffer> {
  return new Opening({
    // The chain is also read if launching is switched off, because launches under way must still be settled.
    read: () => readOffer({ chain, config }),
    isHeld: () => new ArchiveState(database.db).isUnsettled('launches'),
    onOpen: async (offer) => {
      const { network, platform, key } = offer;
      log.info({ network, platform: platform.name, payer: key.publicKey.toBase58() }, 'launching is open');
      if (chain && network === 'localnet') await fund(chain, offer, config.launch.balanceFloor);
    },
    onFailure: (error) => {
      log.error({ err: error }, 'launching is not ready');
      const isSetting = [LaunchSettingError, UnsupportedMintError, InvalidPriceError].some(
        (kind) => error instanceof kind,
      );
      return !isSetting;
    },
    refuse: (cause) =>
      config.launch.platform === 'off'
        ? new AppError('launching_unavailable', 'Launching tokens is switched off.')
        : new AppError('launching_unavailable', 'Launching tokens is not available at the moment.', {
            headers: { 'Retry-After': '10' },
            cause,
          }),
  });
}

/**
 * Checks that the launch key can pay, with a margin. On a local network it funds the key.
 *
 * @throws AppError launching_unavailable where it cannot.
 */
export async function requireFunds(
  { config, log }: Pick<Base, 'config' | 'log'>,
  chain: Chain,
  offer: LaunchOffer,
): Promise<void> {
  const { balanceFloor } = config.launch;
  const address = offer.key.publicKey.toBase58();
  if ((await chain.balance(address)) >= balanceFloor) return;
  if (offer.network === 'localnet' && (await isFundedInTime(chain, offer, balanceFloor))) return;
  log.error({ payer: address, balanceFloor: String(balanceFloor) }, 'the launch key holds too little');
  throw new AppError(
    'launching_unavailable',
    'The account that pays for launches is running low. Nothing was launched. Please try again later.',
  );
}

async function readOffer({ chain, config }: Pick<Needs, 'chain' | 'config'>): Promise<LaunchOffer | null> {
  const { isProduction, launch, publicUrl, dataDir } = config;
  const genesisHash = await chain?.readGenesisHash();
  if (!chain || !genesisHash || launch.platform === 'off') return null;
  const network = networkOf(genesisHash);
  const platform = launchPlatform(launch.platform, launch);
  if (isProduction && network === 'localnet') {
    throw new LaunchSettingError('production is refused on a network of one’s own');
  }
  if (!platform.isOn(network)) throw new LaunchSettingError(`${platform.label} is not on ${network}`);
  if (!launch.pinning && Buffer.byteLength(metadataUrl(publicUrl, ANY_MINT)) > MAX_URI_BYTES) {
    throw new LaunchSettingError('PUBLIC_URL is too long to stand in a token’s metadata');
  }
  const key = Keypair.fromSecretKey(launch.secretKey ?? keptLaunchKey(dataDir));
  return { platform, network, genesisHash, key, minimum: await readMinimum(chain, config) };
}

async function readMinimum(chain: Chain, { featureMint, launch }: Base['config']): Promise<LaunchOffer['minimum']> {
  if (launch.minTokens === null || featureMint === null) return null;
  const token = await chain.readMint(featureMint);
  return { token, baseUnits: parsePrice(launch.minTokens, token.decimals) };
}

/** Requests lamports if the key has less than `floor`; they arrive with one of the next blocks. */
async function fund(chain: Chain, { key }: LaunchOffer, floor: bigint): Promise<void> {
  const address = key.publicKey.toBase58();
  if ((await chain.balance(address)) < floor) await chain.requestAirdrop(address, LOCAL_FUNDS);
}

async function isFundedInTime(chain: Chain, offer: LaunchOffer, floor: bigint): Promise<boolean> {
  await fund(chain, offer, floor);
  const address = offer.key.publicKey.toBase58();
  for (const deadline = Date.now() + FUNDING_TIMEOUT_MS; Date.now() < deadline; await delay(FUNDING_POLL_MS)) {
    if ((await chain.balance(address)) >= floor) return true;
  }
  return false;
}
