import type { Credit, Endpoint, ErrorCode, FieldError, Problem } from '@archive/contracts';

/** A call that did not answer as hoped; status 0 where there was no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** What became of a payment that could not be applied. */
  readonly credit: Credit | undefined;

  /** Which fields of the body it is about. */
  readonly errors: readonly FieldError[] | undefined;

  constructor(status: number, message: string, code?: ErrorCode, credit?: Credit, errors?: readonly FieldError[]) {
    super(message);
    this.status = status;
    this.code = code;
    this.credit = credit;
    this.errors = errors;
  }
}

const early = new Map<string, Promise<unknown>>();

/** Starts calls before the page is drawn; the first `fetchJson` of the same address takes the answer over. */
export function fetchEarly(address: string): Promise<unknown> {
  const answer = fetchNow(address);
  answer.catch(() => {});
  early.set(address, answer);
  return answer;
}

export function fetchJson<Answer>(address: string): Promise<Answer> {
  const started = early.get(address);
  early.delete(address);
  return (started ?? fetchNow(address)) as Promise<Answer>;
}

/** No answer, or one that says the server is at fault. */
export function isServerDown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** An endpoint's path with its `:id` filled in. */
export function pathWithId(path: string, id: string): string {
  return path.replace(':id', encodeURIComponent(id));
}

interface Call {
  /** Fills `:name` in the path. */
  params?: Record<string, string>;
  body?: unknown;
  token?: string | null;
}

/** A call other than reading a page. The token goes to our own paths alone, never to another host. */
export function callApi<Answer>({ method, path }: Endpoint, { params = {}, body, token }: Call = {}): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers['Authorization'] = `Bearer ${token}`;
  return fetchNow(
    path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
  ) as Promise<Answer>;
}

async function fetchNow(address: string, init?: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch {
    throw new ApiError(0, 'The server could not be reached.');
  }
  if (response.status === 204) return undefined;
  // A proxy's page in place of an answer counts as no server.
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  const problem = body as Partial<Problem> | undefined;
  const { message = response.statusText, code, credit, errors } = problem ?? {};
  throw new ApiError(response.ok ? 502 : response.status, message, code, credit, errors);
}
