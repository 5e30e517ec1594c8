import type { Base } from '../base.ts';
import { type SourcePlatform, SourceTrouble } from '../sources/source.ts';
import type { Cost, Spending } from '../sources/spending.ts';
import { AgentStore } from './agent-store.ts';

/** What is read at a platform, counted over all processes, up to the operator's limit of a UTC day. */
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

  async requireReads(): Promise<void> {
    const { config, database, log } = this.#needs;
    const now = database.clock.now();
    const { reads } = await this.#agents.spent(this.#platform, now);
    if (reads < config.sources.readsPerDay) return;
    const day = now.toISOString().slice(0, 10);
    if (this.#alarmedOn !== day) {
      const sentence = 'the budget of reads is spent: nothing more is read until the next day (UTC)';
      log.error({ platform: this.#platform, alarm: 'reads spent', reads }, sentence);
    }
    this.#alarmedOn = day;
    const until = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
    throw new SourceTrouble('the budget of reads is spent', { until, isUndone: true });
  }

  async spend(cost: Cost): Promise<void> {
    await this.#agents.spend(this.#platform, this.#needs.database.clock.now(), { ...cost });
  }
}
