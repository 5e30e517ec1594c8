export type Endpoint = 'me' | 'mentions' | 'timeline' | 'lookup' | 'search' | 'create';

/**
 * What goes wrong: a refusal with its status, an answer that takes long, ends half-way or is of another shape, one that is
 * lost after everything was done, one that tells everything twice, and one that also tells what was told before (`again`).
 */
export type Fault =
  | { kind: 'rate-limit'; resetAt?: Date }
  | { kind: 'status'; status: number; body?: unknown }
  | { kind: 'slow'; ms: number }
  | { kind: 'cut' | 'lost' | 'duplicates' | 'again' | 'endless' }
  | { kind: 'shape'; body: unknown };

/** What is to go wrong next, at each endpoint in turn. */
export class Faults {
  readonly #waiting: { endpoint: Endpoint; fault: Fault; times: number }[] = [];

  add(endpoint: Endpoint, fault: Fault, times = 1): void {
    this.#waiting.push({ endpoint, fault, times });
  }

  take(endpoint: Endpoint): Fault | null {
    const at = this.#waiting.findIndex((one) => one.endpoint === endpoint);
    const found = this.#waiting[at];
    if (!found) return null;
    found.times--;
    if (found.times === 0) this.#waiting.splice(at, 1);
    return found.fault;
  }

  clear(): void {
    this.#waiting.length = 0;
  }
}
