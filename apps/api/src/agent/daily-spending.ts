import type { Base } from '../base.ts';
import { type SourcePlatform, SourceTrouble } from '../sources/source.ts';
import { type Cost, LOOKS, ShareSpent, type Spending } from '../sources/spending.ts';
import { AgentStore } from './agent-store.ts';

/** The share of the day's reads for requests to save. The rest is for mentions and for looks at kept posts. */
const SAVES_PART = 0.75;
/** The last share of the day's reads. Requests and looks may not use it. */
const WORDS_PART = 0.1;
/** The share of the day's reads for one payer's requests. */
const PAYER_PART = 0.125;

/** Limits the reads of a platform to the operator's limit for a UTC day, counted over all processes. */
export class DailySpending implements Spending {
  readonly #needs: Pick<Base, 'config' | 'database' | 'log'>;
  readonly #platform: SourcePlatform;
  readonly #agents: AgentStore;
  #alarmedOn = '';

  constructor(needs: Pick<Base, 'config' | 'database' | 'log'>, platform: SourcePlatform) {
    this.#needs = needs;
    this.#platform = platform;
    this.#agents = new AgentStore(needs.database.db);
  }

  async requireReads(payer?: string, most = 1): Promise<void> {
    const { config, database, log } = this.#needs;
    const now = database.clock.now();
    const { reads } = await this.#agents.spent(this.#platform, now);
    const { readsPerDay } = config.sources;
    const day = now.toISOString().slice(0, 10);
    const until = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
    if (reads < readsPerDay) {
      if (payer === undefined) return;
      // The last share is for mentions and for the wishes of authors.
      if (reads + most > readsPerDay * (1 - WORDS_PART)) {
        throw new ShareSpent('the rest of the reads is for mentions', { until, isUndone: true });
      }
      if (payer === LOOKS) return;
      const { all, own } = await this.#agents.spentOnSaves(this.#platform, now, payer);
      if (all < readsPerDay * SAVES_PART && own < readsPerDay * PAYER_PART) return;
      throw new ShareSpent('the share of reads is spent', { until, isUndone: true });
    }
    if (this.#alarmedOn !== day) {
      const sentence = 'the budget of reads is spent: nothing more is read until the next day (UTC)';
      log.error({ platform: this.#platform, alarm: 'reads spent', reads }, sentence);
    }
    this.#alarmedOn = day;
    throw new SourceTrouble('the budget of reads is spent', { until, isUndone: true });
  }

  async spend(cost: Cost, payer?: string): Promise<void> {
    const asker = payer === LOOKS ? undefined : payer;
    await this.#agents.spend(this.#platform, this.#needs.database.clock.now(), { ...cost }, asker);
  }
}
