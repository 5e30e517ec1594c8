import pino, { type DestinationStream, type Logger } from 'pino';

/** Trouble that comes and goes: its name and words say all, and hundreds of stacks would hide what nobody foresaw. */
const FORESEEN: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoOperationTimeoutError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClearedOnNetworkError',
  'ChainUnavailableError',
  'SourceTrouble',
  'OutboundRefusal',
  'AppError',
]);

/**
 * JSON lines. They hold no bearer token, and a stack only of an unexpected error. The other fields of an error are left out:
 * an error of the database's driver holds the refused documents, with the words of posts.
 */
export function createLog(level: string, to?: DestinationStream): Logger {
  const options = { level, redact: ['req.headers.authorization'], serializers: { err: toLogged } };
  return to ? pino(options, to) : pino(options);
}

function toLogged(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  const known = { type: error.name, message: error.message, ...(code !== undefined && { code }) };
  if (FORESEEN.has(error.name)) return known;
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { ...known, type, message, stack };
}
