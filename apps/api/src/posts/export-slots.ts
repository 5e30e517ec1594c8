import { EXPORTS_AT_ONCE } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { Shares } from '../clients.ts';
import { type Asker, QuestionQueue } from '../question-queue.ts';

/**
 * Parts that each kind of export makes at once. The kinds are separate, so that visitors' exports delay neither mirrors
 * nor people's own data.
 */
const PLACES = { list: EXPORTS_AT_ONCE, mirror: 2, own: 2 };
/**
 * Open exports of one kind: in all, of one network and of one prefix. An export that waits for its reader takes memory,
 * but no place.
 */
const OPEN = { all: 32, network: 1, prefix: 1 };
/** Milliseconds. A part takes a fraction of a second; an export whose next part waits longer is aborted. */
const LONGEST_WAIT_MS = 30_000;

export type ExportKind = keyof typeof PLACES;

type Make = () => AsyncIterable<string>;

/**
 * The open exports of this process, one for each network. The exports of one kind take turns part by part; the network
 * with the least use goes first.
 */
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
   * A slot of an export. Within it, `send` receives the parts, each made in its turn.
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

/** Each part waits for its turn. So a fast or restarted reader delays the others by at most one part. */
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
