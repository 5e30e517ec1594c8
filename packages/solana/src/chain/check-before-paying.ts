import { type Account, ExtensionType, getAccountLen, unpackAccount } from '@solana/spl-token';
import { type AccountInfo, type Connection, PublicKey, type SimulatedTransactionResponse } from '@solana/web3.js';
import { formatAmount, InvalidPriceError, isDecimals, isTransferable } from '../amount.ts';
import type { FeatureTerms } from '../feature-terms.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { REFUSALS } from '../refusals.ts';
import { associatedAccount } from './associated-account.ts';
import { buildFeaturePayment } from './build-feature-payment.ts';
import { readMintAccount } from './read-mint.ts';

/** What the payer is asked to confirm. */
export interface PaymentSummary {
  /** The price in tokens, as a decimal string. */
  amount: string;
  receiver: string;
  receiverAccount: string;
  networkFeeLamports: bigint;
  /** Rent that the payer leaves in the receiver's new account; 0 if the account exists. */
  rentLamports: bigint;
  createsAccount: boolean;
  /** The payer's SOL before the payment. */
  payerSolLamports: bigint;
}

/** The payment must not be signed. The message is the sentence to show. */
export class PaymentCheckError extends Error {
  override readonly name = 'PaymentCheckError';
  readonly code: PaymentCheckCode;

