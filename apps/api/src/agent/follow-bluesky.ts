import { LeasedLoop } from '../background/leased-loop.ts';
import type { Base } from '../base.ts';
import type { Jetstream } from '../sources/bluesky/jetstream.ts';
import type { StreamHint } from '../sources/bluesky/jetstream-event.ts';
import type { AgentStore } from './agent-store.ts';
import { type HintNeeds, heedHints } from './heed-hints.ts';

export interface FollowNeeds extends HintNeeds, Pick<Base, 'database' | 'log'> {
  agents: AgentStore;
}

const TICK_MS = 1_000;
/** The most authors that Jetstream accepts for one connection. */
const MOST_AUTHORS = 10_000;
/**
 * Pause between two reads of the authors. It is at least `AUTHORS_SHARE` times the duration of a read, so that reads
 * take at most a fiftieth of the time.
 */
const AUTHORS_MS = 2_000;
const AUTHORS_SHARE = 50;
/** Jetstream keeps events for at least a day. */
const KEPT_US = 86_400_000_000;

/**
 * Follows the authors of kept posts on Bluesky, in one process at a time, and schedules looks at the posts that an
 * event may concern.
 */
export class BlueskyFollower extends LeasedLoop {
  readonly #needs: FollowNeeds;
  readonly #stream: Jetstream;
  readonly #authorsMs: number;
  #authors: ReadonlySet<string> = new Set();
  #askAuthorsAt = 0;
  #isResting = false;
  /** The position that the last connection began at; null once the check for a gap is done. */
  #from: number | null = null;
  #toldOf: number | null = null;

  constructor(needs: FollowNeeds, stream: Jetstream, authorsMs: number = AUTHORS_MS) {
    super(needs, { name: 'follow-bluesky', tickMs: TICK_MS });
    this.#needs = needs;
    this.#stream = stream;
    this.#authorsMs = authorsMs;
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.#stream.close();
  }

  protected steps() {
    return [() => this.#listen(), () => heedHints(this.#needs, this.signal)];
  }

  async #listen(): Promise<boolean> {
    const { agents, database, hints } = this.#needs;
    await this.#readAuthors();
    // With an empty list, Jetstream would send the events of all accounts.
    if (this.#authors.size === 0) return this.#rest();
    this.#isResting = false;
    if (this.#stream.isDue) {
      this.#from = await agents.streamPosition('bluesky');
      this.#stream.connect(this.#authors, this.#from);
    }
    this.#stream.want(this.#authors);
    this.#tellGap();
    const { hints: told, position } = this.#stream.take();
    try {
      await hints.add(await this.#ofKept(told), database.clock.now());
    } catch (error) {
      // The new connection delivers the hints again that were not stored.
      this.#stream.fail(error as Error);
      throw error;
    }
    // Moved only after the hints are stored. If the process dies before, it receives them again; storing them is
    // idempotent.
    if (position !== null) await agents.moveStream('bluesky', position);
    return told.length > 0;
  }

  async #rest(): Promise<boolean> {
    this.#stream.close();
    if (!this.#isResting) await this.#needs.agents.endStream('bluesky');
    this.#isResting = true;
    return false;
  }

  async #readAuthors(): Promise<void> {
    const startedAt = performance.now();
    if (startedAt < this.#askAuthorsAt) return;
    this.#authors = await this.#needs.posts.followed.authors(MOST_AUTHORS);
    const endedAt = performance.now();
    this.#askAuthorsAt = endedAt + Math.max(this.#authorsMs, (endedAt - startedAt) * AUTHORS_SHARE);
  }

  /** Drops hints about posts that are not kept here, which are most. */
  async #ofKept(told: readonly StreamHint[]): Promise<StreamHint[]> {
    if (told.length === 0) return [];
    const { followed } = this.#needs.posts;
    const idsOf = (isBack: boolean) => told.flatMap(({ id, says }) => (id && (says === 'back') === isBack ? [id] : []));
    const [shown, away] = [await followed.among(idsOf(false), 'shown'), await followed.among(idsOf(true), 'away')];
    return told.filter(({ id, says }) => id === null || (says === 'back' ? away : shown).has(id));
  }

  #tellGap(): void {
    const from = this.#from;
    if (from === null || !this.#stream.isOpen) return;
    this.#from = null;
    const now = this.#needs.database.clock.now();
    if (from === this.#toldOf || now.getTime() * 1000 - from < KEPT_US) return;
    this.#toldOf = from;
    const sentence = 'more was missed of Bluesky’s stream than it still tells of';
    this.#needs.log.error({ platform: 'bluesky', alarm: 'stream gap', since: new Date(from / 1000) }, sentence);
  }
}
