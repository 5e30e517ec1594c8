import { resolve } from 'node:path';
import { LAUNCH_PLATFORMS, type LaunchPlatformName, PRODUCT_NAME, PRODUCT_SLUG, parseUrl } from '@archive/contracts';
import { platformIdSchema } from '@archive/contracts/schemas';
import { parsePrice } from '@archive/solana/price';
import { decodeAddress } from '@archive/solana/verify';
import { z } from 'zod';
import { readSecretKey } from './chain/secret-key.ts';
import type { CategoriserSettings } from './classify/categoriser.ts';
import { MEDIA_SHAPE, type MediaSettings, mediaSettings } from './media-settings.ts';
import { isKeyPair, type PushKeys } from './push-keys.ts';
import { SEARCH_SHAPE, type SearchSettings, searchSettings } from './search-settings.ts';
import { ConfigError, type Refuse, withSecretFiles } from './secret-files.ts';

export { ConfigError };

export interface Config {
  isProduction: boolean;
  port: number;
  dataDir: string;
  mongodbUri: string;
  publicUrl: URL;
  corsOrigins: string[];
  avatarHosts: string[];
  sources: SourceSettings;
  agentHandle: string;
  tokenTicker: string;
  launchInfoId: string | null;
  launchPlatformName: string | null;
  launchContractAddress: string | null;
  /** Nodes that the server calls, the preferred one first. Without any, all features that need the chain are closed. */
  solanaRpcUrls: string[];
  /** The node address for browsers. */
  publicSolanaRpcUrl: string | null;
  featureWallet: string | null;
  featureMint: string | null;
  /** In tokens, as a decimal string. */
  featurePrice: string;
  launch: LaunchSettings;
  /** The service that categorises posts; null for the built-in classifier alone. */
  categoriser: CategoriserSettings | null;
  /** In a UTC day, for all requests to save together. */
  categoriserCallsPerDay: number;
  rateLimits: boolean;
  /** Addresses of the admins' wallets. */
  adminWallets: string[];
  /** Number of networks whose serious reports hide a post until an operator decides; 0 for never. */
  reportsHide: number;
  /** Key of the audit log; null if a development machine creates one. */
  auditKey: string | null;
  /** Days for which an entry of the audit log is kept. */
  auditDays: number;
  jwtSecret: string | null;
  /** Tokens signed with it are accepted until they expire; it signs no new ones. */
  previousJwtSecret: string | null;
  /** Number of proxies in front whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  /** Folder of the built web app; without it the server answers only API calls. */
  webDir: string | null;
  /** Contact for security reports; null for none. */
  securityContact: string | null;
  media: MediaSettings;
  /** Null if each process keeps its own index file. */
  search: SearchSettings | null;
  /** Keys for push notices; null if none are sent. */
  push: PushKeys | null;
  /** `host:port` of sources that may be private and use http, for tests and the demo. */
  sourceLocalHosts: string[];
  logLevel: string;
  /** Where metrics are served; null for nowhere. */
  metrics: { port: number; host: string } | null;
  /** Free bytes on the disk of `dataDir` below which an alarm is raised. */
  diskFloorBytes: number;
}

/** The operator's settings of launching. */
export interface LaunchSettings {
  platform: LaunchPlatformName | 'off';
  /** 64 bytes of the key that pays for launches; null if a development machine creates one. */
  secretKey: Uint8Array | null;
  /** Launches in a UTC day, in total and of one wallet. */
  dailyCap: number;
  walletCap: number;
  /** Launches in a UTC day from one network of addresses. */
  addressCap: number;
  /** Project tokens that a wallet must hold, as a decimal string; null for none. */
  minTokens: string | null;
  /** Lamports that the launch key must still have before a launch. */
  balanceFloor: bigint;
  /** For tokens on `token-2022`; on `pumpfun` the program decides. */
  decimals: number;
  /** In base units. */
  supply: bigint;
  /** Refused in names and symbols, besides the list in the code. */
  blockedWords: string[];
  /** The service that stores metadata; null if this server does. */
  pinning: PinningService | null;
}