  constructor(code: PaymentCheckCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export type PaymentCheckCode =
  | 'self_payment'
  | 'same_accounts'
  | 'invalid_account'
  | 'insufficient_tokens'
  | 'insufficient_sol';

/** The methods of a connection that the check uses. It neither signs nor sends. */
export type PaymentChecker = Pick<
  Connection,
  | 'getFeeForMessage'
  | 'getLatestBlockhash'
  | 'getMinimumBalanceForRentExemption'
  | 'getMultipleAccountsInfo'
  | 'simulateTransaction'
>;

const SOL_DECIMALS = 9;
/** The protocol's fee for one signature; used if the node does not know the blockhash yet. */
const SIGNATURE_FEE_LAMPORTS = 5_000;

/**
 * Checks a payment before the wallet signs it: the terms are valid, both token accounts are correct, tokens and SOL
 * suffice, and in a simulation the receiver gets the price.
 *
 * @throws InvalidPriceError, UnsupportedMintError or PaymentCheckError with the sentence to show. Errors of the
 * connection pass through.
 */
export async function checkBeforePaying(connection: PaymentChecker, terms: FeatureTerms): Promise<PaymentSummary> {
  const { payer, receiver, receiverAccount, mint } = terms;
  const payerAccount = checkTerms(terms);
  const addresses = [mint, payer, payerAccount, receiver, receiverAccount].map((address) => new PublicKey(address));
  const [{ blockhash }, infos] = await Promise.all([
    connection.getLatestBlockhash('confirmed'),
    connection.getMultipleAccountsInfo(addresses, 'confirmed'),
  ]);
  const [mintInfo = null, payerInfo = null, payerAccountInfo = null, receiverInfo = null, receiverAccountInfo = null] =
    infos;
  checkMint(mintInfo, terms);
  checkPayerAccount(payerAccountInfo, payerAccount, terms);
  const receivedBefore = checkReceiver(receiverInfo, receiverAccountInfo, terms);

  const transaction = buildFeaturePayment(terms, blockhash);
  const createsAccount = receiverAccountInfo === null;
  const [fee, rent] = await Promise.all([
    connection.getFeeForMessage(transaction.message, 'confirmed'),
    createsAccount ? connection.getMinimumBalanceForRentExemption(newAccountBytes(terms), 'confirmed') : 0,
  ]);
  const networkFeeLamports = BigInt(fee.value ?? SIGNATURE_FEE_LAMPORTS);
  const payerSolLamports = BigInt(payerInfo?.lamports ?? 0);
  checkSol(payerSolLamports, networkFeeLamports + BigInt(rent));

  const { value: simulation } = await connection.simulateTransaction(transaction, {
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: true,
    accounts: { encoding: 'base64', addresses: [receiverAccount] },
  });
  const received = checkSimulation(simulation, terms);
  // The difference may exceed the price, if another payment arrives between the two answers.
  if (received.baseUnits - receivedBefore < terms.baseUnits)
    throw invalidAccount('the receiver would not get the price');
  return {
    amount: formatAmount(terms.baseUnits, terms.decimals),
    receiver,
    receiverAccount,
    networkFeeLamports,
    rentLamports: createsAccount ? received.lamports : 0n,
    createsAccount,
    payerSolLamports,
  };
}

/** The checks without network access. Returns the payer's associated account. */
function checkTerms({
  payer,
  receiver,
  receiverAccount,
  mint,
  tokenProgram,
  baseUnits,
  decimals,
}: FeatureTerms): string {
  if (!isTransferable(baseUnits) || !isDecimals(decimals)) throw new InvalidPriceError();
  if (payer === receiver) {
    throw new PaymentCheckError('self_payment', REFUSALS.self_payment);
  }
  const payerAccount = associatedAccount(payer, mint, tokenProgram);
  if (payerAccount === receiverAccount) {
    throw new PaymentCheckError('same_accounts', 'Source and destination accounts are the same. Nothing was paid.');
  }
  if (receiverAccount !== associatedAccount(receiver, mint, tokenProgram)) {
    throw invalidAccount('the receiving account is not the receiving wallet’s account of this token');
  }
  return payerAccount;
}

function checkMint(info: AccountInfo<Buffer> | null, terms: FeatureTerms): void {
  const { tokenProgram, decimals } = readMintAccount(terms.mint, info);
  if (decimals !== terms.decimals) throw new InvalidPriceError();
  if (tokenProgram !== terms.tokenProgram) throw invalidAccount('the token belongs to another program');
}

function checkPayerAccount(info: AccountInfo<Buffer> | null, address: string, terms: FeatureTerms): void {
  const price = formatAmount(terms.baseUnits, terms.decimals);
  if (!info) {
    throw invalidAccount(`your wallet has no account of this token. You need ${price} tokens to feature this tweet.`);
  }
  const account = readAccount(info, address, terms, { wallet: terms.payer, name: 'your token account' });
  if (account.amount < terms.baseUnits) {
    const sentence = `Insufficient token balance. You need ${price} tokens to feature this tweet.`;
    throw new PaymentCheckError('insufficient_tokens', sentence);
  }
}

/** Returns the base units in the receiver's account; 0 if the account does not exist yet. */
function checkReceiver(
  walletInfo: AccountInfo<Buffer> | null,
  accountInfo: AccountInfo<Buffer> | null,
  terms: FeatureTerms,
): bigint {
  // If a token account owns a token account, its tokens can never be moved.
  if (walletInfo && isTokenProgram(walletInfo.owner))
    throw invalidAccount('the receiver is a token account, no wallet');
  if (!accountInfo) return 0n;
  const expected = { wallet: terms.receiver, name: 'the receiving account' };
  const account = readAccount(accountInfo, terms.receiverAccount, terms, expected);
  if (account.delegate) throw invalidAccount('the receiving account may be emptied by a delegate');
  if (account.closeAuthority) throw invalidAccount('the receiving account may be closed by somebody else');
  return account.amount;
}

function readAccount(
  info: AccountInfo<Buffer>,
  address: string,
  terms: FeatureTerms,
  expected: { wallet: string; name: string },
): Account {
  const account = unpack(info, address, terms, expected.name);
  if (account.owner.toBase58() !== expected.wallet) throw invalidAccount(`${expected.name} belongs to another wallet`);
  if (account.mint.toBase58() !== terms.mint) throw invalidAccount(`${expected.name} is of another token`);
  if (account.isFrozen) throw invalidAccount(`${expected.name} is frozen`);
  return account;
}

function unpack(info: AccountInfo<Buffer>, address: string, terms: FeatureTerms, name: string): Account {
  try {
    return unpackAccount(new PublicKey(address), info, new PublicKey(terms.tokenProgram));
  } catch (error) {
    throw invalidAccount(`${name} is no token account`, error);
  }
}

function checkSol(available: bigint, needed: bigint): void {
  if (available >= needed) return;
  const sentence = `Insufficient SOL. This payment costs ${sol(needed)} SOL besides the tokens, your wallet has ${sol(available)} SOL.`;
  throw new PaymentCheckError('insufficient_sol', sentence);
}

function checkSimulation({ err, accounts }: SimulatedTransactionResponse, terms: FeatureTerms) {
  const reason = JSON.stringify(err);
  if (reason.includes('InsufficientFundsFor')) {
    const sentence = 'Insufficient SOL. Too little would be left in your wallet to keep it open.';
    throw new PaymentCheckError('insufficient_sol', sentence);
  }
  const account = accounts?.[0];
  const [data, encoding] = account?.data ?? [];
  if (err || !account || data === undefined || encoding !== 'base64') {
    throw invalidAccount('the network would refuse this payment', new Error(reason));
  }
  const info = { ...account, owner: new PublicKey(account.owner), data: Buffer.from(data, 'base64') };
  const expected = { wallet: terms.receiver, name: 'the receiving account' };
  const { amount } = readAccount(info, terms.receiverAccount, terms, expected);
  return { baseUnits: amount, lamports: BigInt(account.lamports) };
}

function newAccountBytes({ tokenProgram }: FeatureTerms): number {
  return getAccountLen(tokenProgram === TOKEN_2022_PROGRAM ? [ExtensionType.ImmutableOwner] : []);
}

function isTokenProgram(program: PublicKey): boolean {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].includes(program.toBase58());
}

function invalidAccount(reason: string, cause?: unknown): PaymentCheckError {
  return new PaymentCheckError('invalid_account', `Token account validation failed: ${reason}`, { cause });
}

function sol(lamports: bigint): string {
  return formatAmount(lamports, SOL_DECIMALS);
}
