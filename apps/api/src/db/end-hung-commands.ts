import type { Socket } from 'node:net';
import { type MongoClient, MongoNetworkError } from 'mongodb';

const LOOK_MS = 1_000;

interface Connection {
  closed: boolean;
  error: Error | null;
  socket: Socket;
}

/** As much of the driver's inside as is needed: it offers nothing for this. */
interface Server {
  pool: { checkedOut: ReadonlySet<Connection> };
  monitor: { connection: Connection | null; close(): void; connect(): void } | null;
}

/**
 * Ends what the driver waits for in vain. A command that is sent on a connection which has just ended, of which the driver
 * has not heard, waits for ever and past every limit for the socket to `drain` (mongodb 7.8 and 7.9, `writeCommand`). Where
 * it was the driver's look at its server, the process never finds again a server that was back long ago. Answers what
 * stops this.
 *
 * @param longestCheckMs - how long a look at a server takes at most: one that is still connecting is not to be seen
 */
export function endHungCommands(client: MongoClient, longestCheckMs: number): () => void {
  const checks = new Map<string, number>();
  client.on('serverHeartbeatStarted', ({ connectionId }) => void checks.set(connectionId, performance.now()));
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => void checks.delete(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => void checks.delete(connectionId));
  client.on('serverClosed', ({ address }) => void checks.delete(address));
  const look = () => {
    for (const [address, { pool, monitor }] of serversOf(client)) {
      for (const connection of [...pool.checkedOut, monitor?.connection]) if (connection) endHung(connection);
      const since = checks.get(address);
      if (!monitor || since === undefined || performance.now() - since < longestCheckMs) continue;
      checks.delete(address);
      // Its commands go on meanwhile.
      monitor.close();
      monitor.connect();
    }
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function serversOf(client: MongoClient): ReadonlyMap<string, Server> {
  const { topology } = client as unknown as { topology?: { s: { servers: ReadonlyMap<string, Server> } } };
  return topology?.s.servers ?? new Map();
}

/** A command that waits for the socket listens for its errors too. */
function endHung({ closed, error, socket }: Connection): void {
  if (!closed || !socket.destroyed || socket.listenerCount('drain') === 0) return;
  socket.emit('error', error ?? new MongoNetworkError('the connection has ended'));
}
