import type { Socket } from 'node:net';
import { type MongoClient, MongoNetworkError } from 'mongodb';

const LOOK_MS = 1_000;

interface Connection {
  closed: boolean;
  error: Error | null;
  socket: Socket;
}

/** The parts of the driver's internals that are used; it has no public interface for this. */
interface Server {
  pool: { checkedOut: ReadonlySet<Connection> };
  monitor: { connection: Connection | null; close(): void; connect(): void } | null;
}

/**
 * Ends commands that the driver would await for ever. If a connection has just closed and the driver does not know it
 * yet, a command sent on it waits without limit for the socket's `drain` (mongodb 7.8 and 7.9, `writeCommand`). If that
 * happens to a heartbeat, the process never finds the recovered server. Returns a function that stops these checks.
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
      // Commands to the server continue meanwhile.
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

/** A command that waits for `drain` also listens for the socket's errors. */
function endHung({ closed, error, socket }: Connection): void {
  if (!closed || !socket.destroyed || socket.listenerCount('drain') === 0) return;
  socket.emit('error', error ?? new MongoNetworkError('the connection has ended'));
}
