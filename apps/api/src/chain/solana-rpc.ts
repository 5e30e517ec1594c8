import { tell } from '../channels.ts';

/** No node gave a JSON answer in time, so the state is unknown. */
export class ChainUnavailableError extends Error {
  override readonly name = 'ChainUnavailableError';
}

interface RpcReply {
  result?: unknown;
  error?: { code: number; message: string };
}

/**
 * Calls a Solana node over JSON-RPC with a time limit. If a node fails in any way (no connection, too slow, HTTP error,
 * no JSON, its own error), the next address is used.
 */
export class SolanaRpc {
  readonly #urls: readonly string[];
  readonly #timeoutMs: number;

  constructor(urls: readonly string[], timeoutMs = 5_000) {
    this.#urls = urls;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The first answer that is `enough`. If none is, the first answer of all, since nodes may lag behind each other.
   *
   * @throws ChainUnavailableError where no node answered.
   */
  async ask<T>(method: string, params: readonly unknown[], enough: (answer: T) => boolean = () => true): Promise<T> {
    const answers: T[] = [];
    const failures: string[] = [];
    for (const [index, url] of this.#urls.entries()) {
      try {
        const answer = await this.#call<T>(url, method, params);
        tell('rpc', { method, outcome: 'answered' });
        if (enough(answer)) return answer;
        answers.push(answer);
      } catch (error) {
        tell('rpc', { method, outcome: 'failed' });
        // Addresses may contain keys, so nodes are named by position.
        failures.push(`node ${index + 1}: ${(error as Error).message}`);
      }
    }
    if (answers.length > 0) return answers[0] as T;
    throw new ChainUnavailableError(`${method} failed (${failures.join('; ')})`);
  }

  /** Every node's own answer, in the order of the addresses. Fails if one node fails. */
  askEach<T>(method: string, params: readonly unknown[]): Promise<T[]> {
    return Promise.all(this.each().map((node) => node.ask<T>(method, params)));
  }

  /** Each node alone, in the order of the addresses, for answers that must not be mixed. */
  each(): SolanaRpc[] {
    return this.#urls.map((url) => new SolanaRpc([url], this.#timeoutMs));
  }

  async #call<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(this.#timeoutMs),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const reply = (await response.json()) as RpcReply;
    if (reply.error) throw new Error(`${reply.error.code} ${reply.error.message}`);
    if (!('result' in reply)) throw new Error('no result');
    return reply.result as T;
  }
}
