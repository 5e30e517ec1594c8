import type { SourcePlatform, Target } from './source.ts';

/** A post that names the agent. */
export interface Mention {
  /** The platform's address of the mention; the same for each delivery. */
  address: string;
  url: string;
  at: Date;
  author: { id: string; handle: string };
  /** The mention's own text: without mentioned names, and on X without inherited names. */
  words: string;
  /** Whether the text itself names the agent. A reply in the agent's thread may only inherit the name. */
  isExplicit: boolean;
  /** The post that the mention quotes, else the one it answers. */
  target: Target | null;
  /** The target's author, if the platform tells it. */
  targetAuthorId: string | null;
}

/** The mentions since a cursor; `next` covers exactly these. */
export interface Mentions {
  mentions: Mention[];
  next: string | null;
  /** Whether the platform no longer delivers some of the missed mentions. */
  isGap: boolean;
  /** Called once the mentions are stored; they are not delivered again. */
  markTaken?(): void;
}

/** The agent's account on a platform. Calls fail as those of `Source` do. */
export interface Account {
  readonly platform: SourcePlatform;
  readonly handle: string;
  /** Signs in if necessary and returns the account's own id. */
  open(signal: AbortSignal): Promise<{ id: string; handle: string }>;
  /**
   * All mentions since the cursor, oldest first. `null` stands for the first start: only mentions from `since` on
   * count.
   */
  mentions(cursor: string | null, since: Date, signal: AbortSignal): Promise<Mentions>;
  /**
   * Answers a mention once and returns the reply's address on the platform. `key` identifies the request: the same key
   * never makes a second reply, even if the outcome of an earlier attempt is unknown.
   */
  reply(to: ReplyTo, reply: Reply, signal: AbortSignal): Promise<string>;
}

export interface Reply {
  key: string;
  text: string;
  link: string | null;
  /** Whether an earlier attempt may have succeeded without an answer. */
  mayBeThere: boolean;
}

export interface ReplyTo {
  address: string;
  at: Date;
}
