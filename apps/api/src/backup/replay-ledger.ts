import type { CreditReason } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import { AgentKeyStore } from '../accounts/agent-key-store.ts';
import { type AuthorWish, AuthorWishStore } from '../authors/author-wish-store.ts';
import type { Base } from '../base.ts';
import { isDuplicateKey } from '../db/database.ts';
import type { CreditUse, PaymentDocument } from '../featuring/payment-document.ts';
import { PaymentStore } from '../featuring/payment-store.ts';
import { type ApplyNeeds, applyPayment } from '../featuring/settle-payment.ts';
import { completeUse, finishUse, giveBack } from '../featuring/spend-credits.ts';
import type { LaunchDocument } from '../launches/launch-document.ts';
import { LaunchStore } from '../launches/launch-store.ts';
import { OptOutStore } from '../launches/opt-out-store.ts';
import type { KeptEntry, LedgerEntry } from '../ledger/ledger-entry.ts';
import { MediaStore } from '../media/media-store.ts';
import { OperatorStore } from '../operators/operator-store.ts';
import { createStops, type Stops } from '../operators/operators.ts';
import type { StopStore } from '../operators/stop-store.ts';
import { KeptOfWallets } from '../people/kept-of-wallets.ts';
import { PostChanges } from '../posts/post-changes.ts';
import { isRemoved } from '../posts/post-document.ts';
import { PostStore } from '../posts/post-store.ts';
import { PostsOfKey } from '../posts/posts-of-key.ts';
import { RestoredPostStore } from '../posts/restored-post-store.ts';
import { SealedPostStore } from '../posts/sealed-post-store.ts';

type Context = Pick<Base, 'database' | 'ledger'>;

export interface Replayed {
  /** Number of replayed entries by kind. */
  counts: Partial<Record<LedgerEntry['kind'], number>>;
  /** Messages about credits that were refunded by hand and cannot be held. */
  unheld: string[];
  /** New decisions, to be written to the ledger. */
  decided: LedgerEntry[];
}

const INTERRUPTED = 'The launch was interrupted by a restore before anything was sent. Please try again.';
const QUIET = { record: () => Promise.resolve() };

/**
 * Entries about the outcome of something are replayed after the entries that create it. All others keep the order of
 * the ledger, although a clock change may have put one process's entries before another's.
 */
const OUTCOMES: ReadonlySet<string> = new Set(['credit', 'use-released']);

/**
 * Repeats the acts in the ledger. The database may already contain all or some of them; replaying is idempotent. What
 * the ledger cannot tell is read from the chain before launches and payments open again.
 */
export async function replayLedger(
  { database }: Pick<Base, 'database'>,
  entries: readonly KeptEntry[],
): Promise<Replayed> {
  const decided: LedgerEntry[] = [];
  const ledger = { record: async (entry: LedgerEntry) => void decided.push(entry) };
  const replay = new Replay({ database, ledger }, entries);
  const counts: Replayed['counts'] = {};
  await replay.begin();
  for (const isOutcome of [false, true]) {
    for (const entry of entries) {
      if (OUTCOMES.has(entry.kind) !== isOutcome) continue;
      await replay.take(entry);
      counts[entry.kind] = (counts[entry.kind] ?? 0) + 1;
    }
  }
  await replay.finish();
  return { counts, unheld: await replay.holdRefunds(), decided };
}

class Replay {
  readonly #context: ApplyNeeds;
  readonly #entries: readonly KeptEntry[];
  readonly #posts: RestoredPostStore;
  readonly #sealed: SealedPostStore;
  readonly #launches: LaunchStore;
  readonly #payments: PaymentStore;
  readonly #optOuts: OptOutStore;
  readonly #keys: AgentKeyStore;
  readonly #wishes: AuthorWishStore;
  readonly #media: MediaStore;
  readonly #stops: Stops;
  readonly #operators: OperatorStore;
  readonly #account: KeptOfWallets;
  /** Payments and uses that were applied, although their posts are gone. */
  readonly #spent = new Set<string>();
  /** Opt-outs that their authors have ended. */
  readonly #ended = new Set<string>();

  constructor({ database, ledger }: Context, entries: readonly KeptEntry[]) {
    const { db } = database;
    this.#entries = entries;
    this.#posts = new RestoredPostStore(db);
    this.#sealed = new SealedPostStore(db, database.clock, new PostChanges(), QUIET);
    this.#launches = new LaunchStore(db);
    this.#payments = new PaymentStore(db);
    // Replayed entries are not written to the ledger again.
    this.#optOuts = new OptOutStore(db, QUIET);
    this.#keys = new AgentKeyStore(db);
    this.#wishes = new AuthorWishStore(db, QUIET);
    this.#media = new MediaStore(db);
    this.#stops = createStops(db);
    this.#operators = new OperatorStore(db);
    const posts = { store: new PostStore(db, database.clock, undefined, ledger) };
    this.#account = new KeptOfWallets(database, posts);
    this.#context = {
      database,
      ledger,
      posts,
      featuring: { payments: this.#payments },
    };
  }

