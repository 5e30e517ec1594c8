import { setTimeout as delay } from 'node:timers/promises';
import { TOKEN_2022_PROGRAM } from '@archive/solana/verify';
import { call, checkPost, type Launcher } from '@archive/testing';
import { Connection, PublicKey } from '@solana/web3.js';
import { checkPayments } from '../src/featuring/check-payments.ts';
import type { PaymentDocument } from '../src/featuring/payment-document.ts';
import { PaymentStore } from '../src/featuring/payment-store.ts';
import { checkLaunches } from '../src/launches/check-launches.ts';
import { LaunchStore } from '../src/launches/launch-store.ts';
import type { Stage } from './stage.ts';

const HOUR_MS = 3_600_000;
/** Limit of a wait: far more than it takes on a busy machine. */
const HANGS_MS = 120_000;
/** Length of a token account. A longer account with a 1 after these bytes is a mint with extensions. */
const TOKEN_ACCOUNT_BYTES = 165;

export interface DrillPost {
  /** The platform's id. */
  id: string;
  handle: string;
  content: string;
  /** The archive's `_id` from the first save. */
  amberId: string;
}

/** An act that the server has acknowledged, and whether a later backup contains it. */
export interface Done {
  what: string;
  isBackedUp: boolean;
  /** Returns what of it is missing, as text; null if nothing is. */
  missing(): Promise<string | null>;
}

/** The acts of a drill and the server's answers to them. */
export interface DrillState {
  stage: Stage;
  done: readonly Done[];
  removed: readonly DrillPost[];
  optedOut: readonly DrillPost[];
  launched: readonly DrillPost[];
  /** Signatures of payments. */
  sent: ReadonlySet<string>;
  /** A user who has launched none of the tokens that are tried again. */
  other: Launcher;
  /** Sends posts as an agent does. */
  send(posts: readonly DrillPost[]): Promise<unknown>;
}

/** Returns the errors after a restore, as text. */
export async function judgeDrill(state: DrillState): Promise<string[]> {
  const wrong: string[] = [];
  const { product } = state.stage;
  for (const { what, isBackedUp, missing } of state.done) {
    const line = isBackedUp ? await missing() : null;
    if (line) wrong.push(`${what} ${line}`);
  }
  // A holder of the posts might send them again.
  await state.send(state.removed);
  for (const { id, content } of state.removed) {
    const { status } = await call(product, 'GET', `/amber/archives/${id}`);
    if (status !== 410) wrong.push(`removed post ${id} answers ${status}`);
    const search = await call(product, 'GET', `/amber/archives?search=${encodeURIComponent(content)}`);
    if (search.body.total !== 0 && search.body.data.length > 0) wrong.push(`removed post ${id} is found`);
  }
  for (const post of state.optedOut) {
    await state.send([post]);
    const { body } = await call(product, 'GET', `/amber/archives/${post.id}`);
    const { refusal } = await checkPost(product, body._id);
    if (refusal?.code !== 'launch_not_allowed') wrong.push(`@${post.handle} is not opted out any more`);
  }
  wrong.push(...(await judgeTokens(state)), ...(await judgePayments(state)));
  return wrong;
}

/** Another launch for any of these posts must not make a second token. */
async function judgeTokens(state: DrillState): Promise<string[]> {
  const wrong: string[] = [];
  const { product, database, postStore, chain } = state.stage;
  const launches = new LaunchStore(database.db);
  await state.send(state.launched);
  for (const post of state.launched) {
    const { status } = await state.other.launch({ amberId: post.amberId, name: 'Second', symbol: 'TWO' });
    if (status !== 409 && status !== 410) wrong.push(`post ${post.id} was launched again: ${status}`);
  }
  wrong.push(
    ...(await checkLaunches({ posts: postStore, launches, chain, now: state.stage.now(HOUR_MS) })).differences,
  );
  const connection = new Connection(product.solana.rpcUrl, 'confirmed');
  const owned = await connection.getProgramAccounts(new PublicKey(TOKEN_2022_PROGRAM));
  const mints = owned.filter(({ account: { data } }) => data[TOKEN_ACCOUNT_BYTES] === 1);
  const kept = new Set((await launches.launches.find().toArray()).map(({ mint }) => mint));
  for (const { pubkey } of mints) if (!kept.has(pubkey.toBase58())) wrong.push(`token ${pubkey} belongs to no post`);
  if (mints.length > kept.size) wrong.push(`${mints.length} tokens for ${kept.size} posts`);
  return wrong;
}

/** Every payment must be kept once: it features one post, is a credit, or went into one use. */
async function judgePayments(state: DrillState): Promise<string[]> {
  const { database, postStore, chain } = state.stage;
  const payments = new PaymentStore(database.db);
  await untilFinal(payments);
  const { differences } = await checkPayments({ posts: postStore, payments, chain, now: state.stage.now(HOUR_MS) });
  const kept = new Map((await payments.payments.find().toArray()).map((one) => [one._id, one]));
  const wrong = [...differences];
  for (const signature of state.sent) {
    const { state } = kept.get(signature) ?? ({ state: 'lost' } as Pick<PaymentDocument, never> & { state: string });
    if (!/finalized|credit/.test(state)) wrong.push(`payment ${signature} is ${state}`);
  }
  return wrong;
}

async function untilFinal(payments: PaymentStore): Promise<void> {
  const isOpen = {
    state: { $in: ['confirmed', 'applied', 'credit'] as PaymentDocument['state'][] },
    finalizedAt: null,
  };
  for (const deadline = Date.now() + HANGS_MS; Date.now() < deadline; await delay(100)) {
    const uses = await payments.uses.countDocuments({ state: { $in: ['claiming', 'applying', 'releasing'] } });
    if (uses === 0 && (await payments.payments.countDocuments(isOpen)) === 0) return;
  }
}
