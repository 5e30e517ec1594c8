const TIMEOUT_MS = 30_000;

export interface XrpcRequest {
  params?: Record<string, string | number | boolean | string[]>;
  /** JSON, or raw bytes; with an input the call is a procedure. */
  input?: object | Uint8Array;
  /** A procedure that takes no input. */
  procedure?: true;
  token?: string;
}

/** An error answer of a server; `code` is the server's name for the reason, such as `ExpiredToken`. */
export class XrpcError extends Error {
  override name = 'XrpcError';
  readonly status: number;
  readonly code: string;

  constructor(call: string, status: number, code: string, message: string) {
    super(`${call}: ${status} ${code} ${message}`);
    this.status = status;
    this.code = code;
  }
}

/** Makes one call of AT Protocol over HTTP. An answer of bytes is a `Uint8Array`. Rejects with an `XrpcError`. */
export async function callXrpc<T>(service: string, name: string, request: XrpcRequest = {}): Promise<T> {
  const { params = {}, input, procedure, token } = request;
  const url = new URL(`/xrpc/${name}`, service);
  for (const [key, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(key, String(one));
  }
  const bytes = input instanceof Uint8Array;
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(input && { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
    },
    ...((input || procedure) && { method: 'POST' }),
    ...(input && { body: bytes ? input : JSON.stringify(input) }),
  });
  if (!answer.ok) {
    const { error = '', message = '' } = (await answer.json().catch(() => ({}))) as {
      error?: string;
      message?: string;
    };
    throw new XrpcError(name, answer.status, error, message);
  }
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  const body = isJson ? await answer.json() : new Uint8Array(await answer.arrayBuffer());
  return body as T;
}