  /**
   * Replays the entries that must come first, because a clock change may have put later ones before them. An opt-in
   * ends only the opt-out that it names, and a dropped alias no longer names a post.
   */
  async begin(): Promise<void> {
    for (const entry of this.#entries) {
      if (entry.kind === 'aliases-dropped') await this.#dropAliases(entry);
      if (entry.kind !== 'opt-in' || !entry.createdAt) continue;
      this.#ended.add(refusalOf(entry.handle, entry.createdAt));
      await this.#optOuts.end(entry.handle, entry.createdAt);
    }
  }

  async take(entry: KeptEntry): Promise<void> {
    switch (entry.kind) {
      case 'removal':
        for (const id of entry.paid ?? []) this.#spent.add(id);
        return this.#posts.removeAgain(entry);
      case 'hidden': {
        await this.#media.seal(entry.post.toHexString(), true);
        if (await this.#sealed.hide(entry.post, entry.hiddenFor)) return;
        return this.#posts.refuseHidden(entry);
      }
      case 'unhidden':
        if (await this.#sealed.unhide(entry.post)) await this.#media.seal(entry.post.toHexString(), false);
        return;
      case 'sealed': {
        const post = await this.#context.posts.store.find(entry.post.toHexString());
        if (!post || isRemoved(post)) return;
        await this.#media.seal(entry.post.toHexString(), true);
        return void (await this.#sealed.seal(post, entry.platform, entry.reason, this.#context.database.clock.now()));
      }
      case 'unsealed':
        await this.#sealed.unseal(entry.post, this.#context.database.clock.now());
        return this.#showMedia(entry.post);
      case 'opt-out': {
        const { handle, createdAt = entry.at } = entry;
        if (!this.#ended.has(refusalOf(handle, createdAt))) await this.#optOuts.add(handle, createdAt);
        return;
      }
      case 'opt-in':
        if (!entry.createdAt) await this.#optOuts.remove(entry.handle);
        return;
      case 'wish':
        return this.#wishes.put(entry.wish as AuthorWish);
      case 'launch':
        await this.#posts.putBack(entry.post);
        return this.#putLaunchBack(entry.launch as LaunchDocument);
      case 'launch-signed': {
        const { ids, fingerprint } = entry.post;
        return this.#putLaunchBack({ ...(entry.launch as LaunchDocument), restored: { ids, fingerprint } });
      }
      case 'payment':
        return this.#keepPayment(entry.payment as PaymentDocument);
      case 'credit':
        return void (await this.#payments.markCredit(entry.payment, entry.reason as CreditReason));
      case 'use':
        return this.#keepUse(entry.use as CreditUse);
      case 'use-released':
        return void (await this.#moveUse(entry.use, ['claiming', 'applying'], 'releasing'));
      case 'switch':
        return this.#stop(this.#stops.switches, entry.name, entry.isStopped, entry.at);
      case 'suspension':
        return this.#stop(this.#stops.wallets, entry.wallet, entry.isSuspended, entry.at);
      case 'audit-head':
        // The audit log is linked to it after the replay.
        return;
      case 'refund':
      case 'refund-undone':
      case 'refund-marked':
      case 'refund-unmarked':
        // Replayed last, when all credits exist and released ones are free.
        return;
      case 'aliases-dropped':
        // Repeated for posts that were put back since `begin`.
        return this.#dropAliases(entry);
      case 'key-revoked':
        return void (await this.#keys.revoke(entry.key));
      case 'moderator-unmade':
        return this.#operators.drop(entry.wallet, entry.unmadeAt);
      case 'account-deleted':
        return this.#account.forget(entry.wallet, entry.deletedAt);
      case 'media-blocked':
        await this.#media.block(entry.sha256, entry.at);
        // The first server that runs deletes the bytes.
        return void (await this.#media.expel(entry.sha256));
      default:
        // An entry of a later version; skipping it would undo an act.
        throw new Error(`the ledger tells of "${(entry as { kind: string }).kind}", which this version does not know`);
    }
  }

  /** Applies payments and uses in the order in which they were made, once all entries are replayed. */
  async finish(): Promise<void> {
    const context = this.#context;
    await this.#launches.releaseClaims(INTERRUPTED, context.database.clock.now());
    for await (const batch of this.#launches.walkWorded()) {
      await this.#launches.forgetWords(await context.posts.store.findRemoved(batch, { isForGood: true }));
    }
    await giveBack(context);
    const payments = await this.#payments.payments.find({ state: 'confirmed' }).toArray();
    const uses = await this.#payments.uses.find({ state: { $in: ['applying', 'applied'] } }).toArray();
    const acts = [
      ...payments.map((payment) => ({ at: payment.createdAt, run: () => this.#apply(payment) })),
      ...uses.map((use) => ({ at: use.changedAt, run: () => this.#complete(use) })),
    ];
    acts.sort((one, other) => one.at.getTime() - other.at.getTime());
    // A use of another use's change must wait for that one, which a clock change may have put after it.
    for (let waiting = acts, before = Number.POSITIVE_INFINITY; waiting.length < before; ) {
      before = waiting.length;
      const left: typeof acts = [];
      for (const act of waiting) if (!(await act.run())) left.push(act);
      waiting = left;
    }
    for (const { _id } of uses) await this.#moveUse(_id, ['applying'], 'releasing');
    await giveBack(context);
  }

  /**
   * Holds every credit that was refunded by hand. Skipped if the refund was undone as often as begun and no transaction
   * is known. Returns messages about credits that cannot be held: these were refunded and could still be used.
   */
  async holdRefunds(): Promise<string[]> {
    const refunds = new Map<string, { payment: string; use: string; begun: number }>();
    for (const entry of this.#entries) {
      if (entry.kind !== 'refund' && entry.kind !== 'refund-undone') continue;
      const { payment, use } = entry;
      const key = `${payment} ${use}`;
      const { begun } = refunds.get(key) ?? { begun: 0 };
      refunds.set(key, { payment, use, begun: begun + (entry.kind === 'refund' ? 1 : -1) });
    }
    const marks = this.#marks();
    const marked = new Set(marks.map(({ payment }) => payment));
    const isHeld = ({ payment, begun }: { payment: string; begun: number }) => begun > 0 || marked.has(payment);
    for (const one of refunds.values()) if (!isHeld(one)) await this.#payments.undoRefund(one.payment, one.use);
    const unheld: string[] = [];
    for (const { payment, use } of [...refunds.values()].filter(isHeld)) {
      if (await this.#payments.holdForRefund(payment, use)) continue;
      const kept = await this.#payments.find(payment);
      if (kept?.state === 'credit' && kept.use?.startsWith('refunded:')) continue;
      const why = !kept ? 'it is not there' : kept.use ? `${kept.use} has taken it` : `it is ${kept.state}`;
      unheld.push(`The credit ${payment} was paid back (${use}) and cannot be held, since ${why}.`);
    }
    for (const { payment, refund } of marks) await this.#payments.markRefund(payment, refund);
    return unheld;
  }

  /** The transactions that refunded credits, without refused ones; the latest first, since that one counts. */
  #marks(): { payment: string; refund: { transaction: string; at: Date } }[] {
    const standing = new Map<string, { payment: string; refund: { transaction: string; at: Date }; begun: number }>();
    for (const entry of this.#entries) {
      if (entry.kind !== 'refund-marked' && entry.kind !== 'refund-unmarked') continue;
      const { payment, refund } = entry;
      const key = `${payment} ${refund.transaction}`;
      const begun = (standing.get(key)?.begun ?? 0) + (entry.kind === 'refund-marked' ? 1 : -1);
      standing.delete(key);
      standing.set(key, { payment, refund, begun });
    }
    return [...standing.values()].filter(({ begun }) => begun > 0).reverse();
  }

  /** Restores a launch as unmarked; it is marked again when the chain shows the token. */
  async #putLaunchBack(launch: LaunchDocument): Promise<void> {
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

  /** A stop that is in this state already keeps its time. */
  async #stop(stops: StopStore, id: string, isStopped: boolean, at: Date): Promise<void> {
    const known = await stops.find(id);
    if ((known?.isStopped ?? false) === isStopped || (known && known.changedAt > at)) return;
    await stops.set(id, isStopped, { by: 'restore', reason: null }, at);
  }

  /** Shows the media if the post is shown again. */
  async #showMedia(_id: ObjectId): Promise<void> {
    const post = await this.#context.posts.store.find(_id.toHexString());
    if (post && !isRemoved(post)) await this.#media.seal(_id.toHexString(), false);
  }

  #dropAliases({ key, ids }: { key: string; ids: readonly string[] }): Promise<void> {
    return new PostsOfKey(this.#context.database.db, key).dropAgain(ids);
  }

  async #apply(payment: PaymentDocument): Promise<boolean> {
    const isSpent = this.#spent.has(payment._id) || (await this.#featuresAside(payment));
    if (isSpent) await this.#payments.markApplied(payment._id);
    else await applyPayment(this.#context, payment);
    return true;
  }

  /** Whether the payment features, or has featured, a post that is kept aside and may come back. */
  async #featuresAside({ _id, post }: PaymentDocument): Promise<boolean> {
    const aside = post && (await this.#sealed.find(post));
    return aside ? aside.featuredPayment === _id || aside.endedPayments?.includes(_id) === true : false;
  }

  /** Takes the credits of a use and features its post. Returns false if not all credits are available. */
  async #complete(use: CreditUse): Promise<boolean> {
    const { payments } = this.#payments;
    const { _id, wallet: payer, credits } = use;
    await payments.updateMany({ _id: { $in: credits }, payer, state: 'credit', use: null }, { $set: { use: _id } });
    const held = await payments.countDocuments({ _id: { $in: credits }, use: _id });
    if (held < credits.length) return false;
    if (use.state === 'applied' || this.#spent.has(_id)) await finishUse(this.#context, use);
    else await completeUse(this.#context, use);
    return true;
  }
}

function refusalOf(handle: string, createdAt: Date): string {
  return `${handle} ${createdAt.getTime()}`;
}
