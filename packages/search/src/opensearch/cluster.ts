import { Client } from '@opensearch-project/opensearch';
import { IndexAwayError } from '../archive-index.ts';

const REQUEST_MS = 30_000;
/**
 * Milliseconds that a question, or a read of the index's state, may take. Then the client asks another node, because a
 * node that was cut off sends no refusal.
 */
export const QUESTION_MS = 10_000;
/** Milliseconds for a call whose duration grows with the index. */
export const BUILD_MS = 60_000;

export interface ClusterOptions {
  nodes: readonly URL[];
  account: { username: string; password: string } | null;
  /** Certificate of the authority that signed the nodes' certificates, as PEM. */
  ca: string | null;
}

/** As in the engine's documentation. */
type MethodAndPath = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

interface CallOptions {
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  /** Lines of JSON in place of a body. */
  lines?: string;
  ms?: number | undefined;
  signal?: AbortSignal | undefined;
  /** An error status that counts as an answer; `call` then returns null. */
  allowed?: number;
  /** A member that a cluster's answer always has. Without it, another server answers in the place of the cluster. */
  member?: string;
}

interface Failure {
  name: string;
  statusCode?: number;
  message: string;
  meta?: { body?: { error?: { type?: string; reason?: string; root_cause?: { type?: string; reason?: string }[] } } };
}

/** Type of the error with which a cluster refuses writes, for example because a disk is full. */
export const BLOCKED = 'cluster_block_exception';
export const NO_INDEX = 'the search cluster holds no index of this archive yet';

/** Calls a search cluster. Error messages contain no password. */
export class Cluster {
  readonly #client: Client;

  constructor({ nodes, account, ca }: ClusterOptions) {
    this.#client = new Client({
      nodes: nodes.map(String),
      ...(account && { auth: account }),
      ...(ca && { ssl: { ca } }),
      maxRetries: 1,
      requestTimeout: REQUEST_MS,
    });
  }

  /** Returns the answer's body; null if the status is `allowed`. @throws IndexAwayError; the signal's reason. */
  async call<Answer>(request: MethodAndPath, options: CallOptions = {}): Promise<Answer> {
    const { query, body, lines, ms, signal, allowed, member } = options;
    signal?.throwIfAborted();
    const space = request.indexOf(' ');
    const [method, path] = [request.slice(0, space), request.slice(space + 1)];
    const sent = this.#client.transport.request(
      { method, path, querystring: query, ...(lines === undefined ? { body } : { bulkBody: lines }) } as never,
      { ...(ms && { requestTimeout: ms }), ...(allowed && { ignore: [allowed] }) },
    );
    const abort = () => sent.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const answer = await sent;
      // The client returns a body of another content type as a string.
      if (typeof answer.body !== 'object') throw noJson();
      if (answer.statusCode === 404 && !isOfCluster(answer.body)) throw foreign();
      if (answer.statusCode === allowed) return null as Answer;
      if (member !== undefined && answer.body?.[member] === undefined) throw foreign();
      return answer.body as Answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw told(error as Failure);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The error of one search, or one document, of a request for several. */
  toldOf(statusCode: number, error: { type: string; reason: string }): Error {
    return told({ name: 'ResponseError', statusCode, message: error.reason, meta: { body: { error } } });
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

function noJson(): IndexAwayError {
  return new IndexAwayError('away', 'what answers in the place of the search cluster speaks no JSON');
}

/** Whether a cluster itself says that something does not exist. Another server in its place also answers 404. */
function isOfCluster(body: { error?: { type?: unknown } } | null): boolean {
  return String(body?.error?.type).endsWith('_not_found_exception');
}

export function foreign(): IndexAwayError {
  return new IndexAwayError('away', 'what answers in the place of the search cluster is another server');
}

/** The error's class decides what a visitor sees; its message is for the operator. */
function told(error: Failure): Error {
  const { type, reason } = error.meta?.body?.error?.root_cause?.[0] ?? error.meta?.body?.error ?? {};
  const { name, statusCode: status = 0, message } = error;
  const why = reason ?? message;
  const away = (text: string) => new IndexAwayError('away', text);
  if (name === 'ConnectionError' || name === 'NoLivingConnectionsError')
    return away(`the search cluster cannot be reached: ${message}`);
  if (name === 'TimeoutError') return away('the search cluster did not answer in time');
  if (name === 'DeserializationError') return noJson();
  if (name !== 'ResponseError') return error as Error;
  // With 503 the cluster has no manager, or is starting.
  if (type === BLOCKED && status !== 503)
    return new IndexAwayError('disk', `the search cluster refuses writes: ${why}`);
  if (status === 401) return away('the search cluster refuses SEARCH_USERNAME and SEARCH_PASSWORD');
  if (status === 403) return away(`the account of SEARCH_USERNAME may not do what it must: ${why}`);
  if (status === 404 && type === 'index_not_found_exception') return new IndexAwayError('building', NO_INDEX);
  if (status === 429) return new IndexAwayError('overloaded', `the search cluster has too much to do: ${why}`);
  if (status === 404 && !type) return foreign();
  // If an index or a shard goes away meanwhile, the cluster answers 404. A lost node gives any status from 500.
  if (status >= 500 || status === 404) return away(`a part of the search cluster is away: ${why}`);
  return new Error(`the search cluster refused a request: ${type ?? status} ${why}`);
}
