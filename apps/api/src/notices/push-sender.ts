import { setMaxListeners } from 'node:events';
import type { BrowserDocument } from '../accounts/browser-store.ts';
import { LeasedLoop } from '../background/leased-loop.ts';
import { tell } from '../channels.ts';
import type { PushKeys } from '../push-keys.ts';
import type { PushNeeds } from './push-finder.ts';
import type { PushDocument } from './push-store.ts';
import { sendPush } from './send-push.ts';

const TICK_MS = 1_000;
/** Longest time in which a round claims messages, because its lease ends. */
const ROUND_MS = 10_000;
/**
 * Messages in progress at once, one for each wallet. A browser that does not answer holds its place for ten seconds.
 */
const SENDERS = 64;
const SENDERS_OF_HOST = SENDERS / 2;
/**
 * Places for browsers that have not accepted their last message, or never had one. An attacker can add any number of
 * them.
 */
const SENDERS_UNPROVEN = SENDERS / 2;
/** Milliseconds until a message without a place is tried again. */
const BUSY_MS = 2_000;
const UNPROVEN_BUSY_MS = 15_000;
/**
 * A browser that accepts a message more slowly does not count as proven, since it holds its place almost as long as a
 * silent one.
 */
const PROMPT_MS = 2_000;
/** Pauses after failures of a browser, each longer. */
const WAITS_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000];

/**
 * Sends stored messages, in one process at a time. A round starts the due messages; those in progress continue beside
 * the next round, so that no message waits for another's answer.
 */
export class PushSender extends LeasedLoop {
  readonly #context: PushNeeds;
  readonly #keys: PushKeys;
  readonly #underWay = new Set<Promise<void>>();
  readonly #wallets = new Set<string>();
  readonly #hosts = new Map<string, number>();
  #unproven = 0;

  constructor(context: PushNeeds, keys: PushKeys) {
    super(context, { name: 'push sender', tickMs: TICK_MS });
    this.#context = context;
    this.#keys = keys;
    // Each message in progress adds listeners to this signal.
    setMaxListeners(2 * SENDERS, this.signal);
  }

  /** Runs one round and waits for all messages in progress. */
  override async look(): Promise<boolean> {
    const isFound = await super.look();
    await Promise.all(this.#underWay);
    return isFound;
  }

  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all(this.#underWay);
  }

  protected steps() {
    return [() => this.#round()];
  }

  async #round(): Promise<boolean> {
    const endsAt = performance.now() + ROUND_MS;
    let isFound = false;
    while (!this.signal.aborted && performance.now() < endsAt) {
      if (this.#underWay.size >= SENDERS) await Promise.race(this.#underWay);
      const push = await this.#context.pushes.claim(new Date(this.#context.now()), [...this.#wallets]);
      if (!push) break;
      isFound = true;
      await this.#start(push);
    }
    return isFound;
  }

  async #start(push: PushDocument): Promise<void> {
    const { _id, browser: id, wallet, endsAt } = push;
    const { accounts, pushes, now } = this.#context;
    const browser = await accounts.browsers.find(id);
    // The browser has signed out, turned notices off, or belongs to another wallet by now.
    if (!browser || browser.wallet !== wallet || browser.key !== this.#keys.publicKey) return pushes.dropOf(id, wallet);
    if (endsAt.getTime() <= now()) return pushes.end(_id);
    if (browser.awayUntil && browser.awayUntil.getTime() > now()) return pushes.leave(_id, browser.awayUntil);
    const { host } = new URL(browser.endpoint);
    const isProven = browser.isProven === true;
    // Thousands of unproven ones may wait, and each attempt costs three database calls.
    const busyMs = isProven ? BUSY_MS : UNPROVEN_BUSY_MS;
    const isFull = (this.#hosts.get(host) ?? 0) >= SENDERS_OF_HOST || (!isProven && this.#unproven >= SENDERS_UNPROVEN);
    if (isFull) return pushes.leave(_id, new Date(now() + busyMs));
    this.#hold(wallet, host, isProven, 1);
    const sending = this.#send(push, browser)
      .catch((error: unknown) => {
        // A message that a stop interrupts is sent after its claim has ended.
        if (!this.signal.aborted) this.#context.log.warn({ err: error, wallet }, 'could not send a push');
      })
      .finally(() => {
        this.#hold(wallet, host, isProven, -1);
        this.#underWay.delete(sending);
      });
    this.#underWay.add(sending);
  }

  #hold(wallet: string, host: string, isProven: boolean, places: 1 | -1): void {
    const ofHost = (this.#hosts.get(host) ?? 0) + places;
    if (ofHost > 0) this.#hosts.set(host, ofHost);
    else this.#hosts.delete(host);
    if (places > 0) this.#wallets.add(wallet);
    else this.#wallets.delete(wallet);
    if (!isProven) this.#unproven += places;
  }

  async #send({ _id, browser: id, wallet, message, tries }: PushDocument, browser: BrowserDocument): Promise<void> {
    const { accounts, pushes, now } = this.#context;
    const startedAt = performance.now();
    const outcome = await sendPush(this.#context, this.#keys, { browser, message, signal: this.signal });
    tell('push', { outcome: outcome.state });
    if (outcome.state === 'gone') {
      await accounts.browsers.drop(id, wallet);
      return pushes.dropOf(id, wallet);
    }
    if (outcome.state === 'later') {
      // The pause applies to the browser, since its other messages would fail as well.
      const wait = WAITS_MS[Math.min(browser.failures, WAITS_MS.length - 1)] ?? 0;
      const awayUntil = new Date(now() + Math.max(wait, outcome.afterMs));
      await accounts.browsers.count(id, false, awayUntil);
      return tries > WAITS_MS.length ? pushes.end(_id) : pushes.putOff(_id, awayUntil);
    }
    await pushes.end(_id);
    await accounts.browsers.count(id, outcome.state === 'taken' && performance.now() - startedAt < PROMPT_MS);
  }
}
