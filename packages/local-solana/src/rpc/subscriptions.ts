import type { Chain, ChainListener } from '../chain/chain.ts';
import type { Commitment } from '../chain/clock.ts';
import type { TransactionRecord } from '../chain/ledger.ts';
import { API_VERSION, Call, type Config, type Lens, readAddress, readCommitment } from './call.ts';
import type { RpcRequest } from './dispatch.ts';
import { encodeAccount, readAccountEncoding } from './encode-account.ts';
import { invalidParams } from './rpc-error.ts';

interface Subscription {
  method: string;
  /** `onRecord` is called for each record that reaches this commitment. It returns the notification, if any. */
  commitment?: Commitment;
  onRecord?(record: TransactionRecord): unknown;
  onSlot?(slot: number): unknown;
  once?: boolean;
}

let lastId = 0;

/** The subscriptions of one WebSocket connection. */
export class Subscriptions implements ChainListener {
  readonly #chain: Chain;
  readonly #send: (message: unknown) => void;
  readonly #active = new Map<number, Subscription>();

  constructor(chain: Chain, send: (message: unknown) => void) {
    this.#chain = chain;
    this.#send = send;
    chain.listeners.add(this);
  }

  close(): void {
    this.#chain.listeners.delete(this);
  }

  /** Answers a subscribe or unsubscribe request; undefined for any other method. */
  call({ method, params }: RpcRequest, lens: Lens): { result: unknown; afterwards?: () => void } | undefined {
    const call = new Call(this.#chain, lens, params);
    const open = OPENERS[method];
    if (open) {
      const subscription = open(call);
      lastId += 1;
      const id = lastId;
      this.#active.set(id, subscription);
      return { result: id, afterwards: () => this.#catchUp(id, subscription, call) };
    }
    if (!/^(account|logs|signature|slot)Unsubscribe$/.test(method)) return undefined;
    const id = Number(call.u64(0));
    if (!this.#active.delete(id)) throw invalidParams('Invalid subscription id.');
    return { result: true };
  }

  onSlot(slot: number): void {
    for (const [id, subscription] of this.#active) this.#notify(id, subscription, subscription.onSlot?.(slot));
  }

  onReached(commitment: Commitment, record: TransactionRecord): void {
    for (const [id, subscription] of this.#active) {
      if (subscription.commitment !== commitment) continue;
      this.#notify(id, subscription, subscription.onRecord?.(record));
    }
  }

  /** Notifies a subscriber at once if its signature has already reached the commitment. */
  #catchUp(id: number, subscription: Subscription, call: Call): void {
    if (!subscription.once || !subscription.commitment) return;
    const record = call.record(call.signature(0), this.#chain.clock.slotAt(subscription.commitment));
    if (record) this.#notify(id, subscription, subscription.onRecord?.(record));
  }

  #notify(id: number, subscription: Subscription, result: unknown): void {
    if (result === undefined) return;
    if (subscription.once) this.#active.delete(id);
    this.#send({ jsonrpc: '2.0', method: subscription.method, params: { result, subscription: id } });
  }
}

const OPENERS: Record<string, (call: Call) => Subscription> = {
  signatureSubscribe: (call) => {
    const signature = call.signature(0);
    return {
      method: 'signatureNotification',
      commitment: readCommitment(call.config(1)['commitment']),
      once: true,
      onRecord: ({ transaction, slot, err }) =>
        transaction.signature === signature
          ? { context: { slot, apiVersion: API_VERSION }, value: { err } }
          : undefined,
    };
  },
  accountSubscribe: (call) => {
    const address = call.address(0);
    const config = call.config(1);
    const encoding = readAccountEncoding(config);
    const { chain } = call;
    const nobody = { lamports: 0, data: ['', 'base64'], owner: '11111111111111111111111111111111', executable: false };
    return {
      method: 'accountNotification',
      commitment: readCommitment(config['commitment']),
      onRecord: ({ keys, slot }) => {
        if (!keys.includes(address)) return undefined;
        const lookUp = (wanted: string) => chain.account(wanted, slot);
        const value = encodeAccount(lookUp(address), encoding, lookUp) ?? { ...nobody, rentEpoch: 0, space: 0 };
        return { context: { slot, apiVersion: API_VERSION }, value };
      },
    };
  },
  logsSubscribe: (call) => {
    const mentioned = readLogsFilter(call);
    return {
      method: 'logsNotification',
      commitment: readCommitment(call.config(1)['commitment']),
      onRecord: ({ keys, slot, transaction, err, logs }) =>
        mentioned === undefined || keys.includes(mentioned)
          ? { context: { slot, apiVersion: API_VERSION }, value: { signature: transaction.signature, err, logs } }
          : undefined,
    };
  },
  slotSubscribe: (call) => ({
    method: 'slotNotification',
    onSlot: (slot) => ({ slot, parent: slot - 1, root: call.chain.clock.slotAt('finalized') }),
  }),
};

/** The address to filter by; undefined for all. */
function readLogsFilter(call: Call): string | undefined {
  const filter = call.config(0) as Config;
  const { mentions } = filter;
  if (filter['commitment'] === 'all' || filter['commitment'] === 'allWithVotes') return undefined;
  if (!Array.isArray(mentions) || mentions.length !== 1) {
    throw invalidParams('Invalid Request: Only 1 address supported');
  }
  return readAddress(mentions[0]);
}
