import { LeasedLoop } from '../background/leased-loop.ts';
import type { Base } from '../base.ts';
import { ownWork } from '../clients.ts';
import type { PushKeys } from '../push-keys.ts';
import { findPushes } from './find-pushes.ts';
import type { NoticeNeeds } from './list-notices.ts';
import type { PushStore } from './push-store.ts';

export type PushNeeds = Base & NoticeNeeds & { pushes: PushStore };

const TICK_MS = 10_000;
/** Wallets in one round; the others follow in later rounds. */
const WALLETS = 200;
/** Longest time of one round, because its lease ends and others use the index too. */
const FIND_MS = 10_000;
const VERSIONS_KEPT = 100_000;

/**
 * Finds notices to push, in one process at a time. After a restart it continues with the wallets that have waited
 * longest.
 */
export class PushFinder extends LeasedLoop {
  readonly #context: PushNeeds;
  readonly #keys: PushKeys;
  /** The version of the index at the last check of each wallet. */
  readonly #versions = new Map<string, number>();

  constructor(context: PushNeeds, keys: PushKeys) {
    super(context, { name: 'pushes', tickMs: TICK_MS });
    this.#context = context;
    this.#keys = keys;
  }

  protected steps() {
    if (this.#context.posts.follower.progress.phase !== 'ready') return [];
    return [() => this.#find()];
  }

  async #find(): Promise<void> {
    const wallets = await this.#context.accounts.browsers.lookNext(this.#keys.publicKey, WALLETS);
    const asker = { client: ownWork('push'), signal: this.signal };
    const endsAt = performance.now() + FIND_MS;
    for (const wallet of wallets) {
      if (this.signal.aborted || performance.now() > endsAt) return;
      const { version } = this.#context.posts.index;
      const hasNewPosts = this.#versions.get(wallet) !== version;
      // A failure for one wallet does not stop the others.
      const isWhole = await findPushes(this.#context, wallet, { asker, hasNewPosts, endsAt }).catch(
        (error: unknown) => {
          this.#context.log.warn({ err: error, wallet }, 'could not look for pushes');
          return false;
        },
      );
      await this.#context.accounts.browsers.markLooked(wallet, new Date(this.#context.now()));
      // Entries of deleted wallets remain, so the map is cleared at a limit.
      if (this.#versions.size > VERSIONS_KEPT) this.#versions.clear();
      if (isWhole) this.#versions.set(wallet, version);
      else this.#versions.delete(wallet);
    }
  }
}
