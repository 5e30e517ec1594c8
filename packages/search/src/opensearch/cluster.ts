import { Client } from '@opensearch-project/opensearch';
import { IndexAwayError } from '../archive-index.ts';

const REQUEST_MS = 30_000;
/** Of a question, which a visitor waits for. */
export const QUESTION_MS = 10_000;
/** Of a look at what is held: another node is asked then, for one that was cut off refuses nothing. */
export const LOOK_MS = 10_000;
/** Of a call that grows with the index. */
export const BUILD_MS = 60_000;

export interface ClusterOptions {
  nodes: readonly URL[];
  account: { username: string; password: string } | null;
  /** Of the authority that signed the certificates of the nodes, as PEM. */
  ca: string | null;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  /** Lines of JSON in place of a body. */
  lines?: string;
  ms?: number | undefined;
  signal?: AbortSignal | undefined;
  /** A status that is an answer too. */
  allowed?: number;
}

interface Failure {
  name: string;
  statusCode?: number;
  message: string;
  meta?: { body?: { error?: { type?: string; reason?: string; root_cause?: { type?: string; reason?: string }[] } } };
}

export const NO_INDEX = 'the search cluster holds no index of this archive yet';

/** Calls a search cluster: what fails is told in a sentence that names no password. */
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

  /** The answer's body; null where the status is the one allowed. @throws IndexAwayError; the signal's reason. */
  async call<Answer>({ signal, ...call }: Call): Promise<Answer> {
    signal?.throwIfAborted();
    const { method, path, query, body, lines, ms, allowed } = call;
    const sent = this.#client.transport.request(
      { method, path, querystring: query, ...(lines === undefined ? { body } : { bulkBody: lines }) } as never,
      { ...(ms && { requestTimeout: ms }), ...(allowed && { ignore: [allowed] }) },
    );
    const abort = () => sent.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const answer = await sent;
      if (answer.statusCode === allowed) return null as Answer;
      // The client hands over a text of another type as it is.
      if (typeof answer.body !== 'object') throw noJson();
      return answer.body as Answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw told(error as Failure);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Of a question among several that were asked at once. */
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

/** What a visitor may be told apart by, and an operator reads. */
function told(error: Failure): Error {
  const { type, reason } = error.meta?.body?.error?.root_cause?.[0] ?? error.meta?.body?.error ?? {};
  const why = reason ?? error.message;
  switch (error.name) {
    case 'ConnectionError':
    case 'NoLivingConnectionsError':
      return new IndexAwayError('away', `the search cluster cannot be reached: ${error.message}`);
    case 'TimeoutError':
      return new IndexAwayError('away', 'the search cluster did not answer in time');
    case 'DeserializationError':
      return noJson();
    case 'ResponseError':
      break;
    default:
      return error as Error;
  }
  // 503: it has no manager, or begins just now.
  if (type === 'cluster_block_exception' && error.statusCode !== 503) {
    return new IndexAwayError('disk', `the search cluster refuses writes: ${why}`);
  }
  if (error.statusCode === 401) {
    return new IndexAwayError('away', 'the search cluster refuses SEARCH_USERNAME and SEARCH_PASSWORD');
  }
  if (error.statusCode === 403) {
    return new IndexAwayError('away', `the account of SEARCH_USERNAME may not do what it must: ${why}`);
  }
  if (error.statusCode === 404 && type === 'index_not_found_exception') {
    return new IndexAwayError('building', NO_INDEX);
  }
  if (error.statusCode === 429)
    return new IndexAwayError('overloaded', `the search cluster has too much to do: ${why}`);
  // An index that is deleted under a search answers 404 of the search, a node that is lost any number from 500.
  if ((error.statusCode ?? 0) >= 500 || type === 'search_context_missing_exception') {
    return new IndexAwayError('away', `a part of the search cluster is away: ${why}`);
  }
  return new Error(`the search cluster refused a request: ${type ?? error.statusCode} ${why}`);
}
