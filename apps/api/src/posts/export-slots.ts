import { EXPORTS_AT_ONCE } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { Shares } from '../clients.ts';
import { type Asker, QuestionQueue } from '../question-queue.ts';

/** Each kind has places of its own: visitors' exports keep no mirror waiting, and neither keeps people from their own data. */
const PLACES = { list: EXPORTS_AT_ONCE, mirror: 2, own: 2 };
/** Exports of one kind that are open: those that wait for their readers take no place, and memory alone. */
const OPEN = { all: 32, network: 1, prefix: 1 };
/** A part takes a fraction of a second. An export whose next part waits longer is broken off. */
const LONGEST_WAIT_MS = 30_000;

export type ExportKind = keyof typeof PLACES;

type Make = () => AsyncIterable<string>;

/** The exports under way in this process, one of each network. Those of one kind take turns part by part: the network that used least goes first. */
export class ExportSlots {
  readonly #kinds = Object.fromEntries(
    Object.entries(PLACES).map(([kind, places]) => [
      kind,
      {
        shares: new Shares(OPEN),
        parts: new QuestionQueue(new Array(places).fill(null), { longestWaitMs: LONGEST_WAIT_MS }),
      },
    ]),
  ) as Record<ExportKind, { shares: Shares; parts: QuestionQueue<null> }>;

  /**
   * A slot of an export, in which what is made is sent part by part in turns.
   *
   * @throws AppError rate_limited where the client or its network has one under way, or too many are open
   */
  of(kind: ExportKind, asker: Asker) {
    const { shares, parts } = this.#kinds[kind];
    return async (make: Make, send: (make: Make) => Promise<void>): Promise<void> => {
      const end = shares.take(asker.client);
      if (typeof end === 'string') throw refused(end);
      try {
        await send(() => inTurns(make(), parts, asker));
      } finally {
        end();
      }
    };
  }
}

/** Each part waits for its turn. So a reader that is fast, or starts again, delays the others by one part at most. */
async function* inTurns(
  whole: AsyncIterable<string>,
  turns: QuestionQueue<null>,
  asker: Asker,
): AsyncGenerator<string> {
  const parts = whole[Symbol.asyncIterator]();
  try {
    for (;;) {
      const part = await turns.ask(() => parts.next(), asker);
      if (part.done) return;
      yield part.value;
    }
  } finally {
    await parts.return?.();
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
