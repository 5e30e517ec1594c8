import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Limit for calls that hang. A hundred calls at once take more than half a minute on a busy machine. */
const TIMEOUT_MS = 120_000;
/** Plain HTTP with keep-alive: a heavier client would take processor time from what is tested or measured. */
const agent = new Agent({ keepAlive: true });

/** An API that listens: the product's, or one that a test has started. */
export interface Served {
  url: string;
  /** Sent with every call. */
  headers?: Record<string, string>;
}

export interface Answer {
  /** 0 if there was no answer. */
  status: number;
  headers: IncomingHttpHeaders;
  body: ReturnType<typeof JSON.parse>;
}

/** Makes a call and returns any answer, also an error. */
export async function call(
  { url, headers }: Served,
  method: string,
  path: string,
  token?: string | null,
  body?: object,
): Promise<Answer> {
  const payload = body && JSON.stringify(body);
  const sent = request(url + path, {
    method,
    agent,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    },
    timeout: TIMEOUT_MS,
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer')));
  sent.on('error', () => {});
  sent.end(payload);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    return { status: response.statusCode ?? 0, headers: response.headers, body: answer ? JSON.parse(answer) : null };
  } catch {
    return { status: 0, headers: {}, body: null };
  }
}
