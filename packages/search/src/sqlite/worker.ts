import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { building } from './files.ts';
import { closeWritten, condemn, openForBuilding, openForReading, openForWriting } from './index-file.ts';
import type { OperationName, Operations, Reply, Request, WorkerOptions } from './messages.ts';
import { IndexReader } from './reader/reader.ts';
import type { Steps } from './reader/steps.ts';
import { IndexWriter } from './writer.ts';

type Handlers = {
  [N in OperationName]?: (
    input: Operations[N]['input'],
    onAhead: (oids: Uint8Array[]) => void,
  ) => Operations[N]['output'] | Promise<Operations[N]['output']> | Steps<Operations[N]['output']>;
};

const port = parentPort;
if (!port) throw new Error('the archive index runs in a worker thread');
const options = workerData as WorkerOptions;
/** A turn ends after the step that exceeds this time. A step should take about as long. */
const TURN_MS = 10;
/** Questions that wait for their next turn, by call number. */
const underWay = new Map<number, Steps<unknown>>();

// The builder yields to questions. On Linux the priority applies to the thread, elsewhere to the process.
if (options.role === 'builder' && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** The first error of a builder. Without a log a failed write cannot be undone, so the file is never put in place. */
let spoiled: unknown;

const handlers = handlersOf(options);
port.on('message', async (request: Request) => {
  const reply = await answer(handlers, request);
  if (reply) port.postMessage(reply);
});
port.postMessage('ready');

/** Null if the caller waits for no reply. */
async function answer(handlers: Handlers, request: Request): Promise<Reply | null> {
  const { call } = request;
  try {
    if (spoiled) throw spoiled;
    if ('step' in request) return takeTurn(call, request.step);
    const tellAhead = (ahead: Uint8Array[]) => port?.postMessage({ call, ahead } satisfies Reply);
    // A handler may be a method, so it is called on its object.
    const asked = handlers as Record<string, (input: unknown, onAhead: typeof tellAhead) => unknown>;
    const work = await asked[request.name]?.(request.input, tellAhead);
    if (work === undefined) throw new Error(`the ${options.role} does not know ${request.name}`);
    if (!isSteps(work)) return { call, output: work };
    underWay.set(call, work);
    return takeTurn(call, 'go on');
  } catch (error) {
    if (options.role === 'builder') spoiled = error;
    const { message, stack, code } = error as Error & { code?: string };
    // A damaged file answers wrongly. The marker makes the next start build it again.
    if (code && /^SQLITE_(CORRUPT|NOTADB)/.test(code) && options.role !== 'exporter') {
      condemn(options.role === 'builder' ? building(options.path) : options.path);
      setImmediate(() => {
        throw new Error(`the archive index is damaged: ${message}`);
      });
    }
    underWay.delete(call);
    return { call, error: { message, stack } };
  }
}

function takeTurn(call: number, step: 'go on' | 'drop'): Reply | null {
  const steps = underWay.get(call);
  if (step === 'drop' || !steps) {
    underWay.delete(call);
    steps?.return(undefined);
    return null;
  }
  const startedAt = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      underWay.delete(call);
      return { call, output: value };
    }
    if (performance.now() - startedAt >= TURN_MS) return { call, more: true };
  }
}

function isSteps(work: unknown): work is Steps<unknown> {
  return typeof work === 'object' && work !== null && 'next' in work;
}

function handlersOf({ role, path, epoch, question }: WorkerOptions): Handlers {
  if (role === 'reader') return new IndexReader(openForReading(path));
  if (role === 'exporter') {
    if (!question) throw new Error('an exporter needs a question');
    const { filter, sort, now } = question;
    const chunks = new IndexReader(openForReading(path, { once: true })).export(filter, sort, now);
    return { chunk: () => chunks.next().value ?? [] };
  }
  const { db, isEmpty } = role === 'writer' ? openForWriting(path, epoch) : openForBuilding(path, epoch);
  const writer = new IndexWriter(db, isEmpty);
  return {
    apply: (input) => writer.apply(input),
    summary: () => writer.summary(),
    finishBuild: () => {
      writer.finishBuild();
      return null;
    },
    close: () => {
      closeWritten(db);
      return null;
    },
  };
}
