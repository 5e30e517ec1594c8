import type { MongoClient } from 'mongodb';

const LOOK_MS = 1_000;

/** As much of the driver's inside as is needed: it offers nothing for this. */
interface Inside {
  topology?: { s: { servers: ReadonlyMap<string, { monitor: { close(): void; connect(): void } | null }> } };
}

/**
 * Has the driver look at its servers again where a look does not end within `longestMs`. One that begins on a connection
 * which has just ended, of which the driver has not heard, waits for ever, and with it the process for a server that was
 * back long ago (mongodb 7.8 and 7.9: `writeCommand` waits for `drain`). Answers what stops this.
 */
export function reviveChecks(client: MongoClient, longestMs: number): () => void {
  const since = new Map<string, number>();
  client.on('serverHeartbeatStarted', ({ connectionId }) => void since.set(connectionId, performance.now()));
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => void since.delete(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => void since.delete(connectionId));
  client.on('serverClosed', ({ address }) => void since.delete(address));
  const look = () => {
    for (const [address, at] of since) {
      if (performance.now() - at < longestMs) continue;
      since.delete(address);
      const monitor = (client as unknown as Inside).topology?.s.servers.get(address)?.monitor;
      // What is asked meanwhile goes on.
      monitor?.close();
      monitor?.connect();
    }
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
