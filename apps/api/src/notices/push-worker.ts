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
/** At once; one that does not answer holds a place for ten seconds. */
const SENDERS = 8;
/** Of one round: what is left is claimed in the next. */
const MESSAGES = 2_000;
const VERSIONS_KEPT = 100_000;
/** Before each further try. */
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
    const work = async () => {
      while (left-- > 0 && !this.signal.aborted) {
        const push = await this.#context.pushes.claim(new Date(this.#context.now()));
        if (!push) return;
        await this.#sendOne(push);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, work));
  }

  async #sendOne({ _id, browser: id, wallet, message, tries, endsAt }: PushDocument): Promise<void> {
    const { accounts, pushes, now } = this.#context;
    const browser = await accounts.browsers.find(id);
    // Signed out, turned off, or somebody else's by now.
    if (!browser || browser.wallet !== wallet || browser.key !== this.#keys.publicKey) return pushes.dropOf(id, wallet);
    if (endsAt.getTime() <= now()) return pushes.end(_id);
    const outcome = await sendPush(this.#context, this.#keys, { browser, message, signal: this.signal });
    tell('push', { outcome: outcome.state });
    if (outcome.state === 'gone') {
      await accounts.browsers.drop(id, wallet);
      return pushes.dropOf(id, wallet);
    }
    const wait = WAITS_MS[tries - 1];
    if (outcome.state === 'later' && wait !== undefined) {
      return pushes.putOff(_id, new Date(now() + Math.max(wait, outcome.afterMs)));
    }
    await pushes.end(_id);
    await accounts.browsers.count(id, outcome.state === 'taken');
  }
}
