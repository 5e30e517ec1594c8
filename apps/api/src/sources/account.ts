import type { SourcePlatform, Target } from './source.ts';

/** Somebody names the agent in a post. */
export interface Mention {
  /** What the platform calls it; the same however often it is delivered. */
  address: string;
  url: string;
  at: Date;
  author: { id: string; handle: string };
  /** Its own words: without mentions, and on X without those it inherits. */
  words: string;
  /** Whether the words themselves name the agent; a reply within its thread may only inherit the name. */
  isExplicit: boolean;
  /** The post it quotes, else the one it replies to. */
  target: Target | null;
  /** The author of the target where the platform tells it. */
  targetAuthorId: string | null;
}

/** What came since a cursor; `next` covers exactly these. */
export interface Mentions {
  mentions: Mention[];
  next: string | null;
  /** Whether the platform no longer tells all that was missed. */
  isGap: boolean;
  /** To be called once they are stored: what was told stays untold from then on. */
  markTaken?(): void;
}

/** The agent's account on a platform. Calls fail as those of a `Source` do. */
export interface Account {
  readonly platform: SourcePlatform;
  readonly handle: string;
  /** Signs in where needed, and answers the account's own id. */
  open(signal: AbortSignal): Promise<{ id: string; handle: string }>;
  /** All since the cursor, oldest first; `null` is the first start: only what comes from `since` on counts. */
  mentions(cursor: string | null, since: Date, signal: AbortSignal): Promise<Mentions>;
  /**
   * Answers a mention, once: `key` is the request's, and the same key never makes a second reply, also where the outcome
   * of an earlier try is unknown. Answers what the platform calls the reply.
   */
  reply(to: ReplyTo, reply: Reply, signal: AbortSignal): Promise<string>;
}

export interface Reply {
  key: string;
  text: string;
  link: string | null;
  /** Whether an earlier try may have come through, of which nothing was heard. */
  mayBeThere: boolean;
}

export interface ReplyTo {
  address: string;
  at: Date;
}
