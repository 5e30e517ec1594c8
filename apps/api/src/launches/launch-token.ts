import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { buildLaunchMessage, isLaunched } from '@archive/contracts';
import { decodeSignature, verifySignature } from '@archive/solana/verify';
import { type Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { Chain } from '../chain/chain.ts';
import { ChainUnavailableError } from '../chain/solana-rpc.ts';
import { findLivePost } from '../posts/live-post.ts';
import type { PostDocument } from '../posts/post-document.ts';
import { findBlockedWord } from './blocked-words.ts';
import { budgetsOf, findLaunchRefusal, type RefusalNeeds, spentRefusal } from './find-launch-refusal.ts';
import { holdsPost, type LaunchDocument, withoutWords } from './launch-document.ts';
import { mintKeypair } from './launch-key.ts';
import { type LaunchOffer, requireFunds } from './launch-offer.ts';
import type { Budget } from './launch-store.ts';
import { NOTHING_SENT, onChain } from './on-chain.ts';
import { type SettleNeeds, send, settleLaunch } from './settle-launch.ts';
import { describePost, publishMetadata, writeMetadata } from './token-metadata.ts';

type Needs = SettleNeeds & RefusalNeeds & Pick<Base, 'config' | 'ledger' | 'audit'>;

export interface LaunchRequest {
  /** The wallet of the session. */
  wallet: string;
  /** The network of the caller's address. */
  network: string;
  requestId?: string;
  amberId: string;
  name: string;
  /** As sent, and as signed. */
  symbol: string;
  /** The wallet's signature of the launch sentence. */
  signature: string;
}

/** Bytes; a transaction must fit into one network packet. */
const MAX_TRANSACTION_BYTES = 1_232;
/** How many attempts before and after this one are looked for on the chain. */
const ATTEMPTS_AROUND = 10;
/** Accounts in one answer of a node. */
const ACCOUNTS_AT_ONCE = 100;

/**
 * Launches a token from a post, once. Returns the launch when the chain has confirmed it or the wait is over. The same
 * call by the same wallet returns the same launch; any other launch of the post is a conflict.
 */
export async function launchToken(context: Needs, chain: Chain, request: LaunchRequest): Promise<LaunchDocument> {
  requireSignatureForm(request.signature);
  const post = await findLivePost(context.posts.store, request.amberId);
  // Without a queue, a hundred simultaneous calls would all be checked in full, and only one can succeed.
  const { launch, claimed } = await context.launches.queue.run(post._id.toHexString(), () =>
    claimPost(context, chain, post, request),
  );
  if (!claimed) return awaitOutcome(context, chain, launch, { isJustSent: false });
  const signed = await prepare(context, chain, claimed, launch);
  context.audit.note({
    actor: { kind: 'wallet', id: signed.wallet },
    act: 'launch token',
    subject: { kind: 'post', id: signed._id.toHexString() },
    after: { mint: signed.mint, attempt: signed.attempt, transaction: signed.transaction },
    requestId: request.requestId,
  });
  const sent = await send(context, chain, signed, signed.signedTransaction as string);
  return awaitOutcome(context, chain, sent, { isJustSent: true });
}

/** Where a launch goes, and the budgets that it counts against. */
interface Claimed {
  offer: LaunchOffer;
  budgets: readonly Budget[];
}

/** Claims the post for a new launch, or returns the launch that this request repeats, with `claimed` null. */
async function claimPost(
  context: Needs,
  chain: Chain,
  post: PostDocument,
  request: LaunchRequest,
): Promise<{ launch: LaunchDocument; claimed: Claimed | null }> {
  const standing = await context.launches.store.find(post._id);
  const repeated = refuseOther(post, standing, request);
  requireAuthorisation(request);
  if (repeated) return { launch: repeated, claimed: null };
  const budgets = await budgetsOf(context, request);
  const refusal = await findLaunchRefusal(context, post, request, budgets, 'fresh');
  if (refusal) throw refusal;
  requireAllowedWords(context, request);
  const offer = context.launches.offer.require();
  await onChain(() => requireFunds(context, chain, offer));
  // An attempt without a signed transaction keeps its number, since its token cannot exist.
  const next = standing ? standing.attempt + (standing.transaction === null ? 0 : 1) : 1;
  const launch = await firstFree(context, (attempt) => newLaunch(context, offer, post, request, attempt), next);
  await onChain(() => requireNoToken(chain, offer, post, launch.attempt));
  if (await context.launches.store.claim(launch)) return { launch, claimed: { offer, budgets } };
  // Another process was first.
  const mine = refuseOther(post, await context.launches.store.find(post._id), request);
  if (mine) return { launch: mine, claimed: null };
  throw underWay();
}

/**
 * The first attempt, from this number on, whose token was not given up by the launch of another post. A post that was
 * removed and saved again has a new `_id`, and its former launches keep the old one.
 */
async function firstFree(
  context: Pick<Needs, 'launches'>,
  launchOf: (attempt: number) => LaunchDocument,
  attempt: number,
): Promise<LaunchDocument> {
  const launch = launchOf(attempt);
  const holder = await context.launches.store.findByMint(launch.mint);
  const isGivenUp = holder && !holder._id.equals(launch._id) && !holdsPost(holder);
  return isGivenUp ? firstFree(context, launchOf, attempt + 1) : launch;
}

/** The launch that this request repeats, or null if the post is free. Throws if another launch holds the post. */
function refuseOther(
  post: PostDocument,
  standing: LaunchDocument | null,
  { wallet, name, symbol }: LaunchRequest,
): LaunchDocument | null {
  if (!standing || !holdsPost(standing)) {
    if (post.launched) throw alreadyLaunched();
    return null;
  }
  const isSame = standing.wallet === wallet && standing.name === name && standing.symbol === symbol.toUpperCase();
  if (isSame) return standing;
  throw isLaunched(standing.state) ? alreadyLaunched() : underWay();
}

function alreadyLaunched(): AppError {
  return new AppError('already_launched', 'This post has already been used for a token launch.');
}

function underWay(): AppError {
  return new AppError('launch_under_way', 'A token is being launched from this post right now.');
}

function requireSignatureForm(signature: string): void {
  if (decodeSignature(signature)) return;
  throw new AppError('invalid_request', 'The field transaction must be a signature of 64 bytes in base58 or base64.', {
    errors: [{ path: 'transaction', message: 'must be a signature of 64 bytes in base58 or base64' }],
  });
}

function requireAuthorisation(request: LaunchRequest): void {
  const { wallet: walletAddress, signature } = request;
  if (verifySignature({ message: sentenceOf(request), signature, walletAddress })) return;
  throw new AppError('signature_invalid', 'The signature is not your wallet’s over this name, symbol and post.');
}

function sentenceOf({ name, symbol, amberId }: LaunchRequest): string {
  return buildLaunchMessage({ name, symbol, id: amberId });
}

/** Refuses blocked words in the name and the symbol. */
function requireAllowedWords({ config }: Needs, request: LaunchRequest): void {
  for (const field of ['name', 'symbol'] as const) {
    const blocked = findBlockedWord(request[field], config.launch.blockedWords);
    if (blocked === null) continue;
    throw new AppError('invalid_request', `The token's ${field} is not allowed: it reads as "${blocked}".`, {
      errors: [{ path: field, message: `must not read as "${blocked}"` }],
    });
  }
}

/**
 * Throws if the chain shows a token of this post, whatever the database says. A database from a backup may lack
 * attempts, and an attempt that was given up may still be on the chain.
 */
async function requireNoToken(
  chain: Chain,
  { key, platform }: LaunchOffer,
  post: PostDocument,
  attempt: number,
): Promise<void> {
  const first = Math.max(1, attempt - ATTEMPTS_AROUND);
  const attempts = Array.from({ length: attempt + ATTEMPTS_AROUND - first + 1 }, (_, at) => first + at);
  const mints = [...post.ids, post._id.toHexString()].flatMap((id) =>
    attempts.map((one) => mintKeypair(key, id, one).publicKey.toBase58()),
  );
  for (let at = 0; at < mints.length; at += ACCOUNTS_AT_ONCE) {
    if (await chain.isAnyOf(mints.slice(at, at + ACCOUNTS_AT_ONCE), platform.tokenProgram)) throw alreadyLaunched();
  }
}

function newLaunch(
  { config, database }: Needs,
  offer: LaunchOffer,
  post: PostDocument,
  request: LaunchRequest,
  attempt: number,
): LaunchDocument {
  const now = database.clock.now();
  const mint = mintKeypair(offer.key, post.id, attempt).publicKey.toBase58();
  const symbol = request.symbol.toUpperCase();
  const description = describePost(post.content);
  const subject = { mint, name: request.name, symbol, description, post: post._id.toHexString() };
  return {
    _id: post._id,
    claim: randomUUID(),
    attempt,
    state: 'claimed',
    wallet: request.wallet,
    name: request.name,
    symbol,
    authorised: { message: sentenceOf(request), signature: request.signature },
    description,
    platform: offer.platform.name,
    network: offer.network,
    genesisHash: offer.genesisHash,
    mint,
    metadata: writeMetadata(subject, config.publicUrl),
    metadataUri: null,
    transaction: null,
    signedTransaction: null,
    lastValidBlockHeight: null,
    shown: false,
    failure: null,
    createdAt: now,
    changedAt: now,
    confirmedAt: null,
    finalizedAt: null,
    missingSince: null,
  };
}

/**
 * Does everything before the first byte is sent: metadata, transaction, simulation, and storing the signed bytes. If
 * any of it fails, the launch is undone and the post is free again.
 */
async function prepare(
  context: Needs,
  chain: Chain,
  { offer, budgets }: Claimed,
  launch: LaunchDocument,
): Promise<LaunchDocument> {
  let isCounted = false;
  try {
    const spentOne = await context.launches.store.spend(budgets, launch.createdAt);
    if (spentOne) throw spentRefusal(spentOne, launch.createdAt);
    isCounted = true;
    return await onChain(() => sign(context, chain, offer, launch));
  } catch (error) {
    const failure = error instanceof AppError ? error.message : NOTHING_SENT;
    const changes = { failure, changedAt: context.database.clock.now() };
    const released = await context.launches.store.move(launch, ['claimed'], 'failed', changes);
    if (released && isCounted) await context.launches.store.giveBack(budgets, launch.createdAt);
    throw error;
  }
}

/** The key of the token that the claim names. */
async function keyOf({ posts }: Needs, { key }: LaunchOffer, launch: LaunchDocument): Promise<Keypair> {
  const post = await findLivePost(posts.store, launch._id.toHexString());
  const mintKey = mintKeypair(key, post.id, launch.attempt);
  if (mintKey.publicKey.toBase58() === launch.mint) return mintKey;
  throw new Error(`the launch of ${launch.mint} was claimed with another key`);
}

async function sign(context: Needs, chain: Chain, offer: LaunchOffer, launch: LaunchDocument): Promise<LaunchDocument> {
  const { posts, config, database, launches, ledger, log } = context;
  const { mint, name, symbol, description } = launch;
  const post = launch._id.toHexString();
  const published = await publishMetadata(
    { mint, name, symbol, description, post },
    { publicUrl: config.publicUrl, pinning: config.launch.pinning },
  );
  const mintKey = await keyOf(context, offer, launch);
  const terms = {
    payer: offer.key.publicKey,
    mint: mintKey.publicKey,
    wallet: new PublicKey(launch.wallet),
    name,
    symbol,
    uri: published.uri,
  };
  const instructions = await offer.platform.instructions(terms, (bytes) => chain.rentOf(bytes));
  const { blockhash, lastValidBlockHeight } = await chain.latestBlockhash();
  const message = new TransactionMessage({ payerKey: terms.payer, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToLegacyMessage());
  transaction.sign([offer.key, mintKey]);
  const bytes = transaction.serialize();
  if (bytes.length > MAX_TRANSACTION_BYTES)
    throw new AppError('launch_failed', `Name and address are too long together. ${NOTHING_SENT}`);
  const { err, logs } = await chain.simulate(bytes);
  if (err !== null) {
    log.error({ post, err, logs }, 'a launch was refused in simulation');
    throw new AppError('launch_failed', `The network would not accept the token. ${NOTHING_SENT}`);
  }
  // Last check that the post exists. After this the launch is not taken back.
  const kept = await findLivePost(posts.store, post);
  const named = { transaction: bs58.encode(transaction.signatures[0] as Uint8Array) };
  const changes = {
    ...named,
    metadata: published.json,
    metadataUri: published.uri,
    signedTransaction: Buffer.from(bytes).toString('base64'),
    lastValidBlockHeight,
    changedAt: database.clock.now(),
  };
  // Stored before the ledger records the attempt, so that no later attempt gets the same number.
  if (!(await launches.store.move(launch, ['claimed'], 'claimed', named))) throw tookTooLong();
  const { _id, ids, fingerprint } = kept;
  const wordless = { ...launch, ...changes, state: 'signed', description: '', metadata: withoutWords(published.json) };
  await ledger.record({ kind: 'launch-signed', launch: wordless, post: { _id, ids, fingerprint } });
  const signed = await launches.store.move(launch, ['claimed'], 'signed', changes);
  if (!signed) throw tookTooLong();
  return signed;
}

function tookTooLong(): AppError {
  return new AppError('launch_failed', `The launch took too long. ${NOTHING_SENT}`);
}

/**
 * Polls the chain until the outcome is known or the wait is over. The watcher settles a launch that is still under way.
 */
async function awaitOutcome(
  context: Needs,
  chain: Chain,
  launch: LaunchDocument,
  options: { isJustSent: boolean },
): Promise<LaunchDocument> {
  const { waitMs, pollMs, resendMs } = context.launches.timing;
  const startedAt = performance.now();
  let sentAt = options.isJustSent ? startedAt : Number.NEGATIVE_INFINITY;
  let current = launch;
  for (;;) {
    const now = performance.now();
    const isThorough = now - sentAt >= resendMs;
    if (isThorough) sentAt = now;
    current = await follow(context, chain, current, isThorough);
    if (isLaunched(current.state)) return current;
    if (current.state === 'failed' || current.state === 'expired') {
      throw new AppError('launch_failed', current.failure ?? NOTHING_SENT);
    }
    if (now - startedAt + pollMs > waitMs) return current;
    await delay(pollMs);
  }
}

async function follow(
  context: Needs,
  chain: Chain,
  launch: LaunchDocument,
  isThorough: boolean,
): Promise<LaunchDocument> {
  if (launch.state === 'claimed') {
    // Another call prepares the launch, and the chain does not know it yet.
    const found = await context.launches.store.find(launch._id);
    if (found?.claim !== launch.claim) throw underWay();
    return found;
  }
  return settleLaunch(context, chain, launch, { isThorough }).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return launch;
    throw error;
  });
}
