import type { Post } from '@archive/contracts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SendTransactionError, type SignatureStatus } from '@solana/web3.js';
import { _entry, _LAST_HEIGHT } from './_payment.ts';
import type { Phase, ServerAnswer } from './next-step.ts';
import { type PaymentNode, preflightRefusal, runPayment } from './run-payment.ts';

const archive = { _id: 'post' } as Post;
const PATIENCE_TICKS = 500;

let clock: number;
let phases: Phase[];
/** The state of the simulated chain, by seconds since the start. */
let chain: { height: number; finalized: number; status: SignatureStatus | null; nodeSlot: number; isDown: boolean };
let server: ServerAnswer;
let events: Map<number, () => void>;
let asked: number[];
const send = jest.fn<PaymentNode['sendRawTransaction']>();

beforeEach(() => {
  clock = 0;
  phases = [];
  chain = { height: _LAST_HEIGHT - 150, finalized: _LAST_HEIGHT - 180, status: null, nodeSlot: 9_999, isDown: false };
  server = { kind: 'pending' };
  events = new Map();
  asked = [];
  send.mockReset();
  send.mockImplementation(async () => 'signature');
});

function answer<Value>(value: Value): Promise<Value> {
  return chain.isDown ? Promise.reject(new Error('away')) : Promise.resolve(value);
}

const node: PaymentNode = {
  getBlockHeight: () => answer(chain.height),
  getEpochInfo: () => answer({ absoluteSlot: chain.finalized, blockHeight: chain.finalized }),
  getSignatureStatus: () => answer({ context: { slot: chain.nodeSlot }, value: chain.status }),
  sendRawTransaction: (...input) => send(...input),
};

function run(isFresh = true) {
  let ticks = 0;
  return runPayment(_entry(), isFresh, {
    node,
    verify: async () => {
      asked.push(clock / 1_000);
      return server;
    },
    onPhase: (phase) => phases.push(phase),
    pause: async (ms) => {
      if (++ticks > PATIENCE_TICKS) throw new Error('It goes on and on.');
      for (const from = clock; clock < from + ms; ) {
        clock += 100;
        events.get(clock / 1_000)?.();
      }
    },
    now: () => clock,
  });
}

function confirmed(): SignatureStatus {
  return { slot: 1, confirmations: 1, err: null, confirmationStatus: 'confirmed' };
}

