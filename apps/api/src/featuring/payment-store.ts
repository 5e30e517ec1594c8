import type { CreditReason, PaymentListState } from '@archive/contracts';
import type { ReceiverTerms } from '@archive/solana/verify';
import type { Collection, Db, Filter } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';
import type { CreditUse, PaymentDocument, PaymentReport } from './payment-document.ts';

const MAX_CREDITS = 500;
/** Reports in one round, separately for the watcher's and the wallets'. */
const REPORTS_AT_ONCE = 100;

type NewReport = Omit<PaymentReport, '_id' | 'nextAt' | 'isExpired'>;

/** Most waiting reports of one wallet and of one network. */
interface ReportCaps {
  wallet: number;
  network: number;
}

/** The end of a page. */
interface Place {
  at: Date;
  id: string;
}

/** A cursor into the history of an account. */
interface Watch {
  _id: string;
  /** Signature of the newest finalized row that was read. */
  until: string;
}

/**
 * Payments, reports of payments, and uses of credits. Every change of state names the state before it, so that of two
 * processes one succeeds.
 */
export class PaymentStore {
  readonly payments: Collection<PaymentDocument>;
  readonly reports: Collection<PaymentReport>;
  readonly uses: Collection<CreditUse>;
  readonly #receivers: Collection<Omit<ReceiverTerms, 'receiverAccount'> & { _id: string }>;
  readonly #watches: Collection<Watch>;

  constructor(db: Db) {
    this.payments = db.collection<PaymentDocument>('payments');
    this.reports = db.collection<PaymentReport>('payment_reports');
    this.uses = db.collection<CreditUse>('credit_uses');
    this.#receivers = db.collection('payment_receivers');
    this.#watches = db.collection<Watch>('payment_watches');
  }

  /** Sets the token of payments that an earlier version stored without it; null if it is unknown. */
  async nameTokens(mint: string | null): Promise<void> {
    await this.payments.updateMany({ mint: { $exists: false } }, { $set: { mint } });
  }

  find(signature: string): Promise<PaymentDocument | null> {
    return this.payments.findOne({ _id: signature });
  }

