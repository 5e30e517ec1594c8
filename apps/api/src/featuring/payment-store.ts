import type { CreditReason, PaymentListState } from '@archive/contracts';
import type { ReceiverTerms } from '@archive/solana/verify';
import type { Collection, Db, Filter } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';
import type { CreditUse, PaymentDocument, PaymentReport } from './payment-document.ts';

const MAX_CREDITS = 500;
/** Looked at in one round, of the watcher's own and of wallets'. */
const REPORTS_AT_ONCE = 100;

type NewReport = Omit<PaymentReport, '_id' | 'nextAt' | 'isExpired'>;

/** How many reports may wait. */
interface ReportCaps {
  wallet: number;
  network: number;
}

/** Where a page ended. */
interface Place {
  at: Date;
  id: string;
}

/** A cursor into the history of an account. */
interface Watch {
  /** The account. */
  _id: string;
  /** Signature of the newest finalized row that was taken in. */
  until: string;
}

/**
 * Payments, reports of payments, and uses of credits. Every change of state names the state it comes from, so that of two
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

  /** Names the token of payments that were kept before it was kept with them; null where it cannot be told. */
  async nameTokens(mint: string | null): Promise<void> {
    await this.payments.updateMany({ mint: { $exists: false } }, { $set: { mint } });
  }

  find(signature: string): Promise<PaymentDocument | null> {
    return this.payments.findOne({ _id: signature });
  }

  /** Keeps a new payment, or one that the chain had taken back and shows again. Answers what is kept now. */
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

  /** Answers the payment as it is then; null where it was in another state. */
  markApplied(signature: string): Promise<PaymentDocument | null> {
    const applied = { $set: { state: 'applied' } } as const;
    return this.payments.findOneAndUpdate({ _id: signature, state: 'confirmed' }, applied, { returnDocument: 'after' });
  }

  markCredit(signature: string, reason: CreditReason): Promise<unknown> {
    return this.payments.updateOne({ _id: signature, state: 'confirmed' }, { $set: { state: 'credit', reason } });
  }

  /** Takes a credit out of use, for `use` says that its payer is paid back; false where it is used or not final. */
  async holdForRefund(signature: string, use: string): Promise<boolean> {
    const free = { _id: signature, state: 'credit', use: null } as const;
    return (await this.payments.updateOne(free, { $set: { use } })).modifiedCount === 1;
  }

  undoRefund(signature: string, use: string): Promise<unknown> {
    return this.payments.updateOne({ _id: signature, use }, { $set: { use: null } });
  }

  /** Back to its payer, unless it is marked as paid back; false where it is, or is held otherwise. */
  async releaseRefund(signature: string, use: string): Promise<boolean> {
    const held = { _id: signature, state: 'credit', use, refund: { $exists: false } } as const;
    return (await this.payments.updateOne(held, { $set: { use: null } })).modifiedCount === 1;
  }

  /** False where it is not held, or marked already; `taken` where the transaction paid another credit back. */
  async markRefund(signature: string, refund: { transaction: string; at: Date }): Promise<boolean | 'taken'> {
    const held = { _id: signature, state: 'credit', use: /^refunded:/, refund: { $exists: false } } as const;
    try {
      return (await this.payments.updateOne(held, { $set: { refund } })).modifiedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return 'taken';
      throw error;
    }
  }

  /** Whether a transaction paid some credit back. */
  async isRefund(transaction: string): Promise<boolean> {
    return (await this.payments.findOne({ 'refund.transaction': transaction }, PROMPT)) !== null;
  }

  /** Of everybody, newest first. */
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

  /** Back to the state before its post was featured, which is then done again. */
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

  /** Since when the chain does not show it; null when it does. */
  setMissing(signature: string, since: Date | null): Promise<unknown> {
    return this.payments.updateOne({ _id: signature }, { $set: { missingSince: since } });
  }

  /** Payments left half-way, as by a crash. */
  findUnapplied(): Promise<PaymentDocument[]> {
    return this.payments.find({ state: 'confirmed' }).limit(100).toArray();
  }

  findUnfinalized(): Promise<PaymentDocument[]> {
    return this.payments
      .find({ state: { $in: ['applied', 'credit'] }, finalizedAt: null })
      .limit(1_000)
      .toArray();
  }

  /** Payments of a wallet, newest first, but for those that the chain took back. */
  paidBy(wallet: string, limit: number): Promise<PaymentDocument[]> {
    const kept = { payer: wallet, state: { $ne: 'dropped' } } as const;
    return this.payments.find(kept).sort({ createdAt: -1 }).limit(limit).toArray();
  }

  /** Every payment of a wallet, newest first. */
  walkPaidBy(payer: string): AsyncIterable<PaymentDocument> {
    return this.payments.find({ payer }).sort({ createdAt: -1 });
  }

  /** Credits of a wallet, newest first, those that were used included. */
  creditsOf(wallet: string): Promise<PaymentDocument[]> {
    return this.payments.find({ payer: wallet, state: 'credit' }).sort({ createdAt: -1 }).limit(MAX_CREDITS).toArray();
  }

  /**
   * A wallet's report, made where there is none yet; null where too many of the wallet's, or of its network's, wait already.
   */
  async openReport(report: NewReport & { wallet: string }, caps: ReportCaps | null): Promise<PaymentReport | null> {
    const kept = await this.findReport(report.signature, report.wallet);
    if (kept || !caps) return kept ?? this.report(report);
    if (await this.#isOver(report, { wallet: caps.wallet - 1, network: caps.network - 1 })) return null;
    const made = await this.report(report);
    // Of many at once each counts all: rather too few of them stay than too many.
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

  /** What the wallet that paid has reported of a payment. */
  findReport(signature: string, wallet: string): Promise<PaymentReport | null> {
    return this.reports.findOne({ _id: reportId(signature, wallet) });
  }

  /** What is to be looked at again: first what the watcher itself has found, which nobody can make up. */
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

  /** Of these signatures those that are kept as payments, or waited for by the watcher or their payer already. */
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

  /** Remembers an account that is paid, so that it can be checked after the settings have changed. */
  keepReceiver({ receiverAccount, ...terms }: ReceiverTerms): Promise<unknown> {
    return this.#receivers.updateOne({ _id: receiverAccount }, { $set: terms }, { upsert: true });
  }

  async receivers(): Promise<ReceiverTerms[]> {
    const found = await this.#receivers.find().toArray();
    return found.map(({ _id, ...terms }) => ({ ...terms, receiverAccount: _id }));
  }

  /** Of a token that was ever paid in here: a mint's decimals never change. */
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
