import { EXPORTS_AT_ONCE } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { type Client, Shares } from '../clients.ts';

/** Each kind has places of its own: visitors' exports keep no mirror waiting, and neither keeps people from their own data. */
const PLACES = { list: EXPORTS_AT_ONCE, mirror: 2, own: 2 };

export type ExportKind = keyof typeof PLACES;

/** The exports under way in this process: a few of each kind, and one of a network. */
export class ExportSlots {
  readonly #shares = Object.fromEntries(
    Object.entries(PLACES).map(([kind, all]) => [kind, new Shares({ all, network: 1, prefix: 1 })]),
  ) as Record<ExportKind, Shares>;

  /** @throws AppError rate_limited where the client or its network has one under way, or as many as allowed are. */
  async run(kind: ExportKind, client: Client, work: () => Promise<void>): Promise<void> {
    const end = this.#shares[kind].take(client);
    if (typeof end === 'string') {
      throw new AppError('rate_limited', REFUSALS[end], { headers: { 'Retry-After': '10' } });
    }
    try {
      await work();
    } finally {
      end();
    }
  }
}

const REFUSALS = {
  prefix: 'Your last export is still under way. Please try again when it has ended.',
  network: 'Another export for your network is under way. Please try again when it has ended.',
  all: 'Too many exports are under way. Please try again in a moment.',
};
