import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '@archive/local-solana';
import { Payer, PRICE } from '@archive/testing';
import { seeded } from '@archive/testing/generate-posts';
import { checkPayments, type PaymentsReport } from '../src/featuring/check-payments.ts';
import { PaymentStore } from '../src/featuring/payment-store.ts';
import { Stage } from './stage.ts';

const PAYERS = 6;
const RUNS_PER_ROUND = 10;
const SLOT_MS = 60;
const FINALIZED_AFTER = 12;
/** Limit of a wait; long, because a busy machine is slow. */
const SETTLE_TIMEOUT_MS = 180_000;
const HOUR_MS = 3_600_000;

/** Faults of the server or of its node during payments. */
const FAULTS = {
  nothing: null,
  'API killed': null,
  'database killed': null,
  'RPC down': { kind: 'drop' },
  'RPC slower than its time limit': { kind: 'delay', ms: 6_000 },
  'RPC answers 429': { kind: 'status', status: 429 },
  'RPC answers HTML': { kind: 'html' },
  'RPC answers an error': { kind: 'error', code: -32_005, message: 'Node is behind' },
  'null after confirmed': { kind: 'hide-transactions' },
  'stale node': { kind: 'lag', slots: 30 },
  'said to have expired, landed all the same': { kind: 'hide-transactions' },
  'rolled back before finalized': null,
} as const satisfies Record<string, Fault | null>;

type FaultName = keyof typeof FAULTS;

interface Person {
  payer: Payer;
  token: string;
}

interface Run {
  signature: string;
  post: string;
  isEnough: boolean;
  isRolledBack: boolean;
}

export interface PaymentFaultReport {
  runs: number;
  byFault: Record<string, number>;
  applied: number;
  credits: number;
  dropped: number;
  /** As text: what the check found, and runs that did not end as expected. */
  wrong: string[];
}

/**
 * Users pay: sometimes two for one post, sometimes too little, sometimes closing the page right after, all during
 * faults. After each round everything on the chain must be applied once or be a credit.
 */
export async function runPaymentFaults(options: {
  runs: number;
  seed: number;
  onRound?: (line: string) => void;
}): Promise<PaymentFaultReport> {
  const stage = await PaymentStage.open(options.runs);
  const random = seeded(options.seed);
  const names = Object.keys(FAULTS) as FaultName[];
  const all: Run[] = [];
  const wrong: string[] = [];
  const byFault: Record<string, number> = {};
  try {
    for (let round = 0; all.length < options.runs; round++) {
      const fault = names[Math.floor(random() * names.length)] as FaultName;
      const runs = await stage.round(fault, Math.min(RUNS_PER_ROUND, options.runs - all.length), random);
      byFault[fault] = (byFault[fault] ?? 0) + runs.length;
      all.push(...runs);
      wrong.push(...(await stage.untilSettled(runs)).map((line) => `round ${round + 1} (${fault}): ${line}`));
      const { differences } = await stage.check();
      wrong.push(...differences.map((line) => `round ${round + 1} (${fault}): ${line}`));
      options.onRound?.(`round ${round + 1}, ${fault}: ${all.length} payments so far, ${wrong.length} wrong`);
    }
    wrong.push(...(await stage.untilDropped(all)));
    // An hour later no payment may be pending.
    wrong.push(...(await stage.check(HOUR_MS)).differences);
    const states = await stage.states(all);
    wrong.push(...compare(all, states));
    const count = (...wanted: string[]) => [...states.values()].filter(({ state }) => wanted.includes(state)).length;
    return {
      runs: all.length,
      byFault,
      applied: count('applied', 'finalized'),
      credits: count('credit'),
      dropped: count('dropped'),
      wrong,
    };
  } finally {
    await stage.close();
  }
}

/**
 * Checks that for each post one full payment is applied, and that the others and those that are too small are credits.
 */
function compare(runs: readonly Run[], states: Map<string, { state: string; reason: string | null }>): string[] {
  const wrong: string[] = [];
  const byPost = new Map<string, Run[]>();
  for (const run of runs) byPost.set(run.post, [...(byPost.get(run.post) ?? []), run]);
  for (const [post, paid] of byPost) {
    const standing = paid.filter((run) => run.isEnough && !run.isRolledBack);
    const applied = paid.filter(({ signature }) => /applied|finalized/.test(states.get(signature)?.state ?? ''));
    if (applied.length > 1) wrong.push(`${applied.length} payments were applied to post ${post}`);
    if (standing.length > 0 && applied.length === 0 && paid.every((run) => !run.isRolledBack)) {
      wrong.push(`no payment was applied to post ${post}`);
    }
    for (const run of paid) {
      const { state, reason } = states.get(run.signature) ?? { state: 'unknown', reason: null };
      if (!run.isEnough && !run.isRolledBack && reason !== 'too_little') {
        wrong.push(`${run.signature} was too little and is ${state}`);
      }
      if (run.isRolledBack && state !== 'dropped' && state !== 'unknown') {
        wrong.push(`${run.signature} was rolled back and is ${state}`);
      }
    }
  }
  return wrong;
}

/** Users with funds on a network whose slots advance by time. */
export class PaymentStage {
  readonly #stage: Stage;
  readonly #payments: PaymentStore;
  readonly #people: Person[] = [];

  private constructor(stage: Stage) {
    this.#stage = stage;
    this.#payments = new PaymentStore(stage.database.db);
  }

  static async open(runs: number): Promise<PaymentStage> {
    const solana = { slotMs: SLOT_MS, finalizedAfter: FINALIZED_AFTER };
    const stage = await Stage.open({ solana, posts: runs * 2 + 100 });
    const payments = new PaymentStage(stage);
    const { product } = stage;
    for (let index = 0; index < PAYERS; index++) {
      const payer = await Payer.open(product.solana, undefined, '100000');
      payments.#people.push({ payer, token: (await payer.wallet.signIn(product)).token });
    }
    return payments;
  }

