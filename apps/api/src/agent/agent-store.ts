import { createHash } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { leaseEnd } from '../background/lease.ts';
import type { Base } from '../base.ts';
import type { Config } from '../config.ts';
import type { SourcePlatform } from '../sources/source.ts';

interface AgentDocument {
  _id: SourcePlatform;
  /** Time of the first start. Older mentions are ignored. */
  startedAt: Date;
  /** Mentions up to this cursor are stored; it moves only after they are. */
  cursor: string | null;
  /** Since when mentions cannot be read; absent while they can. */
  awaySince?: Date;
}

interface StreamDocument {
  _id: `${SourcePlatform} stream`;
  /** Position in the stream of changes, in microseconds since 1970. */
  position: number;
}

interface BudgetDocument {
  /** Platform and UTC day. */
  _id: string;
  reads: number;
  replies: number;
  /** Cost by the platform's price list, in thousandths of a US cent. */
  milliCents: number;
  /** The reads for requests to save. */
  saves?: number;
  /** The same reads by payer; the key is the start of a SHA-256. */
  of?: Record<string, number>;
  /** Whether an alarm was raised that the day's replies are spent. */
  isTold?: boolean;
}

export type Spent = Pick<BudgetDocument, 'reads' | 'replies' | 'milliCents'>;

/** A platform whose mentions no agent reads. `since` is null if no agent ever did, or if the last one has ended. */
export interface AwayAgent {
  platform: SourcePlatform;
  since: Date | null;
}

/** Platforms for which the settings name an account of the agent. */
export function agentPlatforms({ x, bluesky }: Config['sources']): SourcePlatform[] {
  return [
    ...(x.credentials && x.isAgentAllowed ? (['x'] as const) : []),
    ...(bluesky.account ? (['bluesky'] as const) : []),
  ];
}

/** The platforms whose mentions no agent reads now, because its process is gone or cannot reach the platform. */
export async function awayAgents({ config, database }: Pick<Base, 'config' | 'database'>): Promise<AwayAgent[]> {
  const agents = new AgentStore(database.db);
  const asked = agentPlatforms(config.sources).map((platform) => agents.away(platform, database.clock.now()));
  return (await Promise.all(asked)).flatMap((away) => away ?? []);
}

/** The public form. */
export function toAwayAgent({ platform, since }: AwayAgent): { platform: SourcePlatform; since: string | null } {
  return { platform, since: since?.toISOString() ?? null };
}

/** Name of the lease of the process that reads a platform's mentions. */
export function agentLease(platform: SourcePlatform): string {
  return `agent-${platform}`;
}

/** The agent's position on each platform, and its daily spending. */
export class AgentStore {
  readonly #db: Db;
  readonly #agents: Collection<AgentDocument>;
  readonly #streams: Collection<StreamDocument>;
  readonly #budgets: Collection<BudgetDocument>;

  constructor(db: Db) {
    this.#db = db;
    this.#agents = db.collection<AgentDocument>('agents');
    this.#streams = db.collection<StreamDocument>('agents');
    this.#budgets = db.collection<BudgetDocument>('agent_budgets');
  }

  /** The agent's state on a platform, created at the first start. */
  async begin(platform: SourcePlatform, now: Date): Promise<AgentDocument> {
    return (await this.#agents.findOneAndUpdate(
      { _id: platform },
      { $setOnInsert: { startedAt: now, cursor: null } },
      { upsert: true, returnDocument: 'after' },
    )) as AgentDocument;
  }

  /** Moves the cursor only if it is still at `from`, so that a process that lost its lease cannot move it back. */
  async moveCursor(platform: SourcePlatform, { from, to }: { from: string | null; to: string }): Promise<void> {
    await this.#agents.updateOne({ _id: platform, cursor: from }, { $set: { cursor: to } });
  }

  /** Records since when mentions cannot be read, or that they can be read again. */
  async setAway(platform: SourcePlatform, isAway: boolean): Promise<void> {
    const away = [{ $set: { awaySince: { $ifNull: ['$awaySince', '$$NOW'] } } }];
    await this.#agents.updateOne({ _id: platform }, isAway ? away : { $unset: { awaySince: '' } });
  }

  /** Null if an agent reads the platform's mentions. */
  async away(platform: SourcePlatform, now: Date): Promise<AwayAgent | null> {
    const [agent, until] = await Promise.all([
      this.#agents.findOne({ _id: platform }),
      leaseEnd(this.#db, agentLease(platform)),
    ]);
    const since = agent?.awaySince ?? until;
    return until && until > now && !agent?.awaySince ? null : { platform, since };
  }

  /** Position in a platform's stream of changes, in microseconds since 1970; null before the first one. */
  async streamPosition(platform: SourcePlatform): Promise<number | null> {
    return (await this.#streams.findOne({ _id: `${platform} stream` }))?.position ?? null;
  }

  /** Moves the position only forward, so that a process that lost its lease cannot move it back. */
  async moveStream(platform: SourcePlatform, to: number): Promise<void> {
    await this.#streams.updateOne({ _id: `${platform} stream` }, { $max: { position: to } }, { upsert: true });
  }

  /** Deletes the position if no author is followed. */
  async endStream(platform: SourcePlatform): Promise<void> {
    await this.#streams.deleteOne({ _id: `${platform} stream` });
  }

  async spent(platform: SourcePlatform, now: Date): Promise<Spent> {
    const found = await this.#budgets.findOne({ _id: dayOf(platform, now) });
    return { reads: found?.reads ?? 0, replies: found?.replies ?? 0, milliCents: found?.milliCents ?? 0 };
  }

  /** The day's reads for requests to save: in total, and for one payer. */
  async spentOnSaves(platform: SourcePlatform, now: Date, payer: string): Promise<{ all: number; own: number }> {
    const found = await this.#budgets.findOne({ _id: dayOf(platform, now) });
    return { all: found?.saves ?? 0, own: found?.of?.[keyOf(payer)] ?? 0 };
  }

  /** Whether the alarm about spent replies must still be raised; true once a day. */
  async isToTell(platform: SourcePlatform, now: Date): Promise<boolean> {
    const told = { $set: { isTold: true }, $setOnInsert: { reads: 0, replies: 0, milliCents: 0 } };
    const options = { upsert: true, returnDocument: 'before' } as const;
    return !(await this.#budgets.findOneAndUpdate({ _id: dayOf(platform, now) }, told, options))?.isTold;
  }

  async spend(platform: SourcePlatform, now: Date, spent: Partial<Spent>, payer?: string): Promise<void> {
    const { reads = 0 } = spent;
    const ofPayer = payer === undefined ? {} : { saves: reads, [`of.${keyOf(payer)}`]: reads };
    await this.#budgets.updateOne({ _id: dayOf(platform, now) }, { $inc: { ...spent, ...ofPayer } }, { upsert: true });
  }
}

function keyOf(payer: string): string {
  return createHash('sha256').update(payer).digest('hex').slice(0, 16);
}

function dayOf(platform: SourcePlatform, now: Date): string {
  return `${platform} ${now.toISOString().slice(0, 10)}`;
}
