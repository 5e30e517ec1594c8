import { existsSync, readFileSync } from 'node:fs';
import { PRODUCT_SLUG, parseUrl } from '@archive/contracts';
import { z } from 'zod';
import type { Refuse } from './secret-files.ts';

/** The search cluster that answers lists. Without it, each process keeps its own index file. */
export interface SearchSettings {
  nodes: URL[];
  account: { username: string; password: string } | null;
  /** Certificate of the authority that signed the nodes' certificates, as PEM. */
  ca: string | null;
  /** First part of the name of every index. */
  name: string;
  shards: number;
  /** Copies of each shard besides the primary. */
  replicas: number;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const numberLike = (pattern: RegExp, error: string, unset: string) =>
  z.string().regex(pattern, error).default(unset).transform(Number);

/** The environment variables for the search cluster. */
export const SEARCH_SHAPE = {
  SEARCH_URL: z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .pipe(
      z.array(
        z
          .url({ protocol: /^https?$/, error: 'must be http or https addresses, separated by commas' })
          .refine(
            (value) => !parseUrl(value)?.username && !parseUrl(value)?.password,
            'must not hold a user or password: SEARCH_USERNAME and SEARCH_PASSWORD name them',
          ),
      ),
    )
    .optional(),
  SEARCH_USERNAME: z.string().optional(),
  SEARCH_PASSWORD: z.string().optional(),
  SEARCH_CA: z.string().refine(existsSync, 'must be a file of a certificate').optional(),
  SEARCH_INDEX: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must begin with a letter and hold letters a to z, digits and _')
    .default(PRODUCT_SLUG),
  SEARCH_SHARDS: numberLike(/^[1-9]\d?$/, 'must be 1 to 99', '3'),
  SEARCH_REPLICAS: numberLike(/^[0-5]$/, 'must be 0 to 5', '1'),
};

/** Refuses an incomplete account, and plain http to a cluster outside this machine or the private hosts. */
export function searchSettings(
  value: z.output<z.ZodObject<typeof SEARCH_SHAPE>>,
  privateHosts: readonly string[],
  refuse: Refuse,
): SearchSettings | null {
  const { SEARCH_URL: given, SEARCH_USERNAME: username, SEARCH_PASSWORD: password, SEARCH_CA: ca } = value;
  if ((username === undefined) !== (password === undefined))
    refuse('SEARCH_USERNAME and SEARCH_PASSWORD need each other');
  if (!given) {
    if (username !== undefined || ca !== undefined) refuse('SEARCH_USERNAME and SEARCH_CA need SEARCH_URL');
    return null;
  }
  const nodes = given.map((one) => new URL(one));
  const open = nodes.find(
    ({ protocol, hostname }) =>
      protocol === 'http:' && !LOOPBACK.includes(hostname) && !privateHosts.includes(hostname),
  );
  if (open) refuse(`SEARCH_URL must begin with https:// for ${open.hostname}, unless PRIVATE_HOSTS names that host`);
  return {
    nodes,
    account: username !== undefined && password !== undefined ? { username, password } : null,
    ca: ca === undefined ? null : readFileSync(ca, 'utf8'),
    name: value.SEARCH_INDEX,
    shards: value.SEARCH_SHARDS,
    replicas: value.SEARCH_REPLICAS,
  };
}