/** The platforms of posts, and the accounts that read them. */
export interface SourceSettings {
  bluesky: {
    /** Base address for reading posts, without an account. */
    appView: string;
    /** Base address of the DID directory. */
    directory: string;
    /** Jetstream that reports deletions; null if none is followed. */
    jetstream: string | null;
    /** Null if no agent runs there. */
    account: { service: string; identifier: string; password: string } | null;
  };
  x: {
    baseUrl: string;
    /** Of an app that the agent's account owns (OAuth 1.0a); null if X is not read. */
    credentials: { apiKey: string; apiSecret: string; accessToken: string; accessSecret: string } | null;
    /** What leaves the archive of posts that came through X's API: whole posts, or only their ids. */
    exports: 'full' | 'ids';
    /** In production, true only if the operator has set `exports`. */
    isAgentAllowed: boolean;
  };
  /** Days for which a post that its author took away is kept aside. */
  sealedDays: number;
  /** Whether such a post is no longer shown. */
  hidesDeleted: boolean;
  /** Whether the agent replies to mentions. */
  replies: boolean;
  /** Charged reads, and replies, in a UTC day. */
  readsPerDay: number;
  repliesPerDay: number;
}

export interface PinningService {
  /** Accepts a file as multipart/form-data and returns its content identifier. */
  endpoint: string;
  token: string | null;
  /** Address before a content identifier, with a slash at its end. */
  gateway: string;
}

const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const origin = z.string().refine((value) => parseUrl(value)?.origin === value, {
  error: 'must be origins like https://example.org, separated by commas',
});

const SOL_DECIMALS = 9;

/** An amount in tokens as base units; null if it is no amount. */
function baseUnits(amount: string, decimals: number): bigint | null {
  try {
    return parsePrice(amount, decimals);
  } catch {
    return null;
  }
}

const host = z.string().regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be host names, separated by commas');

const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  // A user name or password would appear in error messages, and no client sends them.
  // Values that are no address were refused above, but still reach this check.
  .refine((value) => !parseUrl(value)?.username, 'must not hold a user name or password');

/** Bluesky's own servers. Its public stream does not report on another network. */
const PUBLIC_BLUESKY = {
  appView: 'https://public.api.bsky.app',
  directory: 'https://plc.directory',
  jetstream: 'wss://jetstream2.us-east.bsky.network',
} as const;

const jetstream = z.string().refine((value) => value === 'off' || isStream(value), {
  error: 'must be a ws or wss address without a path, or off',
});

/** Whether the address has the path of Jetstream. */
function isStream(value: string): boolean {
  const url = parseUrl(value);
  if (!url) return false;
  const { protocol, host, href } = url;
  return /^wss?:$/.test(protocol) && host !== '' && href === `${protocol}//${host}/`;
}

/** Whether the address meets the rules of `Outbound`: TLS at the standard port, and a public host name. */
function isPublicStream(value: string): boolean {
  if (value === 'off') return true;
  const { protocol, port, hostname } = new URL(value);
  const words = hostname.split('.').filter((word) => word !== '');
  return protocol === 'wss:' && port === '' && words.length > 1 && /^[a-z]/.test(words.at(-1) ?? '');
}

const address = z
  .string()
  .refine((value) => decodeAddress(value) !== null, 'must be a Solana address of 32 bytes in base58');

const tokens = z.string().regex(/^\d{1,20}(\.\d{1,20})?$/, 'must be a decimal number of tokens, like 1 or 0.5');

const count = z
  .string()
  .regex(/^\d{1,6}$/, 'must be a whole number')
  .transform(Number);

/** Contact as RFC 9116 requires it, on one line. */
function isContact(value: string): boolean {
  return /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(value) && parseUrl(value) !== null;
}

const secret = z
  .string()
  .refine((value) => Buffer.byteLength(value) >= 32, 'must be at least 32 bytes')
  .optional();

const postId = z.union([z.string().regex(/^[0-9a-fA-F]{24}$/), platformIdSchema], {
  error: 'must be the id of a post',
});

