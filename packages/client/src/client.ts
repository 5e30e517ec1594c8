import { type AnswerOf, ENDPOINTS, type InputOf, type JsonEndpointName, type Problem } from '@archive/contracts';
import { type AddressInput, addressOf, type Given } from './address.ts';
import { ApiError } from './api-error.ts';

export interface ClientOptions {
  /** The archive's origin, e.g. `https://amber.example`; absent in the archive's own page. */
  origin?: string;
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** A session's token, or an agent key. */
  token?: string | null | undefined;
  signal?: AbortSignal;
}

export interface Client {
  /**
   * Makes a call and returns its JSON.
   *
   * @throws ApiError for every refusal, and with status 0 where the server could not be reached.
   */
  call<N extends JsonEndpointName>(name: N, ...[input]: Given<InputOf<N> & CallOptions>): Promise<AnswerOf<N>>;
  /** Returns the answer to a GET of an address that `addressOf` made. */
  get<Answer>(address: string, options?: CallOptions): Promise<Answer>;
}

/** A typed client of an archive's API, for Node and browsers. It sends the token only to the archive's own origin. */
export function createClient({ origin = '', fetch: ask = (...given) => fetch(...given) }: ClientOptions = {}): Client {
  const send = async (address: string, init: RequestInit): Promise<unknown> => {
    let response: Response;
    try {
      response = await ask(origin + address, init);
    } catch {
      throw new ApiError(0, 'The server could not be reached.');
    }
    if (response.status === 204) return undefined;
    // An answer that is not JSON, such as a proxy's page, counts as no server.
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok && body !== undefined) return body;
    const problem = (body ?? {}) as Partial<Problem>;
    throw new ApiError(response.ok ? 502 : response.status, problem.message ?? response.statusText, problem);
  };
  return {
    call: (name, ...[input = {}]) => {
      const { params, query, body, ...options } = input as AnyInput & CallOptions;
      const address = addressOf(name, ...([{ params, query }] as unknown as Given<AddressInput<typeof name>>));
      return send(address, requestOf(ENDPOINTS[name].method, body, options)) as Promise<AnswerOf<typeof name>>;
    },
    get: <Answer>(address: string, options?: CallOptions) =>
      send(address, requestOf('GET', undefined, options)) as Promise<Answer>,
  };
}

interface AnyInput {
  params?: object;
  query?: object;
  body?: unknown;
}

function requestOf(method: string, body: unknown, { token, signal }: CallOptions = {}): RequestInit {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers['Authorization'] = `Bearer ${token}`;
  return {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  };
}
