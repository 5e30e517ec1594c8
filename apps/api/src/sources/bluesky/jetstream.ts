import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { readStreamEvent, type StreamHint } from './jetstream-event.ts';

/** Largest message that is parsed, in bytes. A post has some thousand bytes, and a deletion only a key. */
const READ_BYTES = 65_536;
/** Largest message that the socket accepts, in bytes; more than any record may have. */
const MESSAGE_BYTES = 4_000_000;
/** Most hints waiting for `take`; at this number the socket is paused. */
const WAITING = 1_000;
const BEAT_MS = 10_000;
/** A stream that is silent for this long is closed, and also one whose hints are not taken for this long. */
const SILENCE_MS = 30_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** A connection that lasted this long does not count as a failure. */
const LASTING_MS = 60_000;
/** How far before the position a new connection begins, since another server of the stream may be a little ahead. */
const OVERLAP_US = 5_000_000;
/** How far the stream may lag behind the network, and how far its clock may differ from ours. */
const BEHIND_US = 60_000_000;

interface JetstreamNeeds {
  url: string;
  openSocket: (address: string, limits: { maxBytes: number }) => WebSocket;
  log: Pick<Logger, 'warn'>;
  /** Returns milliseconds since 1970. */
  now: () => number;
  beatMs?: number;
}

export interface Taken {
  /** Oldest first. */
  hints: StreamHint[];
  /** All hints up to here have been taken, in microseconds since 1970; null if that is unknown. */
  position: number | null;
}

interface Connection {
  socket: WebSocket;
  wanted: ReadonlySet<string>;
  waiting: StreamHint[];
  /** Time of the latest event, in microseconds since 1970. */
  at: number | null;
  startedAt: number;
  /** When the connection last showed a sign of life. */
  heardAt: number;
  /** From this time on the stream delivers live events, not missed ones. */
  liveAt: number;
  takenAt: number;
  beat: NodeJS.Timeout;
}

/**
 * A Jetstream connection: live events of selected Bluesky accounts. After a failure the next connection waits longer
 * each time.
 */
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

  /** Whether to connect now: there is no connection, and the wait after the last failure is over. */
  get isDue(): boolean {
    return !this.#connection && this.#needs.now() >= this.#waitsUntil;
  }

  /** Connects and continues from `position` (microseconds since 1970), or from now if it is null. */
  connect(wanted: ReadonlySet<string>, position: number | null): void {
    const { beatMs = BEAT_MS, now, openSocket, url } = this.#needs;
    const address = new URL('/subscribe', url);
    // The list of DIDs is too long for the address, so it is sent after the connection opens. Until then the server
    // sends no events.
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

  /** Sends the wanted accounts if they have changed. */
  want(wanted: ReadonlySet<string>): void {
    const connection = this.#connection;
    if (!connection || isSame(connection.wanted, wanted)) return;
    connection.wanted = wanted;
    if (connection.socket.readyState === connection.socket.OPEN) send(connection);
  }

  /** The hints since the last call. */
  take(): Taken {
    const connection = this.#connection;
    if (!connection) return { hints: [], position: null };
    const { at, heardAt, liveAt, socket, waiting: hints } = connection;
    const now = this.#needs.now();
    connection.takenAt = now;
    connection.waiting = [];
    if (socket.isPaused) socket.resume();
    // Without events there is no position. A live and open connection proves that nothing was missed.
    const isQuiet = socket.readyState === socket.OPEN && heardAt >= liveAt;
    const position = Math.max(at ?? 0, isQuiet ? heardAt * 1000 - BEHIND_US : 0);
    return { hints, position: position > 0 ? Math.min(position, now * 1000) : null };
  }

  /** Closes the connection because of `error` and schedules a new one, as after any failure. */
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
    // An event from the future would move the position past events still to come.
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

  /** Doubles the wait after each failure and adds jitter. */
  #wait(error: unknown): void {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#failures++, 20));
    this.#waitsUntil = this.#needs.now() + wait / 2 + Math.random() * (wait / 2);
    this.#needs.log.warn({ err: error }, 'deletions on Bluesky are not followed now; trying again');
  }
}

/**
 * When a stream that is at `position` at time `now` will be live, if it delivers missed events at twice the live speed.
 */
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