const schema = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: z.string().default('4000').transform(Number).pipe(z.number('must be a port number').int().min(0).max(65_535)),
  DATA_DIR: z.string().default('.data'),
  MONGODB_URI: z
    .string('must be set; "npm start" brings its own database')
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://'),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  CORS_ORIGINS: z.string().default('').transform(list).pipe(z.array(origin)),
  AVATAR_HOSTS: z.string().default('pbs.twimg.com,abs.twimg.com').transform(list).pipe(z.array(host)),
  AGENT_HANDLE: z
    .string()
    .regex(/^@?[A-Za-z0-9_]{1,30}$/, 'must be a handle')
    .default(`${PRODUCT_SLUG}keeps`)
    .transform((value) => value.replace(/^@/, '')),
  TOKEN_TICKER: z
    .string()
    .regex(/^[A-Z0-9]{1,10}$/, 'must be 1 to 10 of A-Z and 0-9')
    .default(PRODUCT_NAME.toUpperCase()),
  LAUNCH_INFO_ID: postId.optional(),
  LAUNCH_PLATFORM_NAME: z.string().max(50).optional(),
  LAUNCH_CONTRACT_ADDRESS: z.string().max(100).optional(),
  SOLANA_RPC_URL: webAddress.optional(),
  SOLANA_RPC_FALLBACK_URL: webAddress.optional(),
  PUBLIC_SOLANA_RPC_URL: webAddress.optional(),
  FEATURE_WALLET: address.optional(),
  FEATURE_MINT: address.optional(),
  FEATURE_PRICE: tokens.refine((value) => /[1-9]/.test(value), 'must be more than 0').default('1'),
  LAUNCH_PLATFORM: z.enum([...LAUNCH_PLATFORMS, 'off'], `must be ${LAUNCH_PLATFORMS.join(', ')} or off`).optional(),
  LAUNCH_KEYPAIR: z
    .string()
    .refine((value) => readSecretKey(value) !== null, 'must be a key pair: 64 bytes in base58 or as a JSON array')
    .optional(),
  LAUNCH_DAILY_CAP: count.default(100),
  LAUNCH_WALLET_CAP: count.default(5),
  LAUNCH_ADDRESS_CAP: count.default(10),
  LAUNCH_MIN_TOKENS: tokens.default('0').transform((value) => (/[1-9]/.test(value) ? value : null)),
  LAUNCH_BALANCE_FLOOR: z
    .string()
    .refine((value) => baseUnits(value, SOL_DECIMALS) !== null, 'must be an amount of SOL, like 0.05')
    .optional(),
  LAUNCH_TOKEN_DECIMALS: z
    .string()
    .regex(/^[0-9]$/, 'must be 0 to 9')
    .default('6')
    .transform(Number),
  LAUNCH_TOKEN_SUPPLY: z
    .string()
    .regex(/^[1-9]\d{0,19}$/, 'must be a whole number of tokens')
    .default('1000000000'),
  LAUNCH_BLOCKED_WORDS: z.string().default('').transform(list),
  LAUNCH_METADATA: z.enum(['own', 'ipfs'], 'must be own or ipfs').default('own'),
  LAUNCH_IPFS_ENDPOINT: webAddress.optional(),
  LAUNCH_IPFS_TOKEN: z.string().optional(),
  LAUNCH_IPFS_GATEWAY: webAddress.default('https://ipfs.io/ipfs/'),
  BLUESKY_SERVICE: webAddress.default('https://bsky.social'),
  BLUESKY_IDENTIFIER: z.string().max(253).optional(),
  BLUESKY_PASSWORD: z.string().optional(),
  BLUESKY_APPVIEW_URL: webAddress.default(PUBLIC_BLUESKY.appView),
  BLUESKY_PLC_URL: webAddress.default(PUBLIC_BLUESKY.directory),
  BLUESKY_JETSTREAM_URL: jetstream.optional(),
  X_BASE_URL: webAddress.default('https://api.x.com'),
  X_API_KEY: z.string().optional(),
  X_API_SECRET: z.string().optional(),
  X_ACCESS_TOKEN: z.string().optional(),
  X_ACCESS_SECRET: z.string().optional(),
  X_EXPORT: z.enum(['full', 'ids'], 'must be full or ids').optional(),
  SEALED_DAYS: count.default(30),
  SOURCE_DELETIONS: z.enum(['hide', 'mark'], 'must be hide or mark').default('hide'),
  AGENT_REPLIES: z.enum(['on', 'off'], 'must be on or off').default('on'),
  AGENT_READS_PER_DAY: count.default(5_000),
  AGENT_REPLIES_PER_DAY: count.default(500),
  CATEGORISER_URL: webAddress.optional(),
  CATEGORISER_KEY: z
    .string()
    // The value is sent in a header.
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be printable ASCII without blanks')
    .optional(),
  CATEGORISER_MODEL: z.string().max(200).optional(),
  CATEGORISER_CALLS_PER_DAY: count.default(2_000),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  ADMIN_WALLETS: z
    .string()
    .default('')
    .transform(list)
    .pipe(
      z.array(
        z.string().refine((value) => decodeAddress(value) !== null, 'must be Solana addresses, separated by commas'),
      ),
    ),
  REPORTS_HIDE: count.default(0),
  AUDIT_DAYS: count.refine((days) => days > 0, 'must be a day or more').default(730),
  AUDIT_KEY: secret,
  JWT_SECRET: secret,
  JWT_SECRET_PREVIOUS: secret,
  TRUSTED_PROXIES: z
    .string()
    .regex(/^\d$/, 'must be the number of proxies in front, 0 to 9')
    .transform(Number)
    .optional(),
  WEB_DIR: z.string().optional(),
  SECURITY_CONTACT: z
    .string()
    .refine(isContact, 'must be an address like mailto:security@example.org or https://example.org/security')
    .optional(),
  ...MEDIA_SHAPE,
  ...SEARCH_SHAPE,
  VAPID_PUBLIC_KEY: z.string().optional(),
  VAPID_PRIVATE_KEY: z.string().optional(),
  PRIVATE_HOSTS: z
    .string()
    .default('')
    .transform(list)
    .pipe(z.array(z.string().regex(/^[a-z0-9.-]+$/, 'must be host names without ports, separated by commas'))),
  SOURCE_LOCAL_HOSTS: z
    .string()
    .default('')
    .transform(list)
    .pipe(z.array(z.string().regex(/^[a-z0-9.-]+:\d{1,5}$/, 'must be host:port, separated by commas'))),
  METRICS_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .pipe(z.number().max(65_535, 'must be a port number'))
    .optional(),
  METRICS_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:-]{1,253}$/, 'must be an address or a host name')
    .default('127.0.0.1'),
  DISK_FLOOR: count.default(5),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], 'must be silent, error, warn, info or debug')
    .default('info'),
});