  /** Stores a new payment, or revives one that the chain had dropped and shows again. Returns the stored payment. */
  async keep(payment: PaymentDocument): Promise<PaymentDocument> {
    try {
      await this.payments.insertOne(payment);
      return payment;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const { _id, ...fields } = payment;
    const revived = await this.payments.findOneAndUpdate(
      { _id, state: 'dropped' },
      { $set: fields },
      { returnDocument: 'after' },
    );
    return revived ?? ((await this.find(_id)) as PaymentDocument);
  }

  /** Returns the changed payment; null if it was in another state. */
  markApplied(signature: string): Promise<PaymentDocument | null> {
    const applied = { $set: { state: 'applied' } } as const;
    return this.payments.findOneAndUpdate({ _id: signature, state: 'confirmed' }, applied, { returnDocument: 'after' });
  }

  markCredit(signature: string, reason: CreditReason): Promise<unknown> {
    return this.payments.updateOne({ _id: signature, state: 'confirmed' }, { $set: { state: 'credit', reason } });
  }

  /** Holds a credit for a refund under the key `use`. Returns false if it is in use. */
  async holdForRefund(signature: string, use: string): Promise<boolean> {
    const free = { _id: signature, state: 'credit', use: null } as const;
    return (await this.payments.updateOne(free, { $set: { use } })).modifiedCount === 1;
  }

  undoRefund(signature: string, use: string): Promise<unknown> {
    return this.payments.updateOne({ _id: signature, use }, { $set: { use: null } });
  }

  /** Ends the hold of a credit. Returns false if it is marked as refunded, or has another hold. */
  async releaseRefund(signature: string, use: string): Promise<boolean> {
    const held = { _id: signature, state: 'credit', use, refund: { $exists: false } } as const;
    return (await this.payments.updateOne(held, { $set: { use: null } })).modifiedCount === 1;
  }

  /**
   * Marks a held credit as refunded. Returns false if it is not held or is marked already, and `taken` if the
   * transaction refunded another credit.
   */
  async markRefund(signature: string, refund: { transaction: string; at: Date }): Promise<boolean | 'taken'> {
    const held = { _id: signature, state: 'credit', use: /^refunded:/, refund: { $exists: false } } as const;
    try {
      return (await this.payments.updateOne(held, { $set: { refund } })).modifiedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return 'taken';
      throw error;
    }
  }

  /** Whether a transaction has refunded a credit. */
  async isRefund(transaction: string): Promise<boolean> {
    return (await this.payments.findOne({ 'refund.transaction': transaction }, PROMPT)) !== null;
  }

  /** Payments of all wallets, newest first. */
  list(
    {
      state,
      payer,
      after,
    }: { state?: PaymentListState | undefined; payer?: string | undefined; after?: Place | undefined },
    limit: number,
  ): Promise<PaymentDocument[]> {
    const later = after && [{ createdAt: { $lt: after.at } }, { createdAt: after.at, _id: { $lt: after.id } }];
    const query = { ...(payer && { payer }), ...(state && inState(state)), ...(later && { $or: later }) };
    return this.payments.find(query, PROMPT).sort({ createdAt: -1, _id: -1 }).limit(limit).toArray();
  }

  /** Sets an applied payment back to `confirmed`, so that its post is featured again. */
  reopen(signature: string): Promise<unknown> {
    return this.payments.updateOne({ _id: signature, state: 'applied' }, { $set: { state: 'confirmed' } });
  }

  async markFinalized(signatures: readonly string[], at: Date): Promise<void> {
    const one = { _id: { $in: [...signatures] }, finalizedAt: null };
    const done = { finalizedAt: at, missingSince: null };
    await this.payments.updateMany({ ...one, state: 'applied' }, { $set: { ...done, state: 'finalized' } });
    await this.payments.updateMany({ ...one, state: 'credit' }, { $set: done });
  }

  markDropped(signature: string): Promise<unknown> {
    return this.payments.updateOne(
      { _id: signature, state: { $in: ['confirmed', 'applied', 'credit'] }, finalizedAt: null },
      { $set: { state: 'dropped', missingSince: null } },
    );
  }

  /** Stores since when the chain no longer shows the payment; null if it shows it. */
  setMissing(signature: string, since: Date | null): Promise<unknown> {
    return this.payments.updateOne({ _id: signature }, { $set: { missingSince: since } });
  }

  /** Payments that were not applied yet, for example after a crash. */
  findUnapplied(): Promise<PaymentDocument[]> {
    return this.payments.find({ state: 'confirmed' }).limit(100).toArray();
  }

  findUnfinalized(): Promise<PaymentDocument[]> {
    return this.payments
      .find({ state: { $in: ['applied', 'credit'] }, finalizedAt: null })
      .limit(1_000)
      .toArray();
  }

  /** A wallet's payments, newest first, without dropped ones. */
  paidBy(wallet: string, limit: number): Promise<PaymentDocument[]> {
    const kept = { payer: wallet, state: { $ne: 'dropped' } } as const;
    return this.payments.find(kept).sort({ createdAt: -1 }).limit(limit).toArray();
  }

  /** Every payment of a wallet, newest first. */
  walkPaidBy(payer: string): AsyncIterable<PaymentDocument> {
    return this.payments.find({ payer }).sort({ createdAt: -1 });
  }

  /** A wallet's credits, newest first, also used ones. */
  creditsOf(wallet: string): Promise<PaymentDocument[]> {
    return this.payments.find({ payer: wallet, state: 'credit' }).sort({ createdAt: -1 }).limit(MAX_CREDITS).toArray();
  }

  /**
   * A wallet's report, created if there is none. Null if too many reports of the wallet or of its network are waiting.
   */
  async openReport(report: NewReport & { wallet: string }, caps: ReportCaps | null): Promise<PaymentReport | null> {
    const kept = await this.findReport(report.signature, report.wallet);
    if (kept || !caps) return kept ?? this.report(report);
    if (await this.#isOver(report, { wallet: caps.wallet - 1, network: caps.network - 1 })) return null;
    const made = await this.report(report);
    // Of several simultaneous reports each counts all. So fewer may remain than allowed, but never more.
    if (!(await this.#isOver(report, caps))) return made;
    await this.forgetOne(made);
    return null;
  }

  async #isOver({ wallet, network }: NewReport, caps: ReportCaps): Promise<boolean> {
    const isOpen = { isExpired: { $ne: true } };
    const count = (whose: object, cap: number) =>
      this.reports.countDocuments({ ...whose, ...isOpen }, { limit: cap + 1 });
    const [ofWallet, ofNetwork] = await Promise.all([count({ wallet }, caps.wallet), count({ network }, caps.network)]);
    return ofWallet > caps.wallet || ofNetwork > caps.network;
  }

  async report(report: NewReport): Promise<PaymentReport> {
    const _id = reportId(report.signature, report.wallet);
    const fresh = { ...report, nextAt: report.reportedAt, isExpired: false };
    const kept = await this.reports
      .findOneAndUpdate({ _id }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' })
      .catch((error: unknown) => {
        if (isDuplicateKey(error)) return this.reports.findOne({ _id });
        throw error;
      });
    return kept ?? { _id, ...fresh };
  }

  /** The report of a payment by the wallet that paid. */
  findReport(signature: string, wallet: string): Promise<PaymentReport | null> {
    return this.reports.findOne({ _id: reportId(signature, wallet) });
  }

  /** The due reports. The watcher's own come first, since no wallet can invent them. */
  async dueReports(now: Date): Promise<PaymentReport[]> {
    const due = (more: object) =>
      this.reports
        .find({ nextAt: { $lte: now }, ...more })
        .sort({ nextAt: 1 })
        .limit(REPORTS_AT_ONCE)
        .toArray();
    return [...(await due({ wallet: null })), ...(await due({ wallet: { $ne: null } }))];
  }

  postpone({ _id }: PaymentReport, to: Pick<PaymentReport, 'nextAt' | 'height' | 'isExpired'>): Promise<unknown> {
    return this.reports.updateOne({ _id }, { $set: to });
  }

  forget(signature: string): Promise<unknown> {
    return this.reports.deleteMany({ signature });
  }

  forgetOne({ _id }: PaymentReport): Promise<unknown> {
    return this.reports.deleteOne({ _id });
  }

  /** Those of the signatures that are stored as payments or reported by the watcher. */
  async known(signatures: readonly string[]): Promise<Set<string>> {
    const [payments, reports] = await Promise.all([
      this.payments
        .find({ _id: { $in: [...signatures] }, state: { $ne: 'dropped' } }, { projection: { _id: 1 } })
        .toArray(),
      this.reports
        .find({ _id: { $in: signatures.map((signature) => reportId(signature, null)) } })
        .project<Pick<PaymentReport, 'signature'>>({ signature: 1 })
        .toArray(),
    ]);
    return new Set([...payments.map(({ _id }) => _id), ...reports.map(({ signature }) => signature)]);
  }

  /** Stores a receiving account, so that it can still be checked after a change of the settings. */
  keepReceiver({ receiverAccount, ...terms }: ReceiverTerms): Promise<unknown> {
    return this.#receivers.updateOne({ _id: receiverAccount }, { $set: terms }, { upsert: true });
  }

  async receivers(): Promise<ReceiverTerms[]> {
    const found = await this.#receivers.find().toArray();
    return found.map(({ _id, ...terms }) => ({ ...terms, receiverAccount: _id }));
  }

  /** The decimals of a token that was accepted at some time; a mint's decimals never change. */
  async decimalsOf(mint: string): Promise<number | null> {
    return (await this.#receivers.findOne({ mint }))?.decimals ?? null;
  }

  async watchedUntil(account: string): Promise<string | null> {
    return (await this.#watches.findOne({ _id: account }))?.until ?? null;
  }

  watched(account: string, until: string): Promise<unknown> {
    return this.#watches.updateOne({ _id: account }, { $set: { until } }, { upsert: true });
  }
}

function inState(state: PaymentListState): Filter<PaymentDocument> {
  const credit = { state: 'credit' } as const;
  switch (state) {
    case 'credit':
      return { ...credit, use: null };
    case 'held':
      return { ...credit, use: /^refunded:/, refund: { $exists: false } };
    case 'refunded':
      return { ...credit, refund: { $exists: true } };
    case 'used':
      return { ...credit, use: /^use:/ };
    default:
      return { state };
  }
}

function reportId(signature: string, wallet: string | null): string {
  return `${signature} ${wallet ?? ''}`;
}
