import { EXPORTS_AT_ONCE } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { type Client, Shares } from '../clients.ts';

/** Each kind has places of its own: visitors' exports keep no mirror waiting, and neither keeps people from their own data. */
const PLACES = { list: EXPORTS_AT_ONCE, mirror: 2, own: 2 };
/** Exports of one kind that are open: those that wait for their readers take no place, and memory alone. */
const OPEN = 32;

export type ExportKind = keyof typeof PLACES;

/** Whether an export waits until its reader has taken what was written. */
export interface Reader {
  readonly writableNeedDrain: boolean;
}

/** The exports under way in this process: a few of each kind at work, and one of a network. */
export class ExportSlots {
  readonly #open = Object.fromEntries(
    Object.keys(PLACES).map((kind) => [
      kind,
      { shares: new Shares({ all: OPEN, network: 1, prefix: 1 }), readers: new Set<Reader>() },
    ]),
  ) as Record<ExportKind, { shares: Shares; readers: Set<Reader> }>;

  /** @throws AppError rate_limited where the client or its network has one under way, or as many as allowed are at work. */
  async run(kind: ExportKind, client: Client, reader: Reader, work: () => Promise<void>): Promise<void> {
    const { shares, readers } = this.#open[kind];
    const end = shares.take(client);
    if (typeof end === 'string') throw refused(end);
    try {
      if ([...readers].filter(({ writableNeedDrain }) => !writableNeedDrain).length >= PLACES[kind])
        throw refused('all');
      readers.add(reader);
      await work();
    } finally {
      readers.delete(reader);
      end();
    }
  }
}

function refused(level: keyof typeof REFUSALS): AppError {
  return new AppError('rate_limited', REFUSALS[level], { headers: { 'Retry-After': '10' } });
}

const REFUSALS = {
  prefix: 'Your last export is still under way. Please try again when it has ended.',
  network: 'Another export for your network is under way. Please try again when it has ended.',
  all: 'Too many exports are under way. Please try again in a moment.',
};