/** Names of all settings, as `docs/configuration.md` lists them. */
export const SETTING_NAMES: readonly string[] = Object.keys(schema.shape);

/** Settings that may be given as files. */
export const SECRET_NAMES = [
  'AUDIT_KEY',
  'BLUESKY_PASSWORD',
  'CATEGORISER_KEY',
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'LAUNCH_IPFS_TOKEN',
  'LAUNCH_KEYPAIR',
  'MONGODB_URI',
  'S3_KEY',
  'S3_SECRET',
  'SEARCH_PASSWORD',
  'SOLANA_RPC_FALLBACK_URL',
  'SOLANA_RPC_URL',
  'VAPID_PRIVATE_KEY',
  'X_ACCESS_SECRET',
  'X_ACCESS_TOKEN',
  'X_API_KEY',
  'X_API_SECRET',
] as const satisfies readonly (keyof typeof schema.shape)[];

type Settings = z.output<typeof schema>;

/** The database that the environment names, directly or by a file; null for none. Throws `ConfigError`. */
export function readDatabaseUri(env: Record<string, string | undefined>): string | null {
  return refusingAtOnce((refuse) => withSecretFiles(env, ['MONGODB_URI'], refuse)['MONGODB_URI'] ?? null);
}

/** Reads the settings from an environment; the only place that knows their names. Throws `ConfigError`. */
export function readConfig(env: Record<string, string | undefined>): Config {
  return refusingAtOnce((refuse) => {
    const value = parseSettings(withSecretFiles(env, SECRET_NAMES, refuse), refuse);
    const isProduction = value.NODE_ENV === 'production';
    for (const [isBroken, sentence] of [...contradictions(value), ...(isProduction ? rulesOfProduction(value) : [])])
      if (isBroken) refuse(sentence);
    return configOf(value, isProduction, refuse);
  });
}

/** Returns the result of `read`. Throws `ConfigError` with everything that it refused, one sentence a line. */
function refusingAtOnce<T>(read: (refuse: Refuse) => T): T {
  const refused = new Set<string>();
  const sentences: string[] = [];
  const value = read((sentence) => {
    const names = sentence.match(/\b[A-Z][A-Z0-9_]{2,}\b/g)?.map((name) => name.replace(/_FILE$/, '')) ?? [];
    // A refusal that follows from an earlier one would mislead.
    if (names.some((name) => refused.has(name))) return;
    refused.add(names[0] ?? '');
    sentences.push(sentence);
  });
  if (sentences.length > 0) throw new ConfigError(sentences.join('\n'));
  return value;
}

