export type Endpoint = 'me' | 'mentions' | 'timeline' | 'lookup' | 'search' | 'create';

/**
 * A fault: a refusal with its status; an answer that is slow, cut off, endless or of another shape; an answer that is
 * lost after the call took effect (`lost`); one with every entry twice (`duplicates`); one that repeats earlier entries
 * (`again`).
 */
export type Fault =
  | { kind: 'rate-limit'; resetAt?: Date }
  | { kind: 'status'; status: number; body?: unknown }
  | { kind: 'slow'; ms: number }
  | { kind: 'cut' | 'lost' | 'duplicates' | 'again' | 'endless' }
  | { kind: 'shape'; body: unknown };

/** Queue of the next faults of each endpoint. */
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
