import bs58 from 'bs58';
import { FEATURE_MEMO_BYTES, parseFeatureMemo } from './feature-memo.ts';
import type { PaymentFacts, ReceiverTerms } from './feature-terms.ts';
import {
  type FetchedTransaction,
  type Instruction,
  type OpenedTransaction,
  openTransaction,
  type TokenBalance,
} from './fetched-transaction.ts';
import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from './programs.ts';
import { type Refusal, type RefusalCode, receive, refuse } from './refusals.ts';
import { readTokenSteps, type TokenStep } from './token-instructions.ts';

type Transfer = Extract<TokenStep, { kind: 'transfer' }>;
type TransferRefusal = Extract<RefusalCode, 'no_transfer' | 'not_signed' | 'self_payment'>;
type ShareRefusal = TransferRefusal | Extract<RefusalCode, 'not_understood' | 'not_debited' | 'not_received'>;
/** A wallet, and its part of what arrived. */
type Share = readonly [wallet: string, baseUnits: bigint];

/**
 * Returns what a fetched transaction paid to the receiver and who paid it, or why it is not a payment. Pure. It judges
 * by effects, because wallets add, wrap and reorder instructions, so positions prove nothing. Two proofs must agree: a
 * transfer to the receiver by a signer who owns the source, and the balances before and after. If several wallets pay
 * in one transaction, the facts are those of the wallet that gave most, and only of its own part. Tokens that arrived
 * without such a transfer are not a payment. If a feature memo names a post, `moved_otherwise` then tells whose tokens
 * they were.
 *
 * `transaction` is the raw result of `getTransaction` (encoding json, commitment confirmed or finalized,
 * maxSupportedTransactionVersion 1), null included.
 */
export function readFeaturePayment(
  transaction: FetchedTransaction | null,
  terms: ReceiverTerms,
): PaymentFacts | Refusal {
  if (!transaction?.meta) return refuse('pending');
  if (transaction.meta.err !== null) return refuse('failed');
  const signature = transaction.transaction.signatures[0];
  const opened = openTransaction(transaction, transaction.meta);
  if (!opened || !signature) return refuse('unreadable');

  const before = opened.before.get(terms.receiverAccount);
  const after = opened.after.get(terms.receiverAccount);
  if (!after) return refuse('not_received');
  if (!isReceiverAccount(after, terms) || (before && !isReceiverAccount(before, terms))) return refuse('wrong_account');

  const steps = stepsOnReceiver(opened, terms);
  if (steps?.some((step) => step.kind === 'control')) return refuse('account_changed');

  const arrived = after.baseUnits - (before?.baseUnits ?? 0n);
  const paid = findPayer(steps, arrived, opened, terms);
  const posts = namedPosts(opened.topLevel);
  const [postId = null] = posts;
  // Without a feature memo the transfer is not for featuring, for example a purchase of tokens.
  const share = typeof paid !== 'string' ? paid : postId && largestLoss(arrived, opened, terms);
  if (!share) return refuse(paid as ShareRefusal);
  const [payer, baseUnits] = share;

  const facts = {
    signature,
    payer,
    baseUnits,
    postId,
    slot: transaction.slot,
    blockTime: transaction.blockTime ?? null,
  };
  if (posts.size > 1) return receive('several_posts', { ...facts, postId: null });
  return share === paid ? facts : receive('moved_otherwise', facts);
}

/** Returns the wallet that paid by its own signature, and how much; or why there is none. */
function findPayer(
  steps: readonly TokenStep[] | null,
  arrived: bigint,
  opened: OpenedTransaction,
  terms: ReceiverTerms,
): Share | ShareRefusal {
  if (!steps) return 'not_understood';
  const transfers = steps.filter((step) => step.kind === 'transfer');
  const { paidBy, refusal } = sumByPayer(transfers, opened, terms);
  if (paidBy.size === 0) return refusal ?? (arrived > 0n ? 'no_transfer' : 'not_received');
  if (arrived <= 0n) return 'not_received';
  const sent = transfers.reduce((sum, transfer) => sum + transfer.baseUnits, 0n);
  const share = largestShare(paidBy, { baseUnits: arrived, sent }, opened, terms.mint);
  return share[1] > 0n ? share : 'not_debited';
}

function isReceiverAccount(balance: TokenBalance, terms: ReceiverTerms): boolean {
  const { mint, owner, program, decimals } = balance;
  const isOwnAccount = owner === terms.receiver && mint === terms.mint;
  return isOwnAccount && program === terms.tokenProgram && decimals === terms.decimals;
}

/**
 * Transfers to the receiver's account and changes of control over it, including inner and batched ones. Null if one
 * cannot be read.
 */
