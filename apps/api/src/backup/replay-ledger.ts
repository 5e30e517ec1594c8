import type { CreditReason } from '@archive/contracts';
import type { Document } from 'mongodb';
import { AgentKeyStore } from '../accounts/agent-key-store.ts';
import type { Base } from '../base.ts';
import { isDuplicateKey } from '../db/database.ts';
import type { CreditUse, PaymentDocument } from '../featuring/payment-document.ts';
import { PaymentStore } from '../featuring/payment-store.ts';
import { applyPayment } from '../featuring/settle-payment.ts';
import { completeUse } from '../featuring/spend-credits.ts';
import type { LaunchDocument } from '../launches/launch-document.ts';
import { LaunchStore } from '../launches/launch-store.ts';
import { OptOutStore } from '../launches/opt-out-store.ts';
import type { KeptEntry, LedgerEntry } from '../ledger/ledger-entry.ts';
import { PostStore } from '../posts/post-store.ts';
import { RestoredPostStore } from '../posts/restored-post-store.ts';

type Context = Pick<Base, 'database' | 'ledger'>;

/** How many entries of each kind were gone through. */
export type Replayed = Partial<Record<LedgerEntry['kind'], number>>;

const INTERRUPTED = 'The launch was interrupted by a restore before anything was sent. Please try again.';
const QUIET = { record: () => Promise.resolve() };

/**
 * Does again what the ledger tells, in its order. All of it may be known to the database already, or some: an act that is
 * there is left as it is, so doing it again changes nothing. What it cannot tell, the chain is asked before launches and
 * payments are open again.
 */
export async function replayLedger(context: Context, entries: readonly KeptEntry[]): Promise<Replayed> {
  const replay = new Replay(context);
  const replayed: Replayed = {};
  for (const entry of entries) {
    await replay.take(entry);
    replayed[entry.kind] = (replayed[entry.kind] ?? 0) + 1;
  }
  await replay.finish();
  return replayed;
}

class Replay {
  readonly #context: Context;
  readonly #posts: RestoredPostStore;
  readonly #launches: LaunchStore;
  readonly #payments: PaymentStore;
  readonly #optOuts: OptOutStore;
  readonly #keys: AgentKeyStore;

  constructor(context: Context) {
    const { db } = context.database;
    this.#context = context;
    this.#posts = new RestoredPostStore(db);
    this.#launches = new LaunchStore(db);
    this.#payments = new PaymentStore(db);
    // What is read from the ledger is not written to it again.
    this.#optOuts = new OptOutStore(db, QUIET);
    this.#keys = new AgentKeyStore(db);
  }

  async take(entry: KeptEntry): Promise<void> {
    switch (entry.kind) {
      case 'removal':
        return this.#posts.removeAgain(entry);
      case 'opt-out':
        return void (await this.#optOuts.add(entry.handle, entry.at));
      case 'opt-in':
        return void (await this.#optOuts.remove(entry.handle));
      case 'launch':
        return this.#putLaunchBack(entry.launch as LaunchDocument, entry.post);
      case 'payment':
        return this.#keepPayment(entry.payment as PaymentDocument);
      case 'credit':
        return void (await this.#payments.markCredit(entry.payment, entry.reason as CreditReason));
      case 'use':
        return this.#keepUse(entry.use as CreditUse);
      case 'use-released':
        return void (await this.#moveUse(entry.use, ['claiming', 'applying'], 'releasing'));
      case 'refund':
        return void (await this.#payments.holdForRefund(entry.payment, entry.use));
      case 'refund-undone':
        return void (await this.#payments.undoRefund(entry.payment, entry.use));
      case 'key-revoked':
        return void (await this.#keys.revoke(entry.key));
      default:
        // Of a later version: passing over it would undo an act.
        throw new Error(`the ledger tells of "${(entry as { kind: string }).kind}", which this version does not know`);
    }
  }

  /** Once all of it is there: what was decided takes effect, in the order in which it was. */
  async finish(): Promise<void> {
    const { database, ledger } = this.#context;
    await this.#launches.releaseClaims(INTERRUPTED, database.clock.now());
    const context = {
      database,
      ledger,
      posts: { store: new PostStore(database.db, database.clock, undefined, ledger) },
      featuring: { payments: this.#payments },
    };
    for await (const batch of this.#launches.walkWorded()) {
      await this.#launches.forgetWords(await context.posts.store.findRemoved(batch));
    }
    const payments = await this.#payments.payments.find({ state: 'confirmed' }).toArray();
    const uses = await this.#payments.uses.find({ state: { $in: ['applying', 'applied'] } }).toArray();
    const acts = [
      ...payments.map((payment) => ({ at: payment.createdAt, run: () => applyPayment(context, payment) })),
      ...uses.map((use) => ({ at: use.changedAt, run: () => this.#complete(context, use) })),
    ];
    acts.sort((one, other) => one.at.getTime() - other.at.getTime());
    for (const { run } of acts) await run();
  }

  /** With its post; that a token is there is the chain's to say, and marked then. */
  async #putLaunchBack(launch: LaunchDocument, post: Document): Promise<void> {
    await this.#posts.putBack(post);
    if (await this.#launches.putBack(launch)) await this.#posts.unmarkLaunched(launch._id);
  }

  async #keepPayment(payment: PaymentDocument): Promise<void> {
    await this.#payments.payments.insertOne(payment).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }

  async #keepUse(use: CreditUse): Promise<void> {
    const applying: CreditUse = { ...use, state: 'applying' };
    try {
      await this.#payments.uses.insertOne(applying);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await this.#moveUse(use._id, ['claiming'], 'applying');
    }
  }

  #moveUse(_id: string, from: CreditUse['state'][], state: CreditUse['state']): Promise<unknown> {
    return this.#payments.uses.updateOne({ _id, state: { $in: from } }, { $set: { state } });
  }

  /** Takes its credits, where they are not marked yet; one that cannot have all of them is given back. */
  async #complete(context: Parameters<typeof completeUse>[0], use: CreditUse): Promise<void> {
    const { payments } = this.#payments;
    const { _id, wallet: payer, credits } = use;
    await payments.updateMany({ _id: { $in: credits }, payer, state: 'credit', use: null }, { $set: { use: _id } });
    const held = await payments.countDocuments({ _id: { $in: credits }, use: _id });
    if (held === credits.length) await completeUse(context, use);
    else await this.#moveUse(_id, ['applying'], 'releasing');
  }
}
