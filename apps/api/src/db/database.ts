import { PRODUCT_SLUG } from '@archive/contracts';
import { type Db, MongoClient } from 'mongodb';
import { ensureIndexes } from './indexes.ts';

/** More than about eight commands at once only wait in line on the embedded engine; 16 connections measured best. */
const POOL_SIZE = 16;
const CONNECT_TIMEOUT_MS = 10_000;
/** A database that does not answer is a 503 in under three seconds. */
const ANSWER_TIMEOUT_MS = 2_500;

export interface Database {
  client: MongoClient;
  db: Db;
  /** Milliseconds to add to this machine's clock to get the database's. */
  clockOffsetMs: number;
  close(): Promise<void>;
}

/**
 * Connects, settles the write concern and makes the indexes.
 *
 * A standalone gets `{w: 1, j: true}`: there, and only there, majority loses acknowledged writes on a hard kill
 * (SERVER-139311, and measured on the embedded engine). A replica set gets `{w: 'majority', j: true}`.
 */
export async function openDatabase(uri: string, name?: string): Promise<Database> {
  const probe = new MongoClient(uri, { serverSelectionTimeoutMS: CONNECT_TIMEOUT_MS });
  const hello = await probe
    .connect()
    .then((client) => client.db('admin').command({ hello: 1 }))
    .finally(() => probe.close());
  if (hello['msg'] === 'isdbgrid') throw new Error('MONGODB_URI names a sharded cluster, which is not supported');
  const isReplicaSet = typeof hello['setName'] === 'string';
  const client = new MongoClient(uri, {
    maxPoolSize: POOL_SIZE,
    minPoolSize: 2,
    serverSelectionTimeoutMS: ANSWER_TIMEOUT_MS,
    // A server that comes back is noticed at once, and a check that hangs does not hang for the driver's 30 s.
    connectTimeoutMS: ANSWER_TIMEOUT_MS,
    heartbeatFrequencyMS: 2_000,
    serverMonitoringMode: 'poll',
    waitQueueTimeoutMS: ANSWER_TIMEOUT_MS * 4,
    socketTimeoutMS: 60_000,
    ignoreUndefined: true,
    writeConcern: isReplicaSet ? { w: 'majority', journal: true } : { w: 1, journal: true },
    readConcern: { level: isReplicaSet ? 'majority' : 'local' },
  });
  await client.connect();
  const db = client.db(name ?? databaseName(uri) ?? PRODUCT_SLUG);
  await ensureIndexes(db);
  const localTime = (hello['localTime'] as Date | undefined)?.getTime() ?? Date.now();
  return { client, db, clockOffsetMs: localTime - Date.now(), close: () => client.close() };
}

/** The database a connection string names after its hosts, if any. */
function databaseName(uri: string): string | undefined {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(uri)?.[1];
  return path ? decodeURIComponent(path) : undefined;
}
