import { PRODUCT_SLUG } from '@archive/contracts';
import { type Db, MongoClient, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { StartRefusal } from '../start-refusal.ts';
import { ArchiveState } from './archive-state.ts';
import { endHungCommands } from './end-hung-commands.ts';
import { ensureIndexes } from './indexes.ts';

/** The embedded database runs about eight commands at once; more only queue. 16 connections measured best. */
const POOL_SIZE = 16;
const CONNECT_TIMEOUT_MS = 10_000;
/** Milliseconds. If the database does not answer, the API answers 503 within three seconds. */
const ANSWER_TIMEOUT_MS = 2_500;
/** For queries that block others: limits the driver's total time for one of them. */
export const PROMPT = { timeoutMS: ANSWER_TIMEOUT_MS } as const;
/** Longest heartbeat of the driver: connecting and getting an answer. */
const CHECK_MS = ANSWER_TIMEOUT_MS * 3;
/**
 * If no majority confirms a write in this time, its outcome counts as unknown. It may have happened, and every write
 * can be repeated.
 */
const CONFIRM_TIMEOUT_MS = 5_000;
const MEASURE_CLOCK_MS = 60_000;

export interface Database {
  client: MongoClient;
  db: Db;
  clock: DatabaseClock;
  isReplicaSet: boolean;
  /** Number of replica set members that do not answer this process, by the driver's heartbeats. */
  membersAway(): number;
  close(): Promise<void>;
}

/** Connects to a complete or new archive and creates the indexes. */
export async function openDatabase(uri: string, name?: string): Promise<Database> {
  const database = await connectDatabase(uri, name);
  try {
    await new ArchiveState(database.db).requireWhole();
    await ensureIndexes(database.db);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** On a busy machine, connecting may take longer than the time limit of a command. */
async function connectPatiently(client: MongoClient): Promise<void> {
  for (const deadline = performance.now() + CONNECT_TIMEOUT_MS; ; ) {
    try {
      await client.connect();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw refusalOf(error as Error);
    }
  }
}

/**
 * Connects and sets the write concern. With `isPatient`, commands have no time limit.
 *
 * A standalone server gets `{w: 1, j: true}`: only there, majority loses acknowledged writes on a hard kill
 * (SERVER-139311, also measured on the embedded database). A replica set gets `{w: 'majority', j: true}`.
 */
export async function connectDatabase(
  uri: string,
  name?: string,
  { isPatient = false }: { isPatient?: boolean } = {},
): Promise<Database> {
  const probe = new MongoClient(uri, { serverSelectionTimeoutMS: CONNECT_TIMEOUT_MS });
  const hello = await probe
    .connect()
    .then((connected) => connected.db('admin').command({ hello: 1 }))
    .catch((error) => Promise.reject(refusalOf(error)))
    .finally(() => probe.close());
  if (hello['msg'] === 'isdbgrid')
    throw new StartRefusal('MONGODB_URI names a sharded cluster, which is not supported');
  const isReplicaSet = typeof hello['setName'] === 'string';
  const client = new MongoClient(uri, {
    maxPoolSize: POOL_SIZE,
    minPoolSize: 2,
    serverSelectionTimeoutMS: ANSWER_TIMEOUT_MS,
    // A recovered server is noticed at once, and a hanging heartbeat ends before the driver's 30 s.
    connectTimeoutMS: ANSWER_TIMEOUT_MS,
    heartbeatFrequencyMS: 2_000,
    serverMonitoringMode: 'poll',
    waitQueueTimeoutMS: ANSWER_TIMEOUT_MS * 4,
    socketTimeoutMS: isPatient ? 0 : 60_000,
    ignoreUndefined: true,
    writeConcern: isReplicaSet
      ? { w: 'majority', journal: true, ...(!isPatient && { wtimeoutMS: CONFIRM_TIMEOUT_MS }) }
      : { w: 1, journal: true },
    readConcern: { level: isReplicaSet ? 'majority' : 'local' },
  });
  let away = 0;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    away = [...newDescription.servers.values()].filter(({ type }) => type === 'Unknown').length;
  });
  await connectPatiently(client);
  const stopEnding = endHungCommands(client, CHECK_MS);
  const db = client.db(name ?? databaseName(uri) ?? PRODUCT_SLUG);
  const clock = new DatabaseClock(db);
  await clock.measure();
  const timer = setInterval(() => void clock.measure().catch(() => {}), MEASURE_CLOCK_MS);
  timer.unref();
  return {
    client,
    db,
    clock,
    isReplicaSet,
    membersAway: () => away,
    async close() {
      clearInterval(timer);
      stopEnding();
      await client.close();
    },
  };
}

/** Describes a failure to connect for the operator. The driver's message contains neither user nor password. */
function refusalOf(error: Error): Error {
  if (error instanceof MongoServerSelectionError)
    return new StartRefusal(`MONGODB_URI names a database that does not answer: ${error.message}`, { cause: error });
  const isDenied = error instanceof MongoServerError && (error.code === 18 || error.code === 13);
  return isDenied
    ? new StartRefusal(`MONGODB_URI names a user whom the database refuses: ${error.message}`, { cause: error })
    : error;
}

/** Whether a write failed because another document has the same unique key. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 11_000;
}

/**
 * The database's clock. All processes use it, so that a wrong or changed system clock has no effect. Exact to a round
 * trip; decisions that must be made only once use `$$NOW` in the database.
 */
export class DatabaseClock {
  readonly #db: Db;
  /** Milliseconds from this process's monotonic clock to the database's clock. */
  #offset = performance.timeOrigin;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The last measured time, advanced by the monotonic clock. */
  now(): Date {
    return new Date(performance.now() + this.#offset);
  }

  /** Asks the database for its time and adjusts the offset. */
  async measure(): Promise<Date> {
    const before = performance.now();
    const [answer] = await this.#db.aggregate<{ now: Date }>([{ $documents: [{ now: '$$NOW' }] }], PROMPT).toArray();
    if (!answer) throw new Error('the database did not tell the time');
    const told = answer.now.getTime();
    // The database returns whole milliseconds from some moment between request and answer. A slow answer does not
    // change a correct offset.
    this.#offset = Math.min(Math.max(this.#offset, told - performance.now()), told + 1 - before);
    return answer.now;
  }
}

/** The database name in a connection string, if any. */
function databaseName(uri: string): string | undefined {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(uri)?.[1];
  return path ? decodeURIComponent(path) : undefined;
}
