import pino, { type DestinationStream, type Logger } from 'pino';

/** Trouble that comes and goes: its name and words say all, and hundreds of stacks would hide what nobody foresaw. */
const FORESEEN =
  /^(Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|TopologyClosed|OperationTimeout|WaitQueueTimeout|PoolCleared)\w*|ChainUnavailableError|SourceTrouble|OutboundRefusal|AppError)$/;

/** JSON lines; never a bearer token, and a stack only of what nobody foresaw. */
export function createLog(level: string, to?: DestinationStream): Logger {
  const options = { level, redact: ['req.headers.authorization'], serializers: { err: toLogged } };
  return to ? pino(options, to) : pino(options);
}

function toLogged(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!FORESEEN.test(error.name)) return pino.stdSerializers.err(error);
  const { code } = error as { code?: unknown };
  return { type: error.name, message: error.message, ...(code !== undefined && { code }) };
}
