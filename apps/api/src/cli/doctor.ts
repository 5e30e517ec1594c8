import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { Chain } from '../chain/chain.ts';
import type { Config } from '../config.ts';
import { connectDatabase, type Database } from '../db/database.ts';
import { missingIndexes } from '../db/indexes.ts';
import { keptLaunchKey } from '../launches/launch-key.ts';
import { ledgerFolder } from '../ledger/ledger.ts';
import type { ByteStore } from '../media/bytes/byte-store.ts';
import { openBytes } from '../media/create-media.ts';
import { withTimeout } from '../with-timeout.ts';
import { openCluster } from './open-cluster.ts';

/** The result of one check. */
export interface Finding {
  state: 'right' | 'note' | 'wrong';
  sentence: string;
  advice?: string;
}

const ANSWER_MS = 5_000;
const CLOCK_MS = 2_000;
const NODE_MS = 5_000;
/** A random secret has more distinct characters than this; a repeated word has fewer. */
const DIFFERENT_CHARACTERS = 12;
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];
const GIGABYTE = 1e9;
const LAMPORTS = 1e9;

const right = (sentence: string): Finding => ({ state: 'right', sentence });
const note = (sentence: string, advice: string): Finding => ({ state: 'note', sentence, advice });
const wrong = (sentence: string, advice: string): Finding => ({ state: 'wrong', sentence, advice });
const reasonOf = (error: unknown) => (error as Error).message.split('\n')[0];

/**
 * Checks the settings for common mistakes, one after the other. Changes nothing but a temporary file, which it deletes.
 */
export async function* examine(config: Config, databaseUri: string | null): AsyncGenerator<Finding> {
  yield right(`The settings can be read; this is ${config.isProduction ? 'production' : 'development'}.`);
  yield* secrets(config);
  yield* addresses(config);
  yield* operators(config);
  yield* folders(config);
  yield* leftovers(config);
  yield* accounts(config);
  yield* chain(config);
  const database = await openIfThere(databaseUri);
  if (!database) {
    yield wrong(
      'The database does not answer within five seconds.',
      'Look whether it runs, and at MONGODB_URI: host, port, user and password. The clock, indexes and media were not looked at.',
    );
    return;
  }
  try {
    yield* stored(config, database);
  } finally {
    await database.close();
  }
}

function* secrets({ jwtSecret, previousJwtSecret, auditKey, launch, isProduction }: Config): Generator<Finding> {
  for (const [name, secret] of [
    ['JWT_SECRET', jwtSecret],
    ['JWT_SECRET_PREVIOUS', previousJwtSecret],
    ['AUDIT_KEY', auditKey],
  ] as const) {
    if (secret === null) continue;
    if (new Set(secret).size >= DIFFERENT_CHARACTERS) yield right(`${name} looks random.`);
    else
      yield wrong(
        `${name} can be guessed: it is long, but made of few characters.`,
        'Set what `openssl rand -base64 48` prints.',
      );
  }
  if (auditKey !== null && auditKey === jwtSecret)
    yield wrong(
      'AUDIT_KEY is JWT_SECRET: whoever learns one could also write the log of acts anew.',
      'Give each its own, as `openssl rand -base64 48` prints it.',
    );
  if (jwtSecret === null)
    yield note(
      'JWT_SECRET is not set, so one is made and kept in DATA_DIR.',
      'Set it where several machines serve one archive.',
    );
  if (isProduction && launch.platform !== 'off' && launch.secretKey === null)
    yield wrong('Launching is on without LAUNCH_KEYPAIR.', 'Set the key that pays, or LAUNCH_PLATFORM=off.');
}