/** Placeholder of a required setting after its absence was refused. */
const ABSENT = { MONGODB_URI: 'mongodb://absent' };

/** Parses the settings. Invalid ones are refused and count as absent. */
function parseSettings(given: Record<string, string>, refuse: Refuse): Settings {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const right = { ...given };
  for (const { path, message } of result.error.issues) {
    refuse(`${String(path[0])} ${message}`);
    delete right[String(path[0])];
  }
  return schema.parse({ ...ABSENT, ...right });
}

/** A rule about several settings: whether it is broken, and the sentence for it. */
type Rule = [boolean, string];

function contradictions(value: Settings): Rule[] {
  const ofX = [value.X_API_KEY, value.X_API_SECRET, value.X_ACCESS_TOKEN, value.X_ACCESS_SECRET];
  return [
    [
      (value.BLUESKY_IDENTIFIER === undefined) !== (value.BLUESKY_PASSWORD === undefined),
      'BLUESKY_IDENTIFIER and BLUESKY_PASSWORD need each other',
    ],
    [
      new Set(ofX.map((one) => one === undefined)).size > 1,
      'X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET need each other',
    ],
    [
      value.JWT_SECRET_PREVIOUS !== undefined && (!value.JWT_SECRET || value.JWT_SECRET_PREVIOUS === value.JWT_SECRET),
      'JWT_SECRET_PREVIOUS needs JWT_SECRET, and differs from it',
    ],
    [
      value.SOLANA_RPC_FALLBACK_URL !== undefined && !value.SOLANA_RPC_URL,
      'SOLANA_RPC_FALLBACK_URL needs SOLANA_RPC_URL',
    ],
    [
      value.METRICS_PORT !== undefined && value.METRICS_PORT === value.PORT && value.PORT !== 0,
      'METRICS_PORT must not be PORT: metrics are not public',
    ],
    [
      !value.CATEGORISER_URL && (value.CATEGORISER_KEY ?? value.CATEGORISER_MODEL) !== undefined,
      'CATEGORISER_KEY and CATEGORISER_MODEL need CATEGORISER_URL',
    ],
    [
      value.LAUNCH_METADATA === 'ipfs' && !value.LAUNCH_IPFS_ENDPOINT,
      'LAUNCH_IPFS_ENDPOINT must be set where LAUNCH_METADATA is ipfs',
    ],
    [value.LAUNCH_MIN_TOKENS !== null && !value.FEATURE_MINT, 'LAUNCH_MIN_TOKENS needs FEATURE_MINT'],
  ];
}

function configOf(value: Settings, isProduction: boolean, refuse: Refuse): Config {
  return {
    isProduction,
    port: value.PORT,
    dataDir: resolve(value.DATA_DIR),
    mongodbUri: value.MONGODB_URI,
    publicUrl: new URL(value.PUBLIC_URL ?? `http://localhost:${value.PORT}`),
    corsOrigins: value.CORS_ORIGINS,
    avatarHosts: value.AVATAR_HOSTS,
    sources: sourceSettings(value, isProduction),
    agentHandle: value.AGENT_HANDLE,
    tokenTicker: value.TOKEN_TICKER,
    launchInfoId: value.LAUNCH_INFO_ID ?? null,
    launchPlatformName: value.LAUNCH_PLATFORM_NAME ?? null,
    launchContractAddress: value.LAUNCH_CONTRACT_ADDRESS ?? null,
    solanaRpcUrls: [value.SOLANA_RPC_URL, value.SOLANA_RPC_FALLBACK_URL].filter((url) => url !== undefined),
    // In production, the server's own address may contain a key. On a developer's machine it is public.
    publicSolanaRpcUrl: value.PUBLIC_SOLANA_RPC_URL ?? (isProduction ? null : (value.SOLANA_RPC_URL ?? null)),
    featureWallet: value.FEATURE_WALLET ?? null,
    featureMint: value.FEATURE_MINT ?? null,
    featurePrice: value.FEATURE_PRICE,
    launch: launchSettings(value, isProduction, refuse),
    categoriser: categoriserSettings(value),
    categoriserCallsPerDay: value.CATEGORISER_CALLS_PER_DAY,
    adminWallets: value.ADMIN_WALLETS,
    reportsHide: value.REPORTS_HIDE,
    auditKey: value.AUDIT_KEY ?? null,
    auditDays: value.AUDIT_DAYS,
    jwtSecret: value.JWT_SECRET ?? null,
    previousJwtSecret: value.JWT_SECRET_PREVIOUS ?? null,
    trustedProxies: value.TRUSTED_PROXIES ?? 0,
    rateLimits: value.RATE_LIMITS === 'on',
    webDir: value.WEB_DIR ? resolve(value.WEB_DIR) : null,
    securityContact: value.SECURITY_CONTACT ?? null,
    media: mediaSettings(value, refuse),
    search: searchSettings(value, value.PRIVATE_HOSTS, refuse),
    push: pushKeys(value, refuse),
    sourceLocalHosts: value.SOURCE_LOCAL_HOSTS,
    logLevel: value.LOG_LEVEL,
    metrics: value.METRICS_PORT === undefined ? null : { port: value.METRICS_PORT, host: value.METRICS_HOST },
    diskFloorBytes: value.DISK_FLOOR * 1e9,
  };
}

