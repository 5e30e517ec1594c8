import type { Platform, Save, SaveReason, SaveState } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import type { Fetched, SourcePlatform, Target } from '../sources/source.ts';

/** Who asked: a wallet, an agent key, a platform account (by its id there), or an operator. */
export interface Asker {
  kind: 'wallet' | 'key' | 'account' | 'operator';
  id: string;
  handle?: string;
}

/** A request to save a post. */
export interface SaveDocument {
  _id: ObjectId;
  /** Unique key of the request: the address of the mention, or the asker and the wanted post. */
  key: string;
  platform: Platform;
  /** The link as it was sent. */
  link: string;
  /** The post; null until it is known. */
  target: Target | null;
  wantsThread: boolean;
  askedBy: Asker;
  /** The network of IP addresses that the request came from; absent if it came from a platform. */
  network?: string;
  /** The mention that asks, and when it was written. */
  askedIn?: { address: string; url: string; at: Date };
  via: Extract<Save['via'], 'mention' | 'save'>;
  state: SaveState;
  reason: SaveReason | null;
  attempts: number;
  /** Claims since the last progress; more than one if a process died during the work. */
  claims: number;
  /** Whether the request is listed publicly. */
  isPublic: boolean;
  /** Not worked on before this time. */
  dueAt: Date;
  endsAt: Date;
  /** The process that works on the request, and until when it alone may. */
  lease?: { holder: string; until: Date };
  archiveId: ObjectId | null;
  /** The fetched posts, until they are stored. */
  fetched?: Fetched;
  /**
   * The `_id` for each post of the request, by platform id. A repetition after a kill uses the same `_id`s, so no media
   * are left behind for a post that was never kept.
   */
  ids?: Record<string, ObjectId>;
  /** State of the reply to a mention. */
  reply: 'none' | 'due' | 'sent' | 'skipped';
  /** The next queue, derived from state and reply; absent if nothing is left to do. */
  queue?: SaveQueue;
  /** What the author of a post asks for instead of a save. `help` stands for any other words. */
  wish?: 'remove' | 'remove all' | 'no tokens' | 'no archive' | 'allow' | 'help';
  /** Text of the reply. */
  words?: string;
  /** Whether a reply may have been sent whose outcome is unknown. */
  mayBeAnswered?: boolean;
  replyId: string | null;
  /** When the request ended; absent if it ended when it was created. */
  endedAt?: Date;
  createdAt: Date;
}

/** `work` for any process; `reply on …` for the agent of that platform. */
export type SaveQueue = 'work' | `reply on ${Platform}`;

export function queueOf({ state, reply, platform }: Pick<SaveDocument, 'state' | 'reply' | 'platform'>) {
  if (reply === 'due' && (state === 'stored' || state === 'failed')) return `reply on ${platform}` as const;
  return state === 'answered' || state === 'failed' ? null : ('work' as const);
}

/** The public form of a request. */
export function toSave(save: SaveDocument): Save {
  return {
    _id: save._id.toHexString(),
    platform: save.platform,
    url: save.target?.url ?? save.link,
    via: save.via,
    state: save.state,
    reason: save.reason,
    archiveId: save.archiveId?.toHexString() ?? null,
    createdAt: save.createdAt.toISOString(),
    endsAt: save.endsAt.toISOString(),
  };
}

export type { SourcePlatform };
