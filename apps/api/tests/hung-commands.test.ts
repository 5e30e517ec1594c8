import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedMongo, openEmbeddedMongo } from '@archive/embedded-mongo';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { MongoClient } from 'mongodb';
import { openDatabase } from '../src/db/database.ts';

const directory = mkdtempSync(join(tmpdir(), 'stuck-check-'));
let mongo: EmbeddedMongo;

beforeAll(async () => {
  mongo = await openEmbeddedMongo({ directory, cacheMegabytes: 256 });
});
afterAll(async () => {
  await mongo.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Connection {
  id: unknown;
  socket: { destroy(): void };
}
interface Server {
  pool: { checkedOut: Set<Connection> };
  monitor: { s: { state: string }; connection: Connection | null };
}

function serverOf(client: MongoClient): Server {
  const { topology } = client as unknown as { topology: { s: { servers: Map<string, Server> } } };
  return [...topology.s.servers.values()][0] as Server;
}

it('tells a command whose connection ended just before it was sent', async () => {
  const { client, db, close } = await openDatabase(mongo.uri);
  client.once('connectionCheckedOut', ({ connectionId }) => {
    const { checkedOut } = serverOf(client).pool;
    [...checkedOut].find(({ id }) => id === connectionId)?.socket.destroy();
  });
  await expect(db.collection('things').insertOne({ a: 1 })).rejects.toThrow(/closed/);
  expect(await db.collection('things').findOne({ a: 1 })).toBeNull();
  await close();
});

it('finds the engine again though it died just before the driver looked at it', async () => {
  const { client, db, close } = await openDatabase(mongo.uri);
  await stickCheckOf(client);
  const engine = mongo.pid() as number;
  // A stopped engine accepts the command without an answer. Killing it then breaks the connection.
  process.kill(engine, 'SIGSTOP');
  const answered = expect(db.command({ ping: 1 })).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  process.kill(engine, 'SIGKILL');
  await answered;
  await until(async () => (mongo.pid() === engine ? null : true));
  const answer = await until(() => db.command({ ping: 1 }).catch(() => null));
  expect(answer['ok']).toBe(1);
  await close();
});

/** Makes the driver's health check start on a connection that has closed without an event, so no answer ever comes. */
async function stickCheckOf(client: MongoClient): Promise<void> {
  const { monitor } = serverOf(client);
  let isStuck = false;
  const stick = () => {
    if (!monitor.connection) return;
    monitor.connection.socket.destroy();
    // The state that the monitor has while it connects.
    queueMicrotask(() => {
      monitor.connection = null;
    });
    client.off('serverHeartbeatStarted', stick);
    isStuck = true;
  };
  client.on('serverHeartbeatStarted', stick);
  await until(async () => (isStuck ? true : null));
  expect(monitor.s.state).toBe('monitoring');
}