function pushKeys(
  { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }: Settings,
  refuse: Refuse,
): PushKeys | null {
  if (publicKey === undefined && privateKey === undefined) return null;
  if (publicKey === undefined || privateKey === undefined)
    refuse('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY need each other');
  else if (isKeyPair({ publicKey, privateKey })) return { publicKey, privateKey };
  else refuse(`VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be a pair, as "${PRODUCT_SLUG} push-keys" makes one`);
  return null;
}

function categoriserSettings(value: Settings): CategoriserSettings | null {
  const { CATEGORISER_URL: url, CATEGORISER_KEY: key, CATEGORISER_MODEL: model } = value;
  return url ? { url, key: key ?? null, model: model ?? null } : null;
}

/** Rules for production that a development machine need not meet. */
function rulesOfProduction(value: Settings): Rule[] {
  const isLaunching = value.LAUNCH_PLATFORM !== 'off' && value.LAUNCH_KEYPAIR !== undefined;
  return [
    [!value.AUDIT_KEY, 'AUDIT_KEY must be set in production, to 32 bytes or more'],
    [!value.JWT_SECRET, 'JWT_SECRET must be set in production, to 32 bytes or more'],
    [!value.PUBLIC_URL, 'PUBLIC_URL must be set in production: sign-in texts and tokens name it for good'],
    [
      isLoopback(value.PUBLIC_URL),
      'PUBLIC_URL must be an https address that others reach in production, not this machine’s own',
    ],
    [value.PUBLIC_URL?.startsWith('http:') ?? false, 'PUBLIC_URL must begin with https:// in production'],
    [
      value.TRUSTED_PROXIES === undefined,
      'TRUSTED_PROXIES must be set in production: the number of proxies in front, 0 where there are none',
    ],
    ...plainHttp(value),
    [
      !isPublicStream(value.BLUESKY_JETSTREAM_URL ?? 'off'),
      'BLUESKY_JETSTREAM_URL must be wss:// and a host’s public name in production, without a port, or off',
    ],
    [value.RATE_LIMITS === 'off', 'RATE_LIMITS must be on in production'],
    [
      value.SOURCE_LOCAL_HOSTS.length > 0,
      'SOURCE_LOCAL_HOSTS must be empty in production: posts could have servers of your own network asked',
    ],
    [
      isLaunching && value.LAUNCH_BALANCE_FLOOR === undefined,
      'LAUNCH_BALANCE_FLOOR must be set in production beside LAUNCH_KEYPAIR: the SOL that launches leave on the key',
    ],
  ];
}

/** Refuses plain http in every address, since others could read and change the traffic. */
function plainHttp(value: Settings): Rule[] {
  return Object.entries(value).map(([name, given]) => {
    const url = name !== 'PUBLIC_URL' && typeof given === 'string' && /^http:/i.test(given) ? parseUrl(given) : null;
    const isPrivate = url !== null && (isLoopback(url.href) || value.PRIVATE_HOSTS.includes(url.hostname));
    return [
      url !== null && !isPrivate,
      `${name} must begin with https:// in production, unless its host is this machine or stands in PRIVATE_HOSTS`,
    ];
  });
}

