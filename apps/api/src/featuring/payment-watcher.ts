import { parseFeatureMemo } from '@archive/solana/verify';
import { LeasedLoop } from '../background/leased-loop.ts';
import type { Base } from '../base.ts';
import type { Chain } from '../chain/chain.ts';
import { ArchiveState } from '../db/archive-state.ts';
import type { FeatureOffer } from './feature-offer.ts';
import type { Featuring } from './featuring.ts';
import type { PaymentDocument, PaymentReport } from './payment-document.ts';
import { isExpired, nextLook } from './report-schedule.ts';
import { applyPayment, type Needs as SettleNeeds, settlePayment } from './settle-payment.ts';
import { settleUses } from './spend-credits.ts';

interface Needs extends SettleNeeds, Pick<Base, 'log'> {
  featuring: Featuring;
  chain: Chain;
}

/** A wallet's report is given up after this time. The watcher's own reports never are. */
const REPORT_KEPT_MS = 26 * 3_600_000;
/** Longest time for reports in one round; the lease is renewed before the next round. */
const ROUND_MS = 5_000;
const BY_WATCHER = { wallet: null, network: null, height: null } as const;

export interface WatcherTiming {
  tickMs: number;
  /** How long every node must no longer show a payment before it counts as dropped. */
  missingMs: number;
}

const TIMING: WatcherTiming = { tickMs: 1_500, missingMs: 60_000 };

/** Finds unreported payments, settles payments under way, and checks them again when the chain is final. */
export class PaymentWatcher extends LeasedLoop {
  readonly #context: Needs;
  readonly #timing: WatcherTiming;
  /** Whether a restore was settled. Set once, since a restore needs an empty database and thus a restart. */
  #isSettled = false;

  constructor(context: Needs, timing: Partial<WatcherTiming> = {}) {
    const all = { ...TIMING, ...timing };
    super(context, { name: 'payments', ...all });
    this.#context = context;
    this.#timing = all;
  }

  protected steps() {
    const offer = this.#context.featuring.offer.known;
    if (!offer) return [];
    return [
      () => this.#discover(offer),
      () => this.#settleReports(offer),
      () => this.#applyRest(),
      () => this.#finalize(),
      () => settleUses(this.#context),
      () => this.#settleRestore(offer),
    ];
  }

  /**
   * Reads the receiver's history back to the newest row that was final at the last look, and reports every row with our
   * memo. It reports all rows before it settles any, so that an unreadable row does not delay the others.
   */
  async #discover({ terms }: FeatureOffer): Promise<void> {
    const { featuring, chain, database } = this.#context;
    const { payments } = featuring;
    const until = await payments.watchedUntil(terms.receiverAccount);
    let newestFinal: string | undefined;
    for await (const rows of chain.historyOf(terms.receiverAccount, until)) {
      newestFinal ??= rows.find((row) => row.confirmationStatus === 'finalized')?.signature;
      const ours = rows.filter((row) => row.err === null && namesPost(row.memo)).map(({ signature }) => signature);
      const known = ours.length > 0 ? await payments.known(ours) : new Set<string>();
      const reportedAt = database.clock.now();
      for (const signature of ours) {
        if (known.has(signature)) continue;
        await payments.report({ ...BY_WATCHER, signature, post: null, reportedAt });
      }
    }
    if (newestFinal && newestFinal !== until) await payments.watched(terms.receiverAccount, newestFinal);
  }

  /** Opens featuring after a restore, once all payments that the database lacks are read from the chain. */
  async #settleRestore(offer: FeatureOffer): Promise<void> {
    if (this.#isSettled) return;
    const { database, featuring } = this.#context;
    const state = new ArchiveState(database.db);
    if (await state.isUnsettled('payments')) {
      await this.#discover(offer);
      await this.#settleReports(offer);
      // Reports that no node can answer yet are postponed; the others are settled by now.
      if ((await featuring.payments.dueReports(database.clock.now())).length > 0) return;
      await this.#applyRest();
      await state.settle('payments');
    }
    this.#isSettled = true;
  }