  /** Makes a number of payments during one fault. */
  async round(name: FaultName, count: number, random: () => number): Promise<Run[]> {
    const runs: Run[] = [];
    const shared = this.#stage.takePost();
    const sending: Promise<string>[] = [];
    const work = Array.from({ length: count }, async (_, index) => {
      const person = this.#people[index % PAYERS] as Person;
      const { payer } = person;
      // Two payments of one payer for one post in one slot would be the same transaction.
      const isShared = random() < 0.2 && index < PAYERS;
      const post = isShared ? shared : this.#stage.takePost();
      const isEnough = random() > 0.1;
      const isClosed = random() < 0.3;
      const sent = delay(random() * 300).then(() => this.#send(payer, post, isEnough ? PRICE : PRICE / 2n));
      sending.push(sent);
      const signature = await sent;
      const run = { signature, post, isEnough, isRolledBack: false };
      runs.push(run);
      if (!isClosed) await this.#report(person, post, signature);
      if (name === 'rolled back before finalized' && random() < 0.5) {
        // Fails if the payment is already final. Later transactions of the same fork are executed again.
        run.isRolledBack = await this.#stage.product.solana.control.rollBack(signature).then(
          () => true,
          () => false,
        );
      }
    });
    await delay(random() * 200);
    await this.#disturb(name, random, sending);
    await Promise.all(work);
    return runs;
  }

  /**
   * Sends a payment. If the machine was too busy to send it within the 150 slots of its blockhash, it gets a new one.
   */
  async #send(payer: Payer, post: string, baseUnits: bigint): Promise<string> {
    for (;;) {
      try {
        return await payer.send(await payer.build(post, baseUnits));
      } catch (error) {
        if (!/blockhash not found/i.test(String(error))) throw error;
      }
    }
  }

  async #disturb(name: FaultName, random: () => number, sending: readonly Promise<string>[]): Promise<void> {
    const { product } = this.#stage;
    if (name === 'API killed' || name === 'database killed') {
      await product.kill(name === 'API killed' ? 'API' : 'database');
      await product.recover();
    }
    const fault = FAULTS[name];
    if (!fault) return;
    await product.node.fault(fault);
    await delay(300 + random() * 700);
    if (name === 'said to have expired, landed all the same') {
      await Promise.all(sending);
      await product.solana.control.advance(151);
    }
    await delay(200);
    await product.node.clearFaults();
  }

  /** Reports a payment as the page does: repeatedly, until the answer is final. */
  async #report({ payer, token }: Person, post: string, signature: string, pauseMs = 100): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const { status } = await payer.verify(this.#stage.product, token, post, signature);
      if ([200, 409, 422].includes(status)) return;
      await delay(pauseMs);
    }
  }

  /**
   * Milliseconds from the confirmation of a payment until its post is featured: with the page open, which asks every
   * second as the web does, or with the page closed, when the server finds the payment itself.
   */
  async timeCredit(isOpen: boolean): Promise<number> {
    const person = this.#people[0] as Person;
    const { payer } = person;
    const post = this.#stage.takePost();
    const signature = await payer.send(await payer.build(post));
    for (;;) {
      const { value } = await payer.connection.getSignatureStatus(signature);
      if (value?.confirmationStatus === 'confirmed') break;
      await delay(10);
    }
    const confirmedAt = performance.now();
    if (isOpen) await this.#report(person, post, signature, 1_000);
    while (!/applied|finalized/.test((await this.#payments.find(signature))?.state ?? '')) await delay(20);
    return performance.now() - confirmedAt;
  }

  /** Waits until all payments on the chain are settled. Returns the others as text. */
  untilSettled(runs: readonly Run[]): Promise<string[]> {
    const standing = runs.filter(({ isRolledBack }) => !isRolledBack);
    return this.#until(
      standing,
      /applied|finalized|credit/,
      SETTLE_TIMEOUT_MS,
      (state) => `is ${state} after three minutes`,
    );
  }

  /** Waits until the rolled-back payments are dropped. Returns the others as text. */
  untilDropped(runs: readonly Run[]): Promise<string[]> {
    const gone = runs.filter(({ isRolledBack }) => isRolledBack);
    return this.#until(gone, /dropped|unknown/, SETTLE_TIMEOUT_MS, () => 'was rolled back and stands');
  }

  /** Waits until each run is in a wanted state. Returns the others as text. */
  async #until(runs: readonly Run[], wanted: RegExp, timeoutMs: number, words: (state: string) => string) {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const states = await this.states(runs);
      const stateOf = ({ signature }: Run) => states.get(signature)?.state ?? 'unknown';
      const left = runs.filter((run) => !wanted.test(stateOf(run)));
      if (left.length === 0) return [];
      if (Date.now() > deadline) return left.map((run) => `${run.signature} ${words(stateOf(run))}`);
      await delay(100);
    }
  }

  async states(runs: readonly Run[]): Promise<Map<string, { state: string; reason: string | null }>> {
    const found = await this.#payments.payments
      .find({ _id: { $in: runs.map(({ signature }) => signature) } })
      .toArray();
    return new Map(found.map(({ _id, state, reason }) => [_id, { state, reason }]));
  }

  check(laterMs = 0): Promise<PaymentsReport> {
    return checkPayments({
      posts: this.#stage.postStore,
      payments: this.#payments,
      chain: this.#stage.chain,
      now: this.#stage.now(laterMs),
    });
  }

  close(): Promise<void> {
    return this.#stage.close();
  }
}
