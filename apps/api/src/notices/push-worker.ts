import { LeasedLoop } from '../background/leased-loop.ts';
import type { Base } from '../base.ts';
import { tell } from '../channels.ts';
import { ownWork } from '../clients.ts';
import type { PushKeys } from '../push-keys.ts';
import { findPushes } from './find-pushes.ts';
import type { NoticeNeeds } from './list-notices.ts';
import type { PushDocument, PushStore } from './push-store.ts';
import { sendPush } from './send-push.ts';

export type PushNeeds = Base & NoticeNeeds & { pushes: PushStore };

const TICK_MS = 10_000;
/** Wallets of a round: of more, each has its turn in a later one. */
const WALLETS = 200;
/** After so long no further question is asked in a round: the lease is no longer, and others ask the index too. */
const FIND_MS = 10_000;
/** At once; one that does not answer holds a place for ten seconds. One of each wallet, and half of them at one host. */
const SENDERS = 8;
const SENDERS_OF_HOST = SENDERS / 2;
/** So long after a round began no further message is claimed: it ends before the next one begins. */
const SEND_MS = 60_000;
/** A message for a host that is busy comes again after so long. */
const BUSY_MS = 1_000;
/** Of one round: what is left is claimed in the next. */
const MESSAGES = 2_000;
const VERSIONS_KEPT = 100_000;
/** A browser that could not be reached is left alone for so long, longer each time. */
const WAITS_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000];

/** Pushes to browsers what their wallets are told: in one process at a time, and after a restart from where it was. */
export class PushWorker extends LeasedLoop {
  readonly #context: PushNeeds;
  readonly #keys: PushKeys;
  /** Of the index, when a wallet was looked after last. */
  readonly #versions = new Map<string, number>();

  constructor(context: PushNeeds, keys: PushKeys) {
    super(context, { name: 'pushes', tickMs: TICK_MS });
    this.#context = context;
    this.#keys = keys;
  }

  protected steps() {
    if (this.#context.posts.follower.progress.phase !== 'ready') return [];
    return [() => this.#find(), () => this.#send()];
  }

  async #find(): Promise<void> {
    const wallets = await this.#context.accounts.browsers.lookNext(this.#keys.publicKey, WALLETS);
    const asker = { client: ownWork('push'), signal: this.signal };
    const endsAt = performance.now() + FIND_MS;
    for (const wallet of wallets) {
      if (this.signal.aborted || performance.now() > endsAt) return;
      const { version } = this.#context.posts.index;
      const hasNewPosts = this.#versions.get(wallet) !== version;
      // What one wallet asks, or is refused, keeps nobody else waiting.
      const isWhole = await findPushes(this.#context, wallet, { asker, hasNewPosts, endsAt }).catch(
        (error: unknown) => {
          this.#context.log.warn({ err: error, wallet }, 'could not look for pushes');
          return false;
        },
      );
      await this.#context.accounts.browsers.markLooked(wallet, new Date(this.#context.now()));
      // Of those that are gone too, so that there is an end to it.
      if (this.#versions.size > VERSIONS_KEPT) this.#versions.clear();
      if (isWhole) this.#versions.set(wallet, version);
      else this.#versions.delete(wallet);
    }
  }

  async #send(): Promise<void> {
    let left = MESSAGES;
    const endsAt = performance.now() + SEND_MS;
    const wallets = new Set<string>();
    const hosts = new Map<string, number>();
    let claiming: Promise<unknown> = Promise.resolve();
    // One after the other: two at once could claim two of one wallet.
    const claim = (): Promise<PushDocument | null> => {
      const next = claiming.then(async () => {
        if (left-- <= 0 || this.signal.aborted || performance.now() > endsAt) return null;
        const push = await this.#context.pushes.claim(new Date(this.#context.now()), [...wallets]);
        if (push) wallets.add(push.wallet);
        return push;
      });
      claiming = next.catch(() => {});
      return next;
    };
    const work = async () => {
      for (let push = await claim(); push; push = await claim()) {
        await this.#sendOne(push, hosts);
        wallets.delete(push.wallet);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, work));
  }

  async #sendOne(push: PushDocument, hosts: Map<string, number>): Promise<void> {
    const { _id, browser: id, wallet, message, tries, endsAt } = push;
    const { accounts, pushes, now } = this.#context;
    const browser = await accounts.browsers.find(id);
    // Signed out, turned off, or somebody else's by now.
    if (!browser || browser.wallet !== wallet || browser.key !== this.#keys.publicKey) return pushes.dropOf(id, wallet);
    if (endsAt.getTime() <= now()) return pushes.end(_id);
    if (browser.awayUntil && browser.awayUntil.getTime() > now()) return pushes.leave(_id, browser.awayUntil);
    const { host } = new URL(browser.endpoint);
    const busy = hosts.get(host) ?? 0;
    if (busy >= SENDERS_OF_HOST) return pushes.leave(_id, new Date(now() + BUSY_MS));
    hosts.set(host, busy + 1);
    const outcome = await sendPush(this.#context, this.#keys, { browser, message, signal: this.signal });
    hosts.set(host, (hosts.get(host) ?? 1) - 1);
    tell('push', { outcome: outcome.state });
    if (outcome.state === 'gone') {
      await accounts.browsers.drop(id, wallet);
      return pushes.dropOf(id, wallet);
    }
    if (outcome.state === 'later') {
      // Of the browser, not of one message: what else waits for it would cost us the same again.
      const wait = WAITS_MS[Math.min(browser.failures, WAITS_MS.length - 1)] ?? 0;
      const awayUntil = new Date(now() + Math.max(wait, outcome.afterMs));
      await accounts.browsers.count(id, false, awayUntil);
      return tries > WAITS_MS.length ? pushes.end(_id) : pushes.putOff(_id, awayUntil);
    }
    await pushes.end(_id);
    await accounts.browsers.count(id, outcome.state === 'taken');
  }
}