describe('following a payment', () => {
  test('sends, sees it confirmed, asks the server, and ends featured', async () => {
    events.set(3, () => {
      chain.status = confirmed();
    });
    events.set(5, () => {
      server = { kind: 'featured', archive };
    });
    expect(await run()).toEqual({ kind: 'featured', archive });
    expect(phases).toEqual(['sent', 'confirmed', 'featured']);
    expect(send.mock.calls[0]).toEqual([Uint8Array.of(1, 2, 3), { skipPreflight: false, maxRetries: 0 }]);
    expect(asked[0]).toBe(3);
  });

  test('sends the same bytes every two seconds until they can no longer land', async () => {
    events.set(10, () => {
      chain.height = _LAST_HEIGHT + 1;
    });
    events.set(30, () => {
      chain.finalized = _LAST_HEIGHT + 1;
      server = { kind: 'not_found' };
    });
    expect(await run()).toEqual({ kind: 'expired' });
    expect(send).toHaveBeenCalledTimes(5);
    for (const [bytes] of send.mock.calls) expect(bytes).toEqual(Uint8Array.of(1, 2, 3));
    expect(clock).toBe(30_000);
  });

  test('goes on when the height has passed and the payment landed after all', async () => {
    events.set(2, () => {
      chain.height = _LAST_HEIGHT + 1;
      chain.finalized = _LAST_HEIGHT - 20;
    });
    events.set(8, () => {
      chain.status = confirmed();
      server = { kind: 'featured', archive };
    });
    expect(await run()).toEqual({ kind: 'featured', archive });
  });

  test('does not believe an absence from a node that is behind', async () => {
    chain.height = _LAST_HEIGHT + 40;
    chain.finalized = _LAST_HEIGHT + 1;
    chain.nodeSlot = _LAST_HEIGHT;
    server = { kind: 'not_found' };
    events.set(20, () => {
      chain.nodeSlot = _LAST_HEIGHT + 1;
    });
    expect(await run(false)).toEqual({ kind: 'expired' });
    expect(clock).toBe(20_000);
  });

  test.each<[string, ServerAnswer]>([
    ['featured', { kind: 'featured', archive }],
    ['expired', { kind: 'not_found' }],
  ])('waits for the server before anybody may pay again, however long it says nothing: %s', async (kind, word) => {
    chain.height = _LAST_HEIGHT + 40;
    chain.finalized = _LAST_HEIGHT + 1;
    events.set(300, () => {
      server = word;
    });
    expect(await run(false)).toMatchObject({ kind });
    expect(clock).toBeGreaterThanOrEqual(300_000);
    expect(asked.length).toBeLessThan(35);
  });

  test('asks again what the server said before the network was past the payment', async () => {
    server = { kind: 'not_found' };
    events.set(2, () => {
      chain.height = _LAST_HEIGHT + 40;
      chain.finalized = _LAST_HEIGHT + 1;
      server = { kind: 'featured', archive };
    });
    expect(await run(false)).toEqual({ kind: 'featured', archive });
    expect(asked).toEqual([0, 2]);
  });

  test('outlives a node that does not answer, and a server that sees more than it', async () => {
    chain.isDown = true;
    send.mockRejectedValue(new TypeError('fetch failed'));
    events.set(40, () => {
      server = { kind: 'featured', archive };
    });
    expect(await run()).toEqual({ kind: 'featured', archive });
    expect(phases).toEqual(['featured']);
  });

  test('that the node turned down at first was never sent', async () => {
    send.mockRejectedValue(refusal('Transaction simulation failed: custom program error: 0x1', ['Program log: no']));
    expect(await run()).toMatchObject({ kind: 'not_sent' });
    expect(send).toHaveBeenCalledTimes(1);
    expect(asked).toEqual([]);
  });

  test('after a reload asks the server first, sends without a trial, and is never taken for not sent', async () => {
    send.mockRejectedValue(refusal('Transaction simulation failed: custom program error: 0x1', ['Program log: no']));
    events.set(4, () => {
      chain.status = confirmed();
      server = { kind: 'featured', archive };
    });
    expect(await run(false)).toEqual({ kind: 'featured', archive });
    expect(asked[0]).toBe(0);
    expect(send.mock.calls[0]?.[1]).toMatchObject({ skipPreflight: true });
  });

  test('asks a slow server less and less often', async () => {
    chain.status = confirmed();
    events.set(120, () => {
      server = { kind: 'featured', archive };
    });
    await run(false);
    expect(asked.length).toBeLessThan(20);
  });
});

describe('an answer to the first sending', () => {
  test.each([
    ['no answer', new TypeError('fetch failed')],
    ['an error without a trial run', refusal('Node is behind by 42 slots', undefined)],
    ['a blockhash that this node does not know yet', refusal('Transaction simulation failed: Blockhash not found', [])],
    ['one that has landed', refusal('Transaction simulation failed: This transaction has already been processed', [])],
  ])('leaves open whether it was sent: %s', (_, error) => {
    expect(preflightRefusal(error)).toBeNull();
  });

  test('says that it was not where a trial run failed', () => {
    expect(preflightRefusal(refusal('Transaction simulation failed: insufficient funds', []))).toMatch(
      'Nothing was sent.',
    );
  });
});

function refusal(transactionMessage: string, logs: string[] | undefined) {
  return new SendTransactionError({
    action: 'simulate',
    signature: '',
    transactionMessage,
    ...(logs === undefined ? {} : { logs }),
  });
}
