import type { Category } from './categories.ts';
import type { ReactionCounts } from './reactions.ts';

/** ISO 8601 in UTC, with milliseconds. */
export type Instant = string;

/** One saved post as every call answers it. */
export interface Archive {
  /** 24 hex digits, given by the archive. */
  _id: string;
  /** The platform's own id: 1 to 64 of A-Z, a-z, 0-9, _ and -; never a number, since it may exceed 2^53. */
  id: string;
  content: string;
  author: string;
  /** Without the leading @. */
  authorUsername: string;
  authorAvatar: string | null;
  category: Category | null;
  timestamp: Instant;
  url: string;
  featured: boolean;
  featuredAt: Instant | null;
  featuredBy: 'team' | 'payment' | null;
  /** Wallet that paid for the featuring. */
  payee: string | null;
  launched: boolean;
  reactions: ReactionCounts;
  metadata: Record<string, unknown>;
}

export interface ArchiveStats {
  total: number;
  /** Handles, without regard to case. */
  authors: number;
  /** Posts whose timestamp lies in the last 7 x 24 hours. */
  recent: number;
}

export interface Pagination {
  page: number;
  limit: number;
  /** Posts that match, the featured one included. */
  total: number;
  /** Pages of `data`. */
  pages: number;
}

/** Answer of `GET archives`. */
export interface ArchivePage {
  data: Archive[];
  stats: ArchiveStats;
  pagination: Pagination;
  /** The most recently featured post among the matches, on page 1 only. */
  featured: Archive | null;
  lastLaunch: TokenLaunch | null;
}

export interface TopAuthor {
  author: string;
  username: string;
  avatar: string | null;
  count: number;
}

/** Answer of `GET analytics`. */
export interface Analytics {
  topAuthors: TopAuthor[];
  contentTrends: { category: Category | null; count: number }[];
  /** The last 30 UTC days, oldest first. */
  timeTrends: { date: string; count: number }[];
}

export const LAUNCH_STATUSES = ['claimed', 'signed', 'sent', 'confirmed', 'finalized', 'failed', 'expired'] as const;
export type LaunchStatus = (typeof LAUNCH_STATUSES)[number];

/** One token of one post. What is about the chain is null until the launch is signed. */
export interface TokenLaunch {
  amberId: string;
  name: string;
  symbol: string;
  /** The beginning of the post's text. */
  description: string;
  mint: string | null;
  /** Signature of the transaction on the chain. */
  transaction: string | null;
  /** On the platform pump.fun alone. */
  pumpfunUrl: string | null;
  /** Null on a local network, which no explorer sees. */
  solscanUrl: string | null;
  solscanTokenUrl: string | null;
  createdAt: Instant;
  status: LaunchStatus;
  /** Who wrote the post; only where launches of several posts are answered. */
  author?: string;
}

/** Answer of `GET /launches/{id}`. */
export type LaunchInfo = Archive & { launch_platform: string | null; contract_address: string | null };

/** What the browser needs to know and may know; answer of `GET config`. */
export interface PublicConfig {
  name: string;
  network: string;
  rpcUrl: string | null;
  /** Without the leading @. */
  agentHandle: string;
  tokenTicker: string;
  launchInfoId: string | null;
  /** Where tokens are launched, or null while nobody can launch any. */
  launchPlatform?: 'token-2022' | 'pumpfun' | null;
  /** Hosts from which avatars are shown, over https alone. */
  avatarHosts: string[];
  /** Names the site in signed messages, e.g. `localhost:4000`. */
  domain: string;
}

export type IngestStatus = 'created' | 'duplicate' | 'invalid';

export interface IngestResult {
  index: number;
  /** The platform id as sent, where there was one. */
  id: string | null;
  status: IngestStatus;
  message?: string;
}

/** Answer of `POST archives`. */
export interface IngestReport {
  created: number;
  duplicates: number;
  invalid: number;
  results: IngestResult[];
}