async function* addresses({ publicUrl, trustedProxies, port, rateLimits }: Config): AsyncGenerator<Finding> {
  const isPublic = !['localhost', '127.0.0.1', '[::1]'].includes(publicUrl.hostname);
  if (publicUrl.protocol === 'https:') yield right('PUBLIC_URL is https.');
  else if (isPublic)
    yield wrong(
      'PUBLIC_URL is http at a public name: wallets refuse to sign in there.',
      'Put a proxy with a certificate in front, and name it by https.',
    );
  else
    yield note(`PUBLIC_URL is ${publicUrl.origin}: only this machine can sign in.`, 'Set the address that people use.');
  if (publicUrl.protocol === 'https:' && trustedProxies === 0)
    yield wrong(
      'PUBLIC_URL is https and TRUSTED_PROXIES is 0: this server speaks no https, so a proxy stands in front, and everybody counts as one address.',
      'Set TRUSTED_PROXIES to the number of proxies, most often 1.',
    );
  else if (!isPublic && trustedProxies > 0)
    yield wrong(
      'TRUSTED_PROXIES names proxies, and PUBLIC_URL is this machine: whoever calls can claim any address.',
      'Set TRUSTED_PROXIES=0 where nobody stands in front.',
    );
  else yield right(`TRUSTED_PROXIES is ${trustedProxies}, which fits PUBLIC_URL.`);
  if (!rateLimits)
    yield wrong('RATE_LIMITS is off.', 'Leave it on: one caller could take the archive from all others.');
  const isRunning = await listens(port);
  if (!isRunning) {
    yield note(`No server answers on port ${port}.`, 'Start it; then PUBLIC_URL is looked at as well.');
    return;
  }
  const answer = await fetch(new URL('/health', publicUrl), {
    signal: AbortSignal.timeout(ANSWER_MS),
    redirect: 'manual',
  }).catch((error: unknown) => error as Error);
  if (answer instanceof Error)
    yield wrong(
      `PUBLIC_URL cannot be reached from here (${reasonOf(answer)}).`,
      'Look at its name in the DNS, the proxy and its certificate.',
    );
  else if (answer.status !== 200)
    yield wrong(
      `PUBLIC_URL answers ${answer.status} where 200 is expected.`,
      'Let the proxy hand every path to this server.',
    );
  else yield right('PUBLIC_URL answers.');
}

function* operators({ adminWallets, metrics }: Config): Generator<Finding> {
  if (adminWallets.length > 0) yield right(`ADMIN_WALLETS names ${adminWallets.length}.`);
  else
    yield note(
      'ADMIN_WALLETS names nobody: reports can be worked off by the command line alone.',
      'Set the address of a wallet that is to open /admin.',
    );
  if (metrics === null)
    yield note('METRICS_PORT is not set, so no alarm can ring.', 'Set it, and have Prometheus read /metrics there.');
  else if (LOOPBACK.includes(metrics.host)) yield right('Metrics are answered on this machine alone.');
  else
    yield note(
      `Metrics are answered at ${metrics.host}, to whoever reaches it.`,
      'See that no port of it is published: in a container this is right, on a public machine it is not.',
    );
}

async function* folders({ dataDir, diskFloorBytes }: Config): AsyncGenerator<Finding> {
  for (const [name, folder] of [
    ['DATA_DIR', dataDir],
    ['The ledger', ledgerFolder(dataDir)],
  ] as const) {
    const failure = await tryWriting(folder);
    if (failure === null) yield right(`${name} can be written to.`);
    else
      yield wrong(
        `${name} (${folder}) cannot be written to: ${failure}.`,
        'Give the folder to the user that the server runs as.',
      );
  }
  const disk = await statfs(dataDir).catch(() => null);
  if (!disk) return;
  const free = disk.bavail * disk.bsize;
  const words = `${(free / GIGABYTE).toFixed(1)} GB are left on the disk of DATA_DIR`;
  if (free < diskFloorBytes)
    yield wrong(`${words}, less than DISK_FLOOR (${diskFloorBytes / GIGABYTE}).`, 'Make room, or move DATA_DIR.');
  else yield right(`${words}.`);
}

