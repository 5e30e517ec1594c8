import { LeasedLoop } from '../background/leased-loop.ts';
import type { Account } from '../sources/account.ts';
import { Patience } from '../sources/patience.ts';
import { agentLease } from './agent-store.ts';
import { type ReplyNeeds, sendReplies } from './send-replies.ts';
import { type MentionNeeds, takeMentions } from './take-mentions.ts';

/** Pause between two checks for requests and replies. */
const TICK_MS = 1_000;

/** The agent on one platform. One process at a time is active; if it dies, another one takes over. */
export class PlatformAgent extends LeasedLoop {
  readonly #needs: MentionNeeds & ReplyNeeds;
  readonly #account: Account;
  /** Pauses reads of mentions after a failure. Failed replies have their own pauses. */
  readonly #patience = new Patience();

  constructor(needs: MentionNeeds & ReplyNeeds, account: Account, tickMs: number = TICK_MS) {
    super(needs, { name: agentLease(account.platform), tickMs });
    this.#needs = needs;
    this.#account = account;
  }

  protected steps() {
    return [() => this.#takeMentions(), () => sendReplies(this.#needs, this.#account, this.signal)];
  }

  async #takeMentions(): Promise<boolean> {
    if (this.#patience.waitsUntil) return false;
    return (await this.#patience.watch(() => takeMentions(this.#needs, this.#account, this.signal))) > 0;
  }
}