  /** Returns whether it stopped before all due reports were checked. */
  async #settleReports(offer: FeatureOffer): Promise<boolean> {
    const { chain, featuring, database, log } = this.#context;
    const { payments } = featuring;
    const due = await payments.dueReports(database.clock.now());
    if (due.length === 0) return false;
    const height = await chain.blockHeight();
    const there = await this.#thoseOnChain(due);
    const stopAt = performance.now() + ROUND_MS;
    for (const report of due) {
      // The rest waits for the next round, so that the other steps are not delayed.
      if (performance.now() > stopAt || this.signal.aborted) return true;
      const isOver = await this.#settleReport(offer, report, there).catch((error: unknown) => {
        log.error({ err: error, signature: report.signature }, 'a payment could not be settled yet');
        return false;
      });
      if (isOver) {
        await payments.forgetOne(report);
      } else {
        const isLost = isExpired(report, height) && !there.has(report.signature);
        const nextAt = nextLook(report, database.clock.now(), isLost);
        await payments.postpone(report, { nextAt, height: report.height ?? height, isExpired: isLost });
      }
    }
    return false;
  }

  /** Asks for the status of all wallets' reports in one call. The watcher's own reports need no check. */
  async #thoseOnChain(reports: readonly PaymentReport[]): Promise<ReadonlySet<string>> {
    const said = [...new Set(reports.filter(({ wallet }) => wallet !== null).map(({ signature }) => signature))];
    const statuses = await this.#context.chain.statusesOf(said);
    return new Set(said.filter((_, at) => statuses[at]));
  }

  /** Returns whether the report is done. */
  async #settleReport(offer: FeatureOffer, report: PaymentReport, there: ReadonlySet<string>): Promise<boolean> {
    const { chain, database, log } = this.#context;
    if (report.wallet === null || there.has(report.signature)) {
      const settlement = await settlePayment(this.#context, chain, offer, report.signature);
      if (settlement.kind === 'settled') {
        const { _id, state, payer, baseUnits, reason } = settlement.payment;
        log.info({ signature: _id, state, payer, baseUnits, reason }, 'a payment was settled');
      }
      if (settlement.kind !== 'pending') return true;
      if (report.wallet === null) return false;
    }
    return database.clock.now().getTime() - report.reportedAt.getTime() > REPORT_KEPT_MS;
  }

  async #applyRest(): Promise<void> {
    for (const payment of await this.#context.featuring.payments.findUnapplied()) {
      await applyPayment(this.#context, payment).catch((error: unknown) => {
        this.#context.log.error({ err: error, signature: payment._id }, 'a payment could not be applied yet');
      });
    }
  }

  /** Marks final payments, and drops those that the chain has dropped. */
  async #finalize(): Promise<void> {
    const { featuring, chain, database } = this.#context;
    const { payments } = featuring;
    const open = await payments.findUnfinalized();
    if (open.length === 0) return;
    const statuses = await chain.statusesOf(open.map(({ _id }) => _id));
    const now = database.clock.now();
    // A payment that was missing is checked again below first.
    const isFinal = ({ missingSince }: PaymentDocument, index: number) =>
      missingSince === null && statuses[index]?.confirmationStatus === 'finalized' && statuses[index]?.err === null;
    await payments.markFinalized(
      open.filter(isFinal).map(({ _id }) => _id),
      now,
    );
    for (const [index, payment] of open.entries()) {
      const status = statuses[index];
      if (status && status.err === null) {
        if (payment.missingSince) await this.#found(payment);
      } else if (!payment.missingSince) {
        await payments.setMissing(payment._id, now);
      } else if (now.getTime() - payment.missingSince.getTime() >= this.#timing.missingMs) {
        await this.#drop(payment);
      }
    }
  }

  /**
   * The payment is on the chain after all. If dropping it had begun, for example before a crash, its post is featured
   * again.
   */
  async #found(payment: PaymentDocument): Promise<void> {
    const { payments } = this.#context.featuring;
    if (payment.state === 'applied') await payments.reopen(payment._id);
    await payments.setMissing(payment._id, null);
  }

  async #drop(payment: PaymentDocument): Promise<void> {
    const { posts, featuring, chain, database, log } = this.#context;
    const { payments } = featuring;
    const { _id: signature, post, payer } = payment;
    if (!(await chain.isAbsent({ signature, slot: payment.slot }))) return;
    // If the payment lands again, only this report will find it: the cursor has passed its row, and the payer's page
    // may be closed.
    await payments.report({ ...BY_WATCHER, signature, post, reportedAt: database.clock.now() });
    if (post) await posts.store.unfeatureForPayment(post, signature);
    await payments.markDropped(signature);
    log.error({ signature, payer }, 'the chain took back a payment');
  }
}

/** Whether the memos of a history row contain one of ours. Nodes show each memo as `[length] text`. */
export function namesPost(memo: string | null): boolean {
  const memos = memo?.split('; ') ?? [];
  return memos.some((one) => parseFeatureMemo(one.replace(/^\[\d+\] /, '')) !== null);
}