/** Whether an address leads to the same machine. */
function isLoopback(address: string | undefined): boolean {
  const { hostname = '' } = (address && parseUrl(address)) || {};
  const isName = hostname === 'localhost' || hostname.endsWith('.localhost');
  return isName || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function launchSettings(value: Settings, isProduction: boolean, refuse: Refuse): LaunchSettings {
  const secretKey = value.LAUNCH_KEYPAIR ? readSecretKey(value.LAUNCH_KEYPAIR) : null;
  const isNamed = value.LAUNCH_PLATFORM !== undefined && value.LAUNCH_PLATFORM !== 'off';
  if (isProduction && isNamed && !secretKey) {
    refuse('LAUNCH_KEYPAIR must be set in production where LAUNCH_PLATFORM is');
  }
  const supply = baseUnits(value.LAUNCH_TOKEN_SUPPLY, value.LAUNCH_TOKEN_DECIMALS);
  if (supply === null) refuse('LAUNCH_TOKEN_SUPPLY must fit 64 bits with LAUNCH_TOKEN_DECIMALS');
  return {
    // A production server does not launch tokens before the operator has set a key that pays.
    platform: value.LAUNCH_PLATFORM ?? (isProduction && !secretKey ? 'off' : 'token-2022'),
    secretKey,
    dailyCap: value.LAUNCH_DAILY_CAP,
    walletCap: value.LAUNCH_WALLET_CAP,
    addressCap: value.LAUNCH_ADDRESS_CAP,
    minTokens: value.LAUNCH_MIN_TOKENS,
    balanceFloor: baseUnits(value.LAUNCH_BALANCE_FLOOR ?? '0.05', SOL_DECIMALS) ?? 0n,
    decimals: value.LAUNCH_TOKEN_DECIMALS,
    supply: supply ?? 0n,
    blockedWords: value.LAUNCH_BLOCKED_WORDS,
    pinning:
      value.LAUNCH_METADATA === 'ipfs' && value.LAUNCH_IPFS_ENDPOINT
        ? {
            endpoint: value.LAUNCH_IPFS_ENDPOINT,
            token: value.LAUNCH_IPFS_TOKEN ?? null,
            gateway: value.LAUNCH_IPFS_GATEWAY.replace(/\/*$/, '/'),
          }
        : null,
  };
}

function sourceSettings(value: Settings, isProduction: boolean): SourceSettings {
  const { BLUESKY_SERVICE: service, BLUESKY_IDENTIFIER: identifier, BLUESKY_PASSWORD: password } = value;
  const { X_API_KEY: apiKey, X_API_SECRET: apiSecret } = value;
  const { X_ACCESS_TOKEN: accessToken, X_ACCESS_SECRET: accessSecret } = value;
  return {
    bluesky: {
      appView: value.BLUESKY_APPVIEW_URL,
      directory: value.BLUESKY_PLC_URL,
      jetstream: jetstreamOf(value),
      account: identifier && password ? { service, identifier, password } : null,
    },
    x: {
      baseUrl: value.X_BASE_URL,
      credentials:
        apiKey && apiSecret && accessToken && accessSecret ? { apiKey, apiSecret, accessToken, accessSecret } : null,
      exports: value.X_EXPORT ?? 'full',
      isAgentAllowed: value.X_EXPORT !== undefined || !isProduction,
    },
    sealedDays: value.SEALED_DAYS,
    hidesDeleted: value.SOURCE_DELETIONS === 'hide',
    replies: value.AGENT_REPLIES === 'on',
    readsPerDay: value.AGENT_READS_PER_DAY,
    repliesPerDay: value.AGENT_REPLIES_PER_DAY,
  };
}

function jetstreamOf({ BLUESKY_JETSTREAM_URL: named, BLUESKY_APPVIEW_URL, BLUESKY_PLC_URL }: Settings): string | null {
  if (named !== undefined) return named === 'off' ? null : named;
  const isPublic = BLUESKY_APPVIEW_URL === PUBLIC_BLUESKY.appView && BLUESKY_PLC_URL === PUBLIC_BLUESKY.directory;
  return isPublic ? PUBLIC_BLUESKY.jetstream : null;
}
