import { PRODUCT_SLUG } from '@archive/contracts';
import { type Db, MongoClient, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { StartRefusal } from '../start-refusal.ts';
import { ArchiveState } from './archive-state.ts';
import { endHungCommands } from './end-hung-commands.ts';
import { ensureIndexes } from './indexes.ts';

/** More than about eight commands at once only wait in line on the embedded engine; 16 connections measured best. */
const POOL_SIZE = 16;
const CONNECT_TIMEOUT_MS = 10_000;
/** A database that does not answer is a 503 in under three seconds. */
const ANSWER_TIMEOUT_MS = 2_500;
/** For questions that others wait behind: the driver's whole work at one of them takes no longer. */
export const PROMPT = { timeoutMS: ANSWER_TIMEOUT_MS } as const;
/** The driver's look at a server: until it is connected, and until it is answered. */
const CHECK_MS = ANSWER_TIMEOUT_MS * 3;
/** A write that no majority confirms by then is answered as not known; it may be made, and every one can be repeated. */
const CONFIRM_TIMEOUT_MS = 5_000;
const MEASURE_CLOCK_MS = 60_000;

export interface Database {
  client: MongoClient;
  db: Db;
  clock: DatabaseClock;
  isReplicaSet: boolean;
  /** How many members of the replica set do not answer this process, by the driver's checks. */
  membersAway(): number;
  close(): Promise<void>;
}

/** Connects to a whole archive, or to what becomes one, and makes the indexes. */
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

/** A busy machine may take longer to connect than a command waits for a server. */
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
 * Connects and settles the write concern; where `isPatient`, a command may take as long as it likes.
 *
 * A standalone gets `{w: 1, j: true}`: there, and only there, majority loses acknowledged writes on a hard kill
 * (SERVER-139311, and measured on the embedded engine). A replica set gets `{w: 'majority', j: true}`.
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
    // A server that comes back is noticed at once, and a check that hangs does not hang for the driver's 30 s.
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

/** A failure to connect in the operator's words; the driver's own holds neither user nor password. */
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
 * The database's clock, which all processes go by, whatever their own say, and also while somebody sets those. Right to a
 * round trip: what must not be decided twice is decided in the database, by `$$NOW`.
 */
export class DatabaseClock {
  readonly #db: Db;
  /** Milliseconds from this process's monotonic clock to the database's. */
  #offset = performance.timeOrigin;

  constructor(db: Db) {
    this.#db = db;
  }

  /** As last measured and gone on since, whatever is done to this machine's clock meanwhile. */
  now(): Date {
    return new Date(performance.now() + this.#offset);
  }

  /** Asked of the database. */
  async measure(): Promise<Date> {
    const before = performance.now();
    const [answer] = await this.#db.aggregate<{ now: Date }>([{ $documents: [{ now: '$$NOW' }] }], PROMPT).toArray();
    if (!answer) throw new Error('the database did not tell the time');
    const told = answer.now.getTime();
    // The database told whole milliseconds, some time between the two. A slow answer leaves a right offset as it is.
    this.#offset = Math.min(Math.max(this.#offset, told - performance.now()), told + 1 - before);
    return answer.now;
  }
}

/** The database a connection string names after its hosts, if any. */
function databaseName(uri: string): string | undefined {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(uri)?.[1];
  return path ? decodeURIComponent(path) : undefined;
}
