import pino, { type DestinationStream, type Logger } from 'pino';

/** Errors of temporary trouble. Name and message suffice; hundreds of stacks would hide unexpected errors. */
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
 * Logs JSON lines without bearer tokens, and with a stack only for unexpected errors. Other fields of errors are left
 * out: the database driver's errors contain the refused documents with the text of posts.
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