function stepsOnReceiver({ instructions }: OpenedTransaction, terms: ReceiverTerms): TokenStep[] | null {
  const onReceiver: TokenStep[] = [];
  for (const instruction of instructions) {
    if (instruction.program !== terms.tokenProgram) continue;
    if (!instruction.accounts.includes(terms.receiverAccount)) continue;
    const steps = readTokenSteps(instruction);
    if (!steps) return null;
    for (const step of steps) {
      const account = step.kind === 'transfer' ? step.destination : step.account;
      if (account === terms.receiverAccount) onReceiver.push(step);
    }
  }
  return onReceiver;
}

/** Sums what each wallet sent by its own signature. `refusal` is the reason of a transfer that did not count. */
function sumByPayer(transfers: readonly Transfer[], opened: OpenedTransaction, terms: ReceiverTerms) {
  const paidBy = new Map<string, bigint>();
  let refusal: TransferRefusal | null = null;
  for (const transfer of transfers) {
    const reason = refuseTransfer(transfer, opened, terms);
    if (reason) refusal = reason;
    else paidBy.set(transfer.authority, (paidBy.get(transfer.authority) ?? 0n) + transfer.baseUnits);
  }
  return { paidBy, refusal };
}

function refuseTransfer(
  transfer: Transfer,
  { signers, before, after }: OpenedTransaction,
  terms: ReceiverTerms,
): TransferRefusal | null {
  const { authority, source, token } = transfer;
  const balance = before.get(source) ?? after.get(source);
  if (token && (token.mint !== terms.mint || token.decimals !== terms.decimals)) return 'no_transfer';
  // The source is an account of the receiver, possibly the same one: an account may transfer to itself.
  if (balance?.owner === terms.receiver) return 'self_payment';
  // A delegate, a shared wallet, a program, or an owner since this transaction may also move tokens.
  const isOwner = balance?.mint === terms.mint && balance.owner === authority;
  const isStillOwner = (after.get(source)?.owner ?? authority) === authority;
  return isOwner && isStillOwner && signers.has(authority) ? null : 'not_signed';
}

/**
 * Returns the wallet that gave most, and its part: what it sent, but at most what its own accounts lost in total, and
 * at most what arrived less the other transfers. So a token's fee counts as not arrived. Tokens that another wallet
 * added, or that this wallet got back, never count for it.
 */
function largestShare(
  paidBy: ReadonlyMap<string, bigint>,
  arrived: { baseUnits: bigint; sent: bigint },
  { before, after }: OpenedTransaction,
  mint: string,
): Share {
  let largest: Share = ['', 0n];
  for (const [wallet, sent] of paidBy) {
    const debit = holdings(before, wallet, mint) - holdings(after, wallet, mint);
    const own = arrived.baseUnits - (arrived.sent - sent);
    let share = sent;
    for (const limit of [debit, own]) if (limit < share) share = limit;
    if (share > largest[1]) largest = [wallet, share];
  }
  return largest;
}

/**
 * The wallet, other than the receiver, whose accounts lost most, and the loss, at most what arrived. Null if no wallet
 * lost any.
 */
function largestLoss(
  arrived: bigint,
  { before, after }: OpenedTransaction,
  { mint, receiver }: ReceiverTerms,
): Share | null {
  let largest: Share | null = null;
  for (const owner of new Set([...before.values()].map((balance) => balance.owner))) {
    if (owner === undefined || owner === receiver) continue;
    const loss = holdings(before, owner, mint) - holdings(after, owner, mint);
    if (loss > (largest?.[1] ?? 0n)) largest = [owner, loss];
  }
  if (!largest || arrived <= 0n) return null;
  return largest[1] < arrived ? largest : [largest[0], arrived];
}

function holdings(balances: ReadonlyMap<string, TokenBalance>, wallet: string, mint: string): bigint {
  let sum = 0n;
  for (const balance of balances.values()) {
    if (balance.owner === wallet && balance.mint === mint) sum += balance.baseUnits;
  }
  return sum;
}

/** The posts that feature memos at top level name. Other memos are ignored. */
function namedPosts(topLevel: readonly Instruction[]): ReadonlySet<string> {
  const posts = new Set<string>();
  for (const { program, data } of topLevel) {
    if (program !== MEMO_PROGRAM && program !== MEMO_V1_PROGRAM) continue;
    // Base58 takes less than two letters a byte. A longer memo is not a feature memo, and is costly to decode.
    if (data.length > 2 * FEATURE_MEMO_BYTES) continue;
    const postId = parseFeatureMemo(String.fromCharCode(...(bs58.decodeUnsafe(data) ?? [])));
    if (postId !== null) posts.add(postId);
  }
  return posts;
}
