import { resolve } from 'node:path';
import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import { platformIdSchema } from '@archive/contracts/schemas';
import { decodeAddress } from '@archive/solana/verify';
import { z } from 'zod';

/** All settings of the process. */
export interface Config {
  isProduction: boolean;
  port: number;
  dataDir: string;
  mongodbUri: string;
  publicUrl: URL;
  corsOrigins: string[];
  avatarHosts: string[];
  agentHandle: string;
  tokenTicker: string;
  launchInfoId: string | null;
  launchPlatformName: string | null;
  launchContractAddress: string | null;
  /** Nodes the server asks, the preferred one first; none: nothing that needs the chain is open. */
  solanaRpcUrls: string[];
  /** The node that browsers are told of. */
  publicSolanaRpcUrl: string | null;
  featureWallet: string | null;
  featureMint: string | null;
  /** In tokens, as a decimal string. */
  featurePrice: string;
  rateLimits: boolean;
  jwtSecret: string | null;
  /** Proxies in front whose X-Forwarded-For is believed. */
  trustedProxies: number;
  /** Folder of the built web; absent, the API answers alone. */
  webDir: string | null;
  logLevel: string;
}

const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const origin = z.string().refine((value) => URL.canParse(value) && new URL(value).origin === value, {
  error: 'must be origins like https://example.org, separated by commas',
});

const host = z.string().regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be host names, separated by commas');

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const address = z
  .string()
  .refine((value) => decodeAddress(value) !== null, 'must be a Solana address of 32 bytes in base58');

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
  FEATURE_PRICE: z
    .string()
    .regex(/^\d{1,20}(\.\d{1,20})?$/, 'must be a decimal number of tokens, like 1 or 0.5')
    .refine((value) => /[1-9]/.test(value), 'must be more than 0')
    .default('1'),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  JWT_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, 'must be at least 32 bytes')
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^\d$/, 'must be the number of proxies in front, 0 to 9')
    .default('0')
    .transform(Number),
  WEB_DIR: z.string().optional(),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], 'must be silent, error, warn, info or debug')
    .default('info'),
});

/** Thrown with one line per wrong setting, by name. */
export class ConfigError extends Error {}

/** Reads the settings from an environment; the only place that knows their names. Empty means absent. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(given);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`).join('\n'));
  }
  const value = result.data;
  const isProduction = value.NODE_ENV === 'production';
  if (isProduction && !value.JWT_SECRET)
    throw new ConfigError('JWT_SECRET must be set in production, to 32 bytes or more');
  if (value.SOLANA_RPC_FALLBACK_URL && !value.SOLANA_RPC_URL)
    throw new ConfigError('SOLANA_RPC_FALLBACK_URL needs SOLANA_RPC_URL');
  if (isProduction && value.RATE_LIMITS === 'off') throw new ConfigError('RATE_LIMITS must be on in production');
  return {
    isProduction,
    port: value.PORT,
    dataDir: resolve(value.DATA_DIR),
    mongodbUri: value.MONGODB_URI,
    publicUrl: new URL(value.PUBLIC_URL ?? `http://localhost:${value.PORT}`),
    corsOrigins: value.CORS_ORIGINS,
    avatarHosts: value.AVATAR_HOSTS,
    agentHandle: value.AGENT_HANDLE,
    tokenTicker: value.TOKEN_TICKER,
    launchInfoId: value.LAUNCH_INFO_ID ?? null,
    launchPlatformName: value.LAUNCH_PLATFORM_NAME ?? null,
    launchContractAddress: value.LAUNCH_CONTRACT_ADDRESS ?? null,
    solanaRpcUrls: [value.SOLANA_RPC_URL, value.SOLANA_RPC_FALLBACK_URL].filter((url) => url !== undefined),
    // In production the server's own address may hold a key; on a developer's machine it is everybody's.
    publicSolanaRpcUrl: value.PUBLIC_SOLANA_RPC_URL ?? (isProduction ? null : (value.SOLANA_RPC_URL ?? null)),
    featureWallet: value.FEATURE_WALLET ?? null,
    featureMint: value.FEATURE_MINT ?? null,
    featurePrice: value.FEATURE_PRICE,
    jwtSecret: value.JWT_SECRET ?? null,
    trustedProxies: value.TRUSTED_PROXIES,
    rateLimits: value.RATE_LIMITS === 'on',
    webDir: value.WEB_DIR ? resolve(value.WEB_DIR) : null,
    logLevel: value.LOG_LEVEL,
  };
}