/** Folders that no server updates any more, so that they keep what is removed. */
async function* leftovers({ dataDir, media, search }: Config): AsyncGenerator<Finding> {
  const isThere = (name: string) =>
    access(join(dataDir, name)).then(
      () => true,
      () => false,
    );
  if (media.s3 && (await isThere('media')))
    yield note(
      'The folder "media" in DATA_DIR may keep pictures of removed posts: with S3_BUCKET no server deletes them there.',
      'Delete the folder once `npm run amber -- check` finds all media in the bucket.',
    );
  if (search && (await isThere('index')))
    yield note(
      'The folder "index" in DATA_DIR may keep words of removed posts: with SEARCH_URL no server updates it.',
      'Delete the folder once every server uses the cluster.',
    );
}

function* accounts({ sources, push }: Config): Generator<Finding> {
  const { account } = sources.bluesky;
  if (account && !/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/.test(account.password))
    yield wrong(
      'BLUESKY_PASSWORD does not look like an app password (four groups of four).',
      'Make one in the account’s settings: the account’s own password gives all of it away.',
    );
  else if (account) yield right('The agent’s account on Bluesky has an app password.');
  const { credentials } = sources.x;
  if (credentials && Object.values(credentials).some((one) => /\s/.test(one) || one.length < 10))
    yield wrong(
      'One of the four X_ credentials is too short, or holds a blank.',
      'Copy all four anew from the developer portal.',
    );
  else if (credentials) yield right('The credentials of X have their shape; X itself was not asked.');
  if (!account && !credentials)
    yield note('No agent has an account.', 'Set BLUESKY_IDENTIFIER or the four X_ settings to take mentions.');
  yield push
    ? right('Notices can be pushed.')
    : note('Notices are not pushed.', 'Set what `npm run amber -- push-keys` prints.');
}

async function* chain(config: Config): AsyncGenerator<Finding> {
  const { solanaRpcUrls, isProduction, featureWallet, featureMint, launch, dataDir } = config;
  if (solanaRpcUrls.length === 0) {
    yield note(
      'SOLANA_RPC_URL is not set: nothing is paid for or launched.',
      'Set a node to open featuring and launching.',
    );
    return;
  }
  const node = new Chain(solanaRpcUrls, NODE_MS);
  const network = await node.readNetwork().catch((error: unknown) => error as Error);
  if (network instanceof Error) {
    yield wrong(
      `No Solana node answers (${reasonOf(network)}).`,
      'Look at SOLANA_RPC_URL and SOLANA_RPC_FALLBACK_URL.',
    );
    return;
  }
  if (isProduction && network !== 'mainnet')
    yield wrong(`The nodes serve ${network}, and this is production.`, 'Name nodes of mainnet.');
  else yield right(`The nodes serve ${network}.`);
  if (!featureWallet || !featureMint)
    yield note('Featuring is closed: FEATURE_WALLET and FEATURE_MINT belong together.', 'Set both to take payments.');
  else {
    const mint = await node.readMint(featureMint).catch((error: unknown) => error as Error);
    if (mint instanceof Error)
      yield wrong(
        `FEATURE_MINT is no token that can be paid with (${reasonOf(mint)}).`,
        `Look whether it is a mint of ${network}.`,
      );
    else yield right(`FEATURE_MINT is a token with ${mint.decimals} decimals.`);
  }
  if (launch.platform === 'off') return;
  const key = Keypair.fromSecretKey(launch.secretKey ?? keptLaunchKey(dataDir)).publicKey.toBase58();
  const balance = await node.balance(key).catch(() => null);
  const floor = launch.balanceFloor;
  if (balance === null) yield wrong('The launch key’s balance could not be read.', 'Look at the node.');
  else if (balance < floor)
    yield wrong(
      `The launch key ${key} holds ${Number(balance) / LAMPORTS} SOL, less than LAUNCH_BALANCE_FLOOR (${Number(floor) / LAMPORTS}).`,
      'Send SOL to it, or set LAUNCH_PLATFORM=off.',
    );
  else yield right(`The launch key holds ${Number(balance) / LAMPORTS} SOL.`);
}

