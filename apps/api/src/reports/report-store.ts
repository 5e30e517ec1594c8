import { REPORT_DAYS, REPORTS_FOLLOWED, REPORTS_KEPT, type ReportReason, type ReportState } from '@archive/contracts';
import { type Collection, type Db, type Document, type Filter, ObjectId } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';
import { type Decision, GRAVITY, type ReportDocument, type ReportedDocument } from './report-document.ts';

const FIRST_NUMBER = 10_001;
/** Attempts to get a free number; simultaneous reports take the same one. */
const NUMBER_TRIES = 20;
const GRAVE: readonly ReportReason[] = ['illegal', 'private'];
/** After this time, an unfinished decision counts as interrupted. */
const DECIDING_MS = 30_000;
const DAY_MS = 86_400_000;

export interface NewReport extends Pick<ReportDocument, 'post' | 'reason' | 'words' | 'contact'> {
  network: string;
  /** The secret's hash. */
  secret: string;
}

/** Where a page of reported posts continues. */
export interface PageKey {
  gravity: number;
  at: Date;
  id: ObjectId;
}

/** Reports, and the reported posts. */
export class ReportStore {
  readonly #reports: Collection<ReportDocument>;
  readonly #reported: Collection<ReportedDocument>;

  constructor(db: Db) {
    this.#reports = db.collection<ReportDocument>('reports');
    this.#reported = db.collection<ReportedDocument>('reported_posts');
  }

