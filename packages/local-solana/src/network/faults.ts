import { HISTORY_SLOTS } from '../chain/chain.ts';
import type { Lens } from '../rpc/call.ts';
import { REQUEST_TOKENS } from '../rpc/cluster.ts';
import type { Fault, FaultKind } from './protocol.ts';

type Kind = FaultKind['kind'];

/** The faults of one endpoint. */
export class Faults {
  #faults: Fault[] = [];

  add(fault: Fault): void {
    if (fault.kind === 'lag' && !(fault.slots >= 0 && fault.slots <= HISTORY_SLOTS)) {
      throw new Error(`An endpoint lags by 0 to ${HISTORY_SLOTS} slots.`);
    }
    this.#faults.push({ ...fault });
  }

  clear(): void {
    this.#faults = [];
  }

  /** Returns the fault of this kind for one of these methods, if any, and counts one use of it. */
  take<K extends Kind>(kind: K, methods: string[]): Extract<Fault, { kind: K }> | undefined {
    const fault = this.#faults.find((one) => one.kind === kind && meets(one, methods));
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times <= 0) this.#faults = this.#faults.filter((one) => one !== fault);
    }
    return fault as Extract<Fault, { kind: K }> | undefined;
  }

  has(kind: Kind): boolean {
    return this.#faults.some((fault) => fault.kind === kind);
  }

  lens(method: string): Lens {
    return {
      lagSlots: this.take('lag', [method])?.slots ?? 0,
      hidesTransactions: method === 'getTransaction' && this.take('hide-transactions', [method]) !== undefined,
      losesTransactions: SENDING.has(method) && this.take('lose-transactions', [method]) !== undefined,
    };
  }
}

const SENDING = new Set(['sendTransaction', 'requestAirdrop', REQUEST_TOKENS]);

function meets({ methods }: Fault, asked: string[]): boolean {
  return !methods || methods.some((method) => asked.includes(method));
}
