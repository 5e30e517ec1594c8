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
import { REFUSALS, type Refusal, refuse } from './refusals.ts';
import { readTokenSteps, type TokenStep } from './token-instructions.ts';

type Transfer = Extract<TokenStep, { kind: 'transfer' }>;
type TransferRefusal = 'no_transfer' | 'not_signed' | 'self_payment';

/**
 * What a fetched transaction paid to the receiver, and who paid it, or why it is no payment. Pure, and judged by effects:
 * wallets add, wrap and reorder instructions, so positions prove nothing. Two proofs must agree: a checked transfer to the
 * receiver by a signer who owns the source, and the balances before and after. Where several wallets pay in one
 * transaction, the facts are of the one that gave most, and only of what it gave itself.
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
  if (!steps) return refuse('not_understood');
  if (steps.some((step) => step.kind === 'control')) return refuse('account_changed');

  const arrived = after.baseUnits - (before?.baseUnits ?? 0n);
  const transfers = steps.filter((step) => step.kind === 'transfer');
  const { paidBy, refusal } = sumByPayer(transfers, opened, terms);
  if (paidBy.size === 0) return refuse(refusal ?? (arrived > 0n ? 'no_transfer' : 'not_received'));
  if (arrived <= 0n) return refuse('not_received');
  const sent = transfers.reduce((sum, transfer) => sum + transfer.baseUnits, 0n);
  const [payer, baseUnits] = largestShare(paidBy, { baseUnits: arrived, sent }, opened, terms.mint);
  if (baseUnits <= 0n) return refuse('not_debited');

  const posts = namedPosts(opened.topLevel);
  const [postId = null] = posts;
  const facts = {
    signature,
    payer,
    baseUnits,
    postId,
    slot: transaction.slot,
    blockTime: transaction.blockTime ?? null,
  };
  if (posts.size <= 1) return facts;
  return { code: 'several_posts', message: REFUSALS.several_posts, facts: { ...facts, postId: null } };
}

function isReceiverAccount(balance: TokenBalance, terms: ReceiverTerms): boolean {
  const { mint, owner, program, decimals } = balance;
  const isOwnAccount = owner === terms.receiver && mint === terms.mint;
  return isOwnAccount && program === terms.tokenProgram && decimals === terms.decimals;
}

/** Transfers to the receiver's account and changes of control over it, inner and batched ones included. */
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

/** What each wallet sent by its own signature, with a reason for what was not counted. */
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
  const { authority, source } = transfer;
  const balance = before.get(source) ?? after.get(source);
  if (transfer.mint !== terms.mint || transfer.decimals !== terms.decimals) return 'no_transfer';
  // Another account of the receiver, or the same one: an account may transfer to itself.
  if (balance?.owner === terms.receiver) return 'self_payment';
  // A delegate, a shared wallet or a program may move tokens too, and so may one who became owner just now.
  const isOwner = balance?.mint === terms.mint && balance.owner === authority;
  const isStillOwner = (after.get(source)?.owner ?? authority) === authority;
  return isOwner && isStillOwner && signers.has(authority) ? null : 'not_signed';
}

/**
 * The wallet that gave most: what it sent, but no more than its own accounts lost all in all, nor than what arrived
 * beyond the others' transfers. So a token's fee counts as not arrived, and what somebody else put in, or this wallet got
 * back, never counts for it.
 */
function largestShare(
  paidBy: ReadonlyMap<string, bigint>,
  arrived: { baseUnits: bigint; sent: bigint },
  { before, after }: OpenedTransaction,
  mint: string,
): [payer: string, baseUnits: bigint] {
  let largest: [string, bigint] = ['', 0n];
  for (const [wallet, sent] of paidBy) {
    const debit = holdings(before, wallet, mint) - holdings(after, wallet, mint);
    const own = arrived.baseUnits - (arrived.sent - sent);
    let share = sent;
    for (const limit of [debit, own]) if (limit < share) share = limit;
    if (share > largest[1]) largest = [wallet, share];
  }
  return largest;
}

function holdings(balances: ReadonlyMap<string, TokenBalance>, wallet: string, mint: string): bigint {
  let sum = 0n;
  for (const balance of balances.values()) {
    if (balance.owner === wallet && balance.mint === mint) sum += balance.baseUnits;
  }
  return sum;
}

/** The posts named by memos of ours at top level; other memos are other people's business. */
function namedPosts(topLevel: readonly Instruction[]): ReadonlySet<string> {
  const posts = new Set<string>();
  for (const { program, data } of topLevel) {
    if (program !== MEMO_PROGRAM && program !== MEMO_V1_PROGRAM) continue;
    // Base58 takes less than two letters a byte: a longer memo is not ours, and costly to decode.
    if (data.length > 2 * FEATURE_MEMO_BYTES) continue;
    const postId = parseFeatureMemo(String.fromCharCode(...(bs58.decodeUnsafe(data) ?? [])));
    if (postId !== null) posts.add(postId);
  }
  return posts;
}
