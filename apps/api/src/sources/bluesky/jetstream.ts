import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { readStreamEvent, type StreamHint } from './jetstream-event.ts';

/** Of a message that is read. A post has some thousand bytes, and of a deletion only its name is told. */
const READ_BYTES = 65_536;
/** Of a message that may come at all: more than any record may have. */
const MESSAGE_BYTES = 4_000_000;
/** That wait to be taken; while there are so many, nothing more is read. */
const WAITING = 1_000;
const BEAT_MS = 10_000;
/** A stream that is heard no more, or whose events nobody takes, is left. */
const SILENCE_MS = 30_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** A connection that has lasted so long did not fail. */
const LASTING_MS = 60_000;
/** What was told before it is told again; another server of the same stream may be a little ahead. */
const OVERLAP_US = 5_000_000;
/** By how much a stream may be behind the network, and its clock beside ours. */
const BEHIND_US = 60_000_000;

interface JetstreamNeeds {
  url: string;
  openSocket: (address: string, limits: { maxBytes: number }) => WebSocket;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds since 1970. */
  now: () => number;
  beatMs?: number;
}

export interface Taken {
  /** Oldest first. */
  hints: StreamHint[];
  /** Up to where all that matters has been taken, in microseconds since 1970; null where that is not known. */
  position: number | null;
}

interface Connection {
  socket: WebSocket;
  wanted: ReadonlySet<string>;
  waiting: StreamHint[];
  /** Of the latest event. */
  at: number | null;
  startedAt: number;
  /** When it was last known to be there. */
  heardAt: number;
  /** From when on it tells what happens, not what was missed. */
  liveAt: number;
  takenAt: number;
  beat: NodeJS.Timeout;
}

/** Jetstream: what some accounts of Bluesky do, as it happens. Connects by itself again, ever more seldom where that fails. */
export class Jetstream {
  readonly #needs: JetstreamNeeds;
  #connection: Connection | null = null;
  #failures = 0;
  #waitsUntil = 0;

  constructor(needs: JetstreamNeeds) {
    this.#needs = needs;
  }

  get isOpen(): boolean {
    const socket = this.#connection?.socket;
    return socket !== undefined && socket.readyState === socket.OPEN;
  }

  /** Whether it wants to be connected now: it is not, and its last failure is long enough ago. */
  get isDue(): boolean {
    return !this.#connection && this.#needs.now() >= this.#waitsUntil;
  }

  /** Connects, to go on from `position` (microseconds since 1970), or where that is null from now. */
  connect(wanted: ReadonlySet<string>, position: number | null): void {
    const { beatMs = BEAT_MS, now, openSocket, url } = this.#needs;
    const address = new URL('/subscribe', url);
    // Whom it is about would not fit into the address: it is sent as soon as it is open, and nothing comes before that.
    address.searchParams.set('requireHello', 'true');
    if (position !== null) address.searchParams.set('cursor', String(Math.max(0, position - OVERLAP_US)));
    let socket: WebSocket;
    try {
      socket = openSocket(address.href, { maxBytes: MESSAGE_BYTES });
    } catch (error) {
      this.#wait(error);
      return;
    }
    const at = now();
    const beat = setInterval(() => this.#beat(connection), beatMs);
    beat.unref();
    const connection: Connection = {
      socket,
      wanted,
      waiting: [],
      at: null,
      startedAt: at,
      heardAt: at,
      liveAt: position === null ? at : caughtUpAt(at, position),
      takenAt: at,
      beat,
    };
    this.#connection = connection;
    socket.on('open', () => send(connection));
    socket.on('pong', () => {
      connection.heardAt = now();
    });
    socket.on('message', (data, isBinary) => this.#read(connection, data as Buffer, isBinary));
    socket.on('error', (error) => this.#end(connection, error));
    socket.on('close', (code) => this.#end(connection, new Error(`the stream was closed: ${code}`)));
  }

  /** Says who is wanted from now on, where that has changed. */
  want(wanted: ReadonlySet<string>): void {
    const connection = this.#connection;
    if (!connection || isSame(connection.wanted, wanted)) return;
    connection.wanted = wanted;
    if (connection.socket.readyState === connection.socket.OPEN) send(connection);
  }

  /** What has come since the last time. */
  take(): Taken {
    const connection = this.#connection;
    if (!connection) return { hints: [], position: null };
    const { at, heardAt, liveAt, socket, waiting: hints } = connection;
    const now = this.#needs.now();
    connection.takenAt = now;
    connection.waiting = [];
    if (socket.isPaused) socket.resume();
    // Where nothing happens nothing is told: that it is there, and up to date, says as much.
    const isQuiet = socket.readyState === socket.OPEN && heardAt >= liveAt;
    const position = Math.max(at ?? 0, isQuiet ? heardAt * 1000 - BEHIND_US : 0);
    return { hints, position: position > 0 ? Math.min(position, now * 1000) : null };
  }

  /** Leaves it because of `error`, and connects again as after any trouble. */
  fail(error: Error): void {
    if (this.#connection) this.#end(this.#connection, error);
  }

  close(): void {
    const connection = this.#connection;
    this.#connection = null;
    if (!connection) return;
    clearInterval(connection.beat);
    connection.socket.terminate();
  }

  #read(connection: Connection, data: Buffer, isBinary: boolean): void {
    const now = this.#needs.now();
    connection.heardAt = now;
    if (isBinary || data.length > READ_BYTES) return;
    const event = readStreamEvent(data.toString());
    // What is not to be yet would move the position past what is.
    if (!event || !connection.wanted.has(event.did) || event.at > now * 1000 + BEHIND_US) return;
    connection.at = Math.max(connection.at ?? 0, event.at);
    const isLive = event.at >= now * 1000 - BEHIND_US;
    connection.liveAt = isLive ? Math.min(connection.liveAt, now) : caughtUpAt(now, event.at);
    if (!event.hint) return;
    connection.waiting.push(event.hint);
    if (connection.waiting.length >= WAITING) connection.socket.pause();
  }

  #beat(connection: Connection): void {
    const { heardAt, socket, takenAt } = connection;
    const since = this.#needs.now() - SILENCE_MS;
    if (takenAt < since) this.close();
    else if (heardAt < since && !socket.isPaused) this.#end(connection, new Error('the stream is silent'));
    else if (socket.readyState === socket.OPEN) socket.ping();
  }

  #end(connection: Connection, error: Error): void {
    if (this.#connection !== connection) return;
    this.close();
    if (this.#needs.now() - connection.startedAt >= LASTING_MS) this.#failures = 0;
    this.#wait(error);
  }

  /** Longer each time, and not all at once. */
  #wait(error: unknown): void {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#failures++, 20));
    this.#waitsUntil = this.#needs.now() + wait / 2 + Math.random() * (wait / 2);
    this.#needs.log.warn({ err: error }, 'deletions on Bluesky are not followed now; trying again');
  }
}

/** Of a stream that tells at `now` what happened at `position`: read at twice that speed, it is live after as long as it is behind. */
function caughtUpAt(now: number, position: number): number {
  return now + Math.max(0, now - position / 1000);
}

function send({ socket, wanted }: Connection): void {
  const payload = {
    wantedCollections: ['app.bsky.feed.post'],
    wantedDids: [...wanted],
    maxMessageSizeBytes: READ_BYTES,
  };
  socket.send(JSON.stringify({ type: 'options_update', payload }));
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one === other || (one.size === other.size && [...one].every((did) => other.has(did)));
}