  /**
   * Accepts a report. The first report of each network is kept; later ones of the network are counted and share it.
   * Returns null if too many do. A report from a new network reopens a decided post.
   */
  async take(report: NewReport): Promise<{ number: number; reported: ReportedDocument } | null> {
    const reported = await this.#count(report);
    const number = await this.#follow(report);
    if (number !== null) return { number, reported };
    if ((await this.#reports.findOne({ post: report.post, network: report.network }, PROMPT)) !== null) return null;
    const kept = await this.#reports.countDocuments({ post: report.post, words: { $ne: '' } }, { limit: REPORTS_KEPT });
    const made = await this.#insert(kept < REPORTS_KEPT ? report : { ...report, words: '', contact: '' });
    return made === null ? null : { number: made, reported };
  }

  async #count({ post, reason, network }: NewReport): Promise<ReportedDocument> {
    const networks = { $ifNull: ['$networks', []] };
    const graveNetworks = { $ifNull: ['$graveNetworks', []] };
    const isFirst = { $eq: [{ $type: '$state' }, 'missing'] };
    const isNew = { $and: [{ $not: { $in: [network, networks] } }, { $lt: [{ $size: networks }, REPORTS_KEPT] }] };
    const opens = { $or: [isFirst, { $and: [{ $eq: ['$state', 'done'] }, isNew] }] };
    const gravity = GRAVITY[reason];
    const isGrave = GRAVE.includes(reason);
    const addsGrave = {
      $and: [{ $not: { $in: [network, graveNetworks] } }, { $lt: [{ $size: graveNetworks }, REPORTS_KEPT] }],
    };
    const set = {
      state: { $cond: [opens, 'open', '$state'] },
      gravity: { $cond: [opens, gravity, { $min: ['$gravity', gravity] }] },
      [`counts.${reason}`]: { $add: [{ $ifNull: [`$counts.${reason}`, 0] }, 1] },
      networks: { $cond: [isNew, { $concatArrays: [networks, [network]] }, networks] },
      graveNetworks: isGrave
        ? { $cond: [addsGrave, { $concatArrays: [graveNetworks, [network]] }, graveNetworks] }
        : graveNetworks,
      round: { $ifNull: ['$round', 0] },
      firstAt: { $cond: [opens, '$$NOW', '$firstAt'] },
      changedAt: { $cond: [opens, '$$NOW', '$changedAt'] },
    };
    for (let tries = 0; ; tries++) {
      try {
        const counted = await this.#reported.findOneAndUpdate({ _id: post }, [{ $set: set }], {
          upsert: true,
          returnDocument: 'after',
        });
        return counted as ReportedDocument;
      } catch (error) {
        if (!isDuplicateKey(error) || tries === 3) throw error;
      }
    }
  }

  /**
   * Adds the secret to this network's report of the post. Returns null if there is none, or if it has too many secrets.
   */
  async #follow({ post, network, secret }: NewReport): Promise<number | null> {
    const followed = await this.#reports.findOneAndUpdate(
      { post, network, [`secrets.${REPORTS_FOLLOWED - 1}`]: { $exists: false } } as Filter<ReportDocument>,
      { $push: { secrets: secret } },
    );
    return followed?.number ?? null;
  }

  async #insert({ post, reason, words, contact, network, secret }: NewReport): Promise<number | null> {
    const fields = { post, reason, words, contact, network, secrets: [secret], state: 'open' as const };
    for (let tries = 0; tries < NUMBER_TRIES; tries++) {
      const [latest] = await this.#reports
        .find({}, { projection: { number: 1 } })
        .sort({ number: -1 })
        .limit(1)
        .toArray();
      const number = (latest?.number ?? FIRST_NUMBER - 1) + 1;
      const literal = { $literal: { ...fields, number } };
      try {
        const made = await this.#reports.updateOne(
          { _id: new ObjectId() },
          [{ $replaceWith: { $mergeObjects: ['$$ROOT', literal, { createdAt: '$$NOW' }] } }],
          { upsert: true },
        );
        if (made.upsertedCount === 1) return number;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const own = await this.#follow({ post, reason, words, contact, network, secret });
        if (own !== null) return own;
      }
    }
    return null;
  }

  findBySecret(hash: string): Promise<ReportDocument | null> {
    return this.#reports.findOne({ secrets: hash }, PROMPT);
  }

  /** The post id of a report with a number such as `R-10001`; null for an unknown number. */
  async postOf(name: string): Promise<string | null> {
    const [, number] = /^R-(\d{1,9})$/i.exec(name) ?? [];
    const found = number === undefined ? null : await this.#reports.findOne({ number: Number(number) }, PROMPT);
    return found?.post.toHexString() ?? null;
  }

  find(post: ObjectId): Promise<ReportedDocument | null> {
    return this.#reported.findOne({ _id: post }, PROMPT);
  }

  /** A page of reported posts: open ones by gravity and age, decided ones the latest first. */
  list(state: 'open' | 'done', now: Date, limit: number, after?: PageKey): Promise<ReportedDocument[]> {
    const { gravity, at, id } = after ?? {};
    const order =
      state === 'open' ? ({ gravity: 1, firstAt: 1, _id: 1 } as const) : ({ changedAt: -1, _id: -1 } as const);
    const isLater =
      state === 'open'
        ? [{ gravity: { $gt: gravity } }, { gravity, firstAt: { $gt: at } }, { gravity, firstAt: at, _id: { $gt: id } }]
        : [{ changedAt: { $lt: at } }, { changedAt: at, _id: { $lt: id } }];
    const filter = { $and: [standing(state, now), ...(after ? [{ $or: isLater }] : [])] };
    return this.#reported
      .find(filter as Filter<ReportedDocument>)
      .sort(order)
      .limit(limit)
      .toArray();
  }

  count(state: 'open' | 'done', now: Date): Promise<number> {
    return this.#reported.countDocuments(standing(state, now));
  }

  /** The latest reports of these posts. */
  reportsOf(posts: readonly ObjectId[]): Promise<ReportDocument[]> {
    return this.#reports
      .find({ post: { $in: [...posts] } })
      .sort({ number: -1 })
      .limit(posts.length * REPORTS_KEPT)
      .toArray();
  }

  /** Begins a decision in this round. Returns null if another operator was first. */
  claim(
    post: ObjectId,
    round: number,
    from: 'open' | 'done',
    decision: Omit<Decision, 'at'> | null,
  ): Promise<ReportedDocument | null> {
    const killed = { state: 'deciding', $expr: { $lt: ['$changedAt', { $subtract: ['$$NOW', DECIDING_MS] }] } };
    const free = from === 'open' ? { $or: [{ state: 'open' }, killed] } : { state: 'done' };
    const told = decision && { decision: { $mergeObjects: [{ $literal: decision }, { at: '$$NOW' }] } };
    return this.#reported.findOneAndUpdate(
      { _id: post, round, ...free } as Filter<ReportedDocument>,
      [{ $set: { state: 'deciding', round: round + 1, changedAt: '$$NOW', ...told } }],
      { returnDocument: 'after' },
    );
  }

  /** Ends a claim whose decision failed. */
  async release(post: ObjectId, round: number, to: 'open' | 'done'): Promise<void> {
    await this.#reported.updateOne({ _id: post, round, state: 'deciding' }, { $set: { state: to, round: round - 1 } });
  }

  /** Completes a decision; all reporters of the post get the outcome. */
  async finish(post: ObjectId, round: number, outcome: Exclude<ReportState, 'open'>, answer?: string): Promise<void> {
    const told = { state: outcome, decidedIn: round, ...(answer ? { answer: { $literal: answer } } : {}) };
    await this.#reports.updateMany({ post, state: 'open' }, [{ $set: { ...told, doneAt: '$$NOW' } }]);
    const wasKept = outcome === 'kept' ? { wasKept: true } : {};
    await this.#reported.updateOne({ _id: post, round, state: 'deciding' }, [
      { $set: { state: 'done', changedAt: '$$NOW', ...wasKept } },
    ]);
  }

  /** Ends the reports of posts that were removed for good, so that their reporters get the outcome. */
  async endOfRemoved(posts: readonly ObjectId[]): Promise<void> {
    for (const post of posts) {
      const { round } = (await this.find(post)) ?? { round: -1 };
      const claimed = await this.claim(post, round, 'open', { act: 'remove', by: 'archive' });
      if (claimed) await this.finish(post, claimed.round, 'removed');
    }
  }

  /** Reopens the reports that a decision had ended. */
  async reopen(post: ObjectId, round: number, decidedIn: number): Promise<void> {
    const undo = { $set: { state: 'open' as const }, $unset: { doneAt: '', answer: '', decidedIn: '' } } as const;
    await this.#reports.updateMany({ post, decidedIn }, undo as Document);
    await this.#reported.updateOne(
      { _id: post, round, state: 'deciding' },
      { $set: { state: 'open' }, $unset: { decision: '', wasKept: '' } },
    );
  }

  /**
   * Claims the right to hide the post for its reports. `done` if reports have hidden it before, `too many` if they have
   * hidden too many posts within a day.
   */
  async claimHiding(post: ObjectId, atMost: number): Promise<'claimed' | 'done' | 'too many'> {
    const free = {
      _id: post,
      hiddenByReportsAt: { $exists: false },
      wasKept: { $exists: false },
      state: 'open' as const,
    };
    const { modifiedCount } = await this.#reported.updateOne(free, [{ $set: { hiddenByReportsAt: '$$NOW' } }]);
    if (modifiedCount === 0) return 'done';
    if ((await this.countHidden()) <= atMost) return 'claimed';
    await this.releaseHiding(post);
    return 'too many';
  }

  async releaseHiding(post: ObjectId): Promise<void> {
    await this.#reported.updateOne({ _id: post }, { $unset: { hiddenByReportsAt: '' } });
  }

  /** Posts that reports have hidden within a day. */
  countHidden(): Promise<number> {
    const recent = { $expr: { $gt: ['$hiddenByReportsAt', { $subtract: ['$$NOW', DAY_MS] }] } };
    return this.#reported.countDocuments({
      hiddenByReportsAt: { $type: 'date' },
      ...recent,
    } as Filter<ReportedDocument>);
  }

  /** Deletes reporters' texts and network pseudonyms some time after the decision. */
  async expire(): Promise<void> {
    const isOld = (field: string) => ({ $expr: { $lt: [field, { $subtract: ['$$NOW', REPORT_DAYS * DAY_MS] }] } });
    await this.#reports.updateMany(
      { doneAt: { $type: 'date' }, network: { $exists: true }, ...isOld('$doneAt') },
      { $set: { words: '', contact: '' }, $unset: { network: '', answer: '' } },
    );
    await this.#reported.updateMany(
      { state: 'done', networks: { $ne: [] }, ...isOld('$changedAt') },
      { $set: { networks: [], graveNetworks: [] } },
    );
  }
}

function standing(state: 'open' | 'done', now: Date): Filter<ReportedDocument> {
  if (state === 'done') return { state };
  return { $or: [{ state }, { state: 'deciding', changedAt: { $lt: new Date(now.getTime() - DECIDING_MS) } }] };
}
