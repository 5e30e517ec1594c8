import { ENDPOINTS, PRODUCT_SLUG } from '@archive/contracts';
import type { LocalSolana } from '@archive/local-solana';
import { associatedAccount, buildFeaturePayment } from '@archive/solana/chain';
import { TOKEN_PROGRAM } from '@archive/solana/verify';
import {
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
} from '@solana/spl-token';
import {
  Connection,
  LAMPORTS_PER_SOL,
  PublicKey,
  type Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { type Answer, call, type Served } from './call.ts';
import { TestWallet } from './test-wallet.ts';

const DECIMALS = 6;
export const PRICE = 1_000_000n;
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

/** Settings of an API that uses a local network. */
export function featureEnv(solana: LocalSolana): Record<string, string> {
  return { SOLANA_RPC_URL: solana.rpcUrl, FEATURE_WALLET: solana.featureWallet, FEATURE_MINT: solana.mint };
}

/** A funded wallet that pays on a local network whose slots the test advances. */
export class Payer {
  readonly wallet: TestWallet;
  readonly connection: Connection;
  readonly #solana: LocalSolana;

  private constructor(solana: LocalSolana, wallet: TestWallet) {
    this.#solana = solana;
    this.wallet = wallet;
    this.connection = new Connection(solana.rpcUrl, 'confirmed');
  }

  static async open(solana: LocalSolana, wallet = new TestWallet(), tokens = '1000'): Promise<Payer> {
    const payer = new Payer(solana, wallet);
    await payer.connection.requestAirdrop(wallet.keypair.publicKey, LAMPORTS_PER_SOL);
    const method = `${PRODUCT_SLUG}_requestTokens`;
    const order = { jsonrpc: '2.0', id: 1, method, params: [wallet.address, tokens] };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(solana.rpcUrl, { method: 'POST', headers, body: JSON.stringify(order) });
    const { error } = (await answer.json()) as { error?: { message: string } };
    if (error) throw new Error(error.message);
    await solana.control.advance(1);
    return payer;
  }

  get terms() {
    const { mint, featureWallet: receiver } = this.#solana;
    const receiverAccount = associatedAccount(receiver, mint, TOKEN_PROGRAM);
    return {
      receiver,
      receiverAccount,
      mint,
      tokenProgram: TOKEN_PROGRAM,
      decimals: DECIMALS,
      payer: this.wallet.address,
    };
  }

  /** Makes and confirms a payment as the web builds it. */
  async pay(postId: string, baseUnits = PRICE): Promise<string> {
    const signature = await this.send(await this.build(postId, baseUnits));
    await this.#solana.control.advance(1);
    return signature;
  }

  async build(postId: string, baseUnits = PRICE): Promise<VersionedTransaction> {
    const { blockhash } = await this.connection.getLatestBlockhash();
    return this.signed(buildFeaturePayment({ ...this.terms, postId, baseUnits }, blockhash));
  }

  /** Makes and confirms a transfer with the given memos, from this wallet or as delegate of another one. */
  async transfer(
    options: { baseUnits?: bigint; memos?: string[]; isPlain?: boolean; from?: string } = {},
  ): Promise<string> {
    const { terms } = this;
    const { baseUnits = PRICE, memos = [], isPlain = false, from = terms.payer } = options;
    const source = accountOf(from, terms.mint);
    const to = new PublicKey(terms.receiverAccount);
    const signer = this.wallet.keypair.publicKey;
    const receiver = new PublicKey(terms.receiver);
    const mint = new PublicKey(terms.mint);
    return this.#run([
      // As in every wallet, because the receiver may never have held this token.
      createAssociatedTokenAccountIdempotentInstruction(signer, to, receiver, mint),
      isPlain
        ? createTransferInstruction(source, to, signer, baseUnits)
        : createTransferCheckedInstruction(source, mint, to, signer, baseUnits, DECIMALS),
      ...memos.map((memo) => new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(memo) })),
    ]);
  }

  /** Lets another wallet move up to `baseUnits` of this wallet's tokens. */
  async approve(delegate: TestWallet, baseUnits: bigint): Promise<void> {
    const owner = this.wallet.keypair.publicKey;
    const account = accountOf(this.wallet.address, this.terms.mint);
    await this.#run([createApproveInstruction(account, delegate.keypair.publicKey, owner, baseUnits)]);
  }

  async #run(instructions: TransactionInstruction[]): Promise<string> {
    const { blockhash } = await this.connection.getLatestBlockhash();
    const payerKey = this.wallet.keypair.publicKey;
    const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions });
    const signature = await this.send(this.signed(new VersionedTransaction(message.compileToLegacyMessage())));
    await this.#solana.control.advance(1);
    return signature;
  }

  signed(transaction: VersionedTransaction): VersionedTransaction {
    transaction.sign([this.wallet.keypair]);
    return transaction;
  }

  signatureOf(transaction: VersionedTransaction): string {
    return bs58.encode(transaction.signatures[0] as Uint8Array);
  }

  send(transaction: VersionedTransaction | Transaction): Promise<string> {
    return this.connection.sendRawTransaction(transaction.serialize());
  }

  verify(api: Served, token: string, amberId: string, transaction: string): Promise<Answer> {
    const { method, path } = ENDPOINTS.verifyFeature;
    return call(api, method, path, token, { amberId, transaction });
  }
}

function accountOf(wallet: string, mint: string): PublicKey {
  return new PublicKey(associatedAccount(wallet, mint, TOKEN_PROGRAM));
}
