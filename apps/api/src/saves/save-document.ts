import type { Platform, Save, SaveReason, SaveState } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import type { Fetched, SourcePlatform, Target } from '../sources/source.ts';

/** Who asked: a wallet, an agent key, somebody on a platform by their id there, or an operator. */
export interface Asker {
  kind: 'wallet' | 'key' | 'account' | 'operator';
  id: string;
  handle?: string;
}

/** A request to save a post. */
export interface SaveDocument {
  _id: ObjectId;
  /** One request of each: the mention's address, or who asked and for what. */
  key: string;
  platform: Platform;
  /** As it was asked for. */
  link: string;
  /** Once it is known which post that is. */
  target: Target | null;
  wantsThread: boolean;
  askedBy: Asker;
  /** Of addresses, from which it came; absent where it came from a platform. */
  network?: string;
  /** The mention that asks, and when it was written. */
  askedIn?: { address: string; url: string; at: Date };
  via: Extract<Save['via'], 'mention' | 'save'>;
  state: SaveState;
  reason: SaveReason | null;
  attempts: number;
  /** How often it was claimed since it last moved: more than once where a process died over it. */
  claims: number;
  /** Whether it is listed. */
  isPublic: boolean;
  /** Not looked at before that. */
  dueAt: Date;
  endsAt: Date;
  /** Who works on it, and until when nobody else does. */
  lease?: { holder: string; until: Date };
  archiveId: ObjectId | null;
  /** What was fetched, until it is stored. */
  fetched?: Fetched;
  /**
   * Under which `_id` each of its posts is to be kept, by platform id: whoever does it again after a kill means the same, so
   * that no picture is left behind for a post that never came.
   */
  ids?: Record<string, ObjectId>;
  /** Of a mention: what is to be said to the one who asked. */
  reply: 'none' | 'due' | 'sent' | 'skipped';
  /** What it waits for next, derived from state and reply; absent where that is nothing. */
  queue?: SaveQueue;
  /** What the author of a post asks for instead of saving one; `help`: they said something else. */
  wish?: 'remove' | 'remove all' | 'no tokens' | 'no archive' | 'allow' | 'help';
  /** What is to be said to them. */
  words?: string;
  /** Whether an answer may have gone out of which nothing was heard. */
  mayBeAnswered?: boolean;
  replyId: string | null;
  /** When it came to its end; absent where it was at its end at once. */
  endedAt?: Date;
  createdAt: Date;
}

/** To be worked on by any process, or to be answered by the agent of its platform. */
export type SaveQueue = 'work' | `reply on ${Platform}`;

export function queueOf({ state, reply, platform }: Pick<SaveDocument, 'state' | 'reply' | 'platform'>) {
  if (reply === 'due' && (state === 'stored' || state === 'failed')) return `reply on ${platform}` as const;
  return state === 'answered' || state === 'failed' ? null : ('work' as const);
}

/** What everybody may see of it. */
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