async function* stored(config: Config, database: Database): AsyncGenerator<Finding> {
  yield right('The database answers.');
  const before = Date.now();
  const told = (await database.clock.measure()).getTime();
  // The database read its clock at some time between the two.
  const offMs = Math.max(told - Date.now(), before - told, 0);
  if (offMs > CLOCK_MS)
    yield wrong(
      `This machine’s clock is ${(offMs / 1_000).toFixed(1)} s off the database’s.`,
      'Let both take their time from the same place (NTP): signatures and tokens are judged by it.',
    );
  else yield right('This machine’s clock is that of the database.');
  const missing = await missingIndexes(database.db);
  if (missing.length > 0)
    yield wrong(
      `Of the database’s indexes ${missing.length} ${missing.length === 1 ? 'is' : 'are'} missing, such as ${missing[0]}.`,
      'Start the server once: it makes them. If it fails, its log says at which.',
    );
  else yield right('All indexes are there.');
  if (config.search) yield* searchCluster(config, database);
  const failure = await withTimeout(
    tryStoring(openBytes(config)),
    ANSWER_MS,
    () => new Error('no answer in five seconds'),
  ).catch(reasonOf);
  if (failure)
    yield wrong(`The byte store takes no file (${failure}).`, 'Look at the S3_ settings, or at DATA_DIR/media.');
  else yield right('The byte store takes files and gives them back.');
}

async function* searchCluster(config: Config, database: Database): AsyncGenerator<Finding> {
  const opened = await openCluster(database, config).catch((error: Error) => error.message);
  if (typeof opened === 'string') {
    yield wrong(`The search cluster cannot be used: ${opened}.`, 'Look at the SEARCH_ settings.');
    return;
  }
  const { index } = opened;
  const held = await index.summary().catch(reasonOf);
  if (held === undefined || typeof held === 'string')
    yield wrong(
      `The search cluster does not answer: ${held}.`,
      'Look whether its nodes run, and at the SEARCH_ settings.',
    );
  else if (held.position === null)
    yield note(
      'The search cluster holds no index of this archive yet.',
      'A server builds it at its start, or "amber index build".',
    );
  else yield right(`The search cluster answers; its index holds ${held.posts.toLocaleString('en-US')} posts.`);
  if (typeof held === 'object' && index.trouble !== null)
    yield note(`The search cluster: ${index.trouble}.`, 'See "Past one machine" in docs/scale.md.');
  await index.close();
}

/** Prints the findings. Returns false if something is wrong. */
export async function doctor(config: Config, databaseUri: string | null): Promise<boolean> {
  const marks = { right: 'ok   ', note: 'note ', wrong: 'WRONG' };
  let count = 0;
  for await (const { state, sentence, advice } of examine(config, databaseUri)) {
    if (state === 'wrong') count++;
    process.stdout.write(`${marks[state]}  ${sentence}\n${advice ? `       ${advice}\n` : ''}`);
  }
  process.stdout.write(
    count === 0 ? 'Nothing is wrong.\n' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong.\n`,
  );
  return count === 0;
}

async function openIfThere(uri: string | null): Promise<Database | null> {
  if (uri === null) return null;
  const url = `${uri}${uri.includes('?') ? '&' : uri.replace(/^[^/]+\/\//, '').includes('/') ? '?' : '/?'}serverSelectionTimeoutMS=${ANSWER_MS}`;
  return connectDatabase(url).catch(() => null);
}

/** Whether a process accepts connections on a port of this machine. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: ANSWER_MS });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}

/** Message that tells why a file cannot be written there; null if it can. */
async function tryWriting(folder: string): Promise<string | null> {
  const file = join(folder, `.doctor-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    await writeFile(file, 'written to see whether it can be');
    await rm(file);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? reasonOf(error) ?? 'it fails';
  }
}

/** Stores a few bytes and deletes them. Returns a message if that fails. */
async function tryStoring(bytes: ByteStore): Promise<string | null> {
  const name = `${randomBytes(32).toString('hex')}-${randomBytes(4).toString('hex')}`;
  await bytes.put(name, Buffer.from('written to see whether it can be'));
  const isThere = await bytes.has(name);
  await bytes.remove(name);
  return isThere ? null : 'what was put there is not there';
}
