import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as kit from '@solana/kit';
import * as spl from '@solana/spl-token';
import {
  type AddressLookupTableAccount,
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { associatedAccount, buildFeaturePayment, checkBeforePaying, type MintTerms, readMint } from '../src/chain.ts';
import {
  checkFeaturePayment,
  type FeatureTerms,
  featureMemo,
  MEMO_PROGRAM,
  type PaymentFacts,
  readFeaturePayment,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../src/verify.ts';
import { _openNetwork, EACH_HOLDS, type Network } from './_network.ts';

const PRICE = 1_500_000n;
const POST = '0123456789abcdef01234567';
const OTHER_POST = 'fedcba9876543210fedcba98';

let network: Network;
let payer: Keypair;
let other: Keypair;
let receiver: Keypair;
let splToken: MintTerms;
let token2022: MintTerms;

beforeAll(async () => {
  network = await _openNetwork();
  payer = await network.wallet();
  other = await network.wallet();
  const holders = [payer, other];
  splToken = await network.makeToken({ tokenProgram: TOKEN_PROGRAM, holders });
  token2022 = await network.makeToken({
    tokenProgram: TOKEN_2022_PROGRAM,
    holders,
    extensions: [spl.ExtensionType.MetadataPointer],
    setUp: (mint) => [
      spl.createInitializeMetadataPointerInstruction(mint, payer.publicKey, mint, new PublicKey(TOKEN_2022_PROGRAM)),
    ],
  });
});

afterAll(() => network.close());

beforeEach(async () => {
  receiver = await network.wallet();
});

function _terms(token: MintTerms = splToken, changes: Partial<FeatureTerms> = {}): FeatureTerms {
  const wallet = receiver.publicKey.toBase58();
  return {
    payer: payer.publicKey.toBase58(),
    receiver: wallet,
    receiverAccount: associatedAccount(wallet, token.mint, token.tokenProgram),
    ...token,
    postId: POST,
    baseUnits: PRICE,
    ...changes,
  };
}

const _account = (wallet: Keypair, token: MintTerms = splToken) =>
  new PublicKey(associatedAccount(wallet.publicKey.toBase58(), token.mint, token.tokenProgram));

function _open(owner: Keypair, token: MintTerms = splToken) {
  return spl.createAssociatedTokenAccountIdempotentInstruction(
    payer.publicKey,
    _account(owner, token),
    owner.publicKey,
    new PublicKey(token.mint),
    new PublicKey(token.tokenProgram),
  );
}

function _transfer(from: Keypair, to: Keypair, baseUnits: bigint, token: MintTerms = splToken, authority = from) {
  return spl.createTransferCheckedInstruction(
    _account(from, token),
    new PublicKey(token.mint),
    _account(to, token),
    authority.publicKey,
    baseUnits,
    token.decimals,
    [],
    new PublicKey(token.tokenProgram),
  );
}

function _memo(text: string) {
  return new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data: Buffer.from(text) });
}

function _batch(...parts: TransactionInstruction[]) {
  const data = parts.flatMap((part) => [part.keys.length, part.data.length, ...part.data]);
  return new TransactionInstruction({
    programId: new PublicKey(TOKEN_PROGRAM),
    keys: parts.flatMap((part) => part.keys),
    data: Buffer.from([255, ...data]),
  });
}

/** The validator's result for these instructions, after the chain has run them. */
async function _judge(instructions: TransactionInstruction[], signers: Keypair[], terms = _terms()) {
  const signature = await network.run(instructions, signers);
  const fetched = await network.fetched(signature);
  return { read: readFeaturePayment(fetched, terms), fetched, signature };
}

describe.each([
  ['SPL Token', () => splToken],
  ['Token-2022', () => token2022],
])('a payment in %s', (_, token) => {
  test('costs what was announced, arrives, and is read back, first and second time', async () => {
    const terms = _terms(token());
    expect(await readMint(network.connection, terms.mint)).toEqual(token());
    for (const createsAccount of [true, false]) {
      const summary = await checkBeforePaying(network.connection, terms);
      expect(summary).toMatchObject({ amount: '1.5', createsAccount, networkFeeLamports: 5_000n });
      expect(summary.rentLamports > 0n).toBe(createsAccount);

      const { blockhash } = await network.connection.getLatestBlockhash();
      const signature = await network.send(buildFeaturePayment(terms, blockhash), [payer]);
      const read = readFeaturePayment(await network.fetched(signature), terms) as PaymentFacts;
      expect(read).toMatchObject({ signature, payer: terms.payer, baseUnits: PRICE, postId: POST });
      expect(checkFeaturePayment(read, terms, Date.now())).toBe('ok');

      const left = BigInt(await network.connection.getBalance(payer.publicKey));
      expect(summary.payerSolLamports - left).toBe(summary.networkFeeLamports + summary.rentLamports);
    }
  });
});

describe('the validator, over what the chain really did', () => {
  test('reads a payment whose accounts come from a lookup table', async () => {
    const recentSlot = (await network.connection.getSlot('finalized')) || 1;
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot,
    });
    const addresses = [_account(receiver), _account(payer), new PublicKey(splToken.mint), receiver.publicKey];
    const extend = AddressLookupTableProgram.extendLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      lookupTable: table,
      addresses,
    });
    await network.run([create, extend], [payer]);
    await network.control.advance(2);
    const lookup = (await network.connection.getAddressLookupTable(table)).value as AddressLookupTableAccount;
    const { blockhash: recentBlockhash } = await network.connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash,
      instructions: [_open(receiver), _memo(featureMemo(POST)), _transfer(payer, receiver, PRICE)],
    }).compileToV0Message([lookup]);
    const signature = await network.send(new VersionedTransaction(message), [payer]);
    const fetched = await network.fetched(signature);
    expect(fetched?.transaction.message.accountKeys).not.toContain(_account(receiver).toBase58());
    expect(readFeaturePayment(fetched, _terms())).toMatchObject({ baseUnits: PRICE, postId: POST });
  });

  test('reads a payment of transaction version 1', async () => {
    const signer = await kit.createKeyPairSignerFromBytes(payer.secretKey);
    const { blockhash, lastValidBlockHeight } = await network.connection.getLatestBlockhash();
    const lifetime = { blockhash: blockhash as kit.Blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
    const limits = { computeUnitLimit: 200_000, loadedAccountsDataSizeLimit: 1_000_000 };
    const steps = [_open(receiver), _memo(featureMemo(POST)), _transfer(payer, receiver, PRICE)].map((step) => ({
      programAddress: kit.address(step.programId.toBase58()),
      accounts: step.keys.map(({ pubkey, isSigner, isWritable }) => ({
        address: kit.address(pubkey.toBase58()),
        role: (Number(isSigner) * 2 + Number(isWritable)) as kit.AccountRole,
      })),
      data: Uint8Array.from(step.data),
    }));
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 1 }),
      (it) => kit.setTransactionMessageFeePayerSigner(signer, it),
      (it) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, it),
      (it) => kit.setTransactionMessageConfig(limits, it),
      (it) => kit.appendTransactionMessageInstructions(steps, it),
    );
    const wire = kit.getBase64EncodedWireTransaction(await kit.signTransactionMessageWithSigners(message));
    const signature = await network.rpc<string>('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]);
    await network.control.advance(2);
    const fetched = await network.fetched(signature);
    expect(fetched?.version).toBe(1);
    expect(readFeaturePayment(fetched, _terms())).toMatchObject({ signature, baseUnits: PRICE, postId: POST });
  });

  test('reads a transfer within a batch, which lists no inner instructions', async () => {
    const batch = _batch(_transfer(payer, other, 1n), _transfer(payer, receiver, PRICE));
    const { read, fetched } = await _judge([_open(receiver), batch], [payer]);
    expect(fetched?.meta?.innerInstructions).toHaveLength(1);
    expect(read).toMatchObject({ payer: payer.publicKey.toBase58(), baseUnits: PRICE, postId: null });
  });

  test('does not know a transaction that nobody sent', async () => {
    const unknown = new VersionedTransaction(
      new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: (await network.connection.getLatestBlockhash()).blockhash,
        instructions: [_memo('never sent')],
      }).compileToV0Message(),
    );
    unknown.sign([payer]);
    const signature = kit.getBase58Decoder().decode(unknown.signatures[0] as Uint8Array);
    expect(readFeaturePayment(await network.fetched(signature), _terms())).toMatchObject({ code: 'pending' });
  });

  test('refuses one that failed for want of tokens', async () => {
    const { read } = await _judge([_open(receiver), _transfer(payer, receiver, EACH_HOLDS * 9n)], [payer]);
    expect(read).toMatchObject({ code: 'failed' });
  });

  test('refuses one to somebody else, and one in another token', async () => {
    const elsewhere = await _judge([_memo(featureMemo(POST)), _transfer(payer, other, PRICE)], [payer]);
    expect(elsewhere.read).toMatchObject({ code: 'not_received' });
    const steps = [_open(receiver, token2022), _transfer(payer, receiver, PRICE, token2022)];
    expect((await _judge(steps, [payer])).read).toMatchObject({ code: 'not_received' });
  });

  test('refuses one that is sent back in the same transaction', async () => {
    const steps = [_open(receiver), _transfer(payer, receiver, PRICE), _transfer(receiver, payer, PRICE)];
    expect((await _judge(steps, [payer, receiver])).read).toMatchObject({ code: 'not_received' });
  });

  test('refuses the receiver paying itself', async () => {
    await network.run([_open(receiver), _transfer(payer, receiver, PRICE)], [payer]);
    const { read } = await _judge([_transfer(receiver, receiver, PRICE)], [receiver]);
    expect(read).toMatchObject({ code: 'self_payment' });
  });

  test('keeps for its owner what a delegate moved, whoever else signs', async () => {
    const allow = spl.createApproveInstruction(_account(payer), other.publicKey, payer.publicKey, PRICE);
    await network.run([allow, _open(receiver)], [payer]);
    const byDelegate = _transfer(payer, receiver, 1n, splToken, other);
    expect((await _judge([byDelegate], [other])).read).toMatchObject({ code: 'not_signed' });
    const memo = _memo(featureMemo(POST));
    const kept = { code: 'moved_otherwise', facts: { payer: payer.publicKey.toBase58(), baseUnits: 1n, postId: POST } };
    expect((await _judge([memo, byDelegate], [other])).read).toMatchObject(kept);
    const nothing = { fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 0 };
    const withOwner = await _judge([memo, byDelegate, SystemProgram.transfer(nothing)], [other, payer]);
    expect(withOwner.read).toMatchObject(kept);
  });

  test('reads an unchecked transfer, alone and in a batch', async () => {
    const plain = () => spl.createTransferInstruction(_account(payer), _account(receiver), payer.publicKey, PRICE);
    const paid = { payer: payer.publicKey.toBase58(), baseUnits: PRICE, postId: POST };
    for (const steps of [() => [plain()], () => [_batch(plain())]]) {
      const { read } = await _judge([_open(receiver), _memo(featureMemo(POST)), ...steps()], [payer]);
      expect(read).toMatchObject(paid);
      receiver = await network.wallet();
    }
  });

  test('refuses one that hands over control of the receiver’s account, openly or in a batch', async () => {
    const account = () => _account(receiver);
    const { CloseAccount, AccountOwner } = spl.AuthorityType;
    const allow = () => spl.createApproveInstruction(account(), other.publicKey, receiver.publicKey, PRICE);
    const closer = () =>
      spl.createSetAuthorityInstruction(account(), receiver.publicKey, CloseAccount, other.publicKey);
    for (const change of [allow, closer]) {
      const steps = [_open(receiver), _transfer(payer, receiver, PRICE), change()];
      const openly = await _judge(steps, [payer, receiver]);
      expect(openly.fetched?.meta?.err).toBeNull();
      expect(openly.read).toMatchObject({ code: 'account_changed' });
      receiver = await network.wallet();
    }
    const hidden = _batch(_transfer(payer, receiver, PRICE), allow(), closer());
    const inBatch = await _judge([_open(receiver), hidden], [payer, receiver]);
    expect(inBatch.fetched?.meta?.err).toBeNull();
    expect(inBatch.read).toMatchObject({ code: 'account_changed' });

    receiver = await network.wallet();
    const giveAway = spl.createSetAuthorityInstruction(account(), receiver.publicKey, AccountOwner, other.publicKey);
    const steps = [_open(receiver), _transfer(payer, receiver, PRICE), giveAway];
    const given = await _judge(steps, [payer, receiver]);
    expect(given.read).toMatchObject({ code: 'wrong_account' });
    // From now on the wallet's associated account belongs to another wallet.
    expect((await _judge([_transfer(payer, receiver, PRICE)], [payer])).read).toMatchObject({ code: 'wrong_account' });
    await expect(checkBeforePaying(network.connection, _terms())).rejects.toThrow(
      'Token account validation failed: the receiving account belongs to another wallet',
    );
  });

  test('credits of two payers only the larger one, with its own tokens', async () => {
    const steps = [_open(receiver), _transfer(other, receiver, 1n), _transfer(payer, receiver, PRICE)];
    const { read } = await _judge(steps, [other, payer]);
    expect(read).toMatchObject({ payer: payer.publicKey.toBase58(), baseUnits: PRICE });
  });

  test('keeps for the other wallet what it gave back to the payer', async () => {
    const [memo, pay, back] = [
      _memo(featureMemo(POST)),
      _transfer(payer, receiver, PRICE),
      _transfer(other, payer, PRICE),
    ];
    const steps = [_open(receiver), memo, pay, back];
    expect((await _judge(steps, [payer, other])).read).toMatchObject({
      code: 'moved_otherwise',
      facts: { payer: other.publicKey.toBase58(), baseUnits: PRICE },
    });
  });

  test('keeps the facts of a payment that names two posts, and ignores what others write', async () => {
    const memos = [_memo(featureMemo(POST)), _memo(featureMemo(OTHER_POST))];
    const two = await _judge([_open(receiver), ...memos, _transfer(payer, receiver, PRICE)], [payer]);
    expect(two.read).toMatchObject({ code: 'several_posts', facts: { baseUnits: PRICE, postId: null } });
    const foreign = [_memo('gm ✍️'), _memo(`${featureMemo(POST)} `), _memo(featureMemo(OTHER_POST))];
    const one = await _judge([_transfer(payer, receiver, PRICE), ...foreign], [payer]);
    expect(one.read).toMatchObject({ baseUnits: PRICE, postId: OTHER_POST });
  });

  test('counts of a token with a fee what is left, and the token is refused beforehand', async () => {
    const program = new PublicKey(TOKEN_2022_PROGRAM);
    const fees = await network.makeToken({
      tokenProgram: TOKEN_2022_PROGRAM,
      holders: [payer],
      extensions: [spl.ExtensionType.TransferFeeConfig],
      setUp: (mint) => [
        spl.createInitializeTransferFeeConfigInstruction(
          mint,
          payer.publicKey,
          payer.publicKey,
          100,
          10n ** 9n,
          program,
        ),
      ],
    });
    const terms = _terms(fees);
    const withFee = spl.createTransferCheckedWithFeeInstruction(
      _account(payer, fees),
      new PublicKey(fees.mint),
      _account(receiver, fees),
      payer.publicKey,
      PRICE,
      6,
      PRICE / 100n,
      [],
      program,
    );
    for (const transfer of [withFee, _transfer(payer, receiver, PRICE, fees)]) {
      const { read } = await _judge([_open(receiver, fees), transfer], [payer], terms);
      expect(read).toMatchObject({ baseUnits: (PRICE * 99n) / 100n });
      expect(checkFeaturePayment(read as PaymentFacts, terms, Date.now())).toBe('too_little');
    }
    await expect(readMint(network.connection, fees.mint)).rejects.toThrow('it may take a fee from every transfer');
    await expect(checkBeforePaying(network.connection, terms)).rejects.toThrow('it may take a fee from every transfer');
  });
});

describe('the checks before paying, over real accounts', () => {
  test('want tokens in an account that is not frozen', async () => {
    const freezer = await network.wallet();
    const token = await network.makeToken({ tokenProgram: TOKEN_PROGRAM, holders: [payer], freezeAuthority: freezer });
    const terms = _terms(token);
    const check = (changes: Partial<FeatureTerms>) => checkBeforePaying(network.connection, { ...terms, ...changes });
    await expect(check({ baseUnits: EACH_HOLDS + 1n })).rejects.toThrow(
      'Insufficient token balance. You need 900.000001 tokens to feature this tweet.',
    );
    await expect(check({ payer: other.publicKey.toBase58() })).rejects.toThrow(
      'Token account validation failed: your wallet has no account of this token. You need 1.5 tokens to feature this tweet.',
    );
    await expect(check({ decimals: 9 })).rejects.toThrow('Invalid feature price or token decimals');
    const freeze = spl.createFreezeAccountInstruction(
      _account(payer, token),
      new PublicKey(token.mint),
      freezer.publicKey,
    );
    await network.run([freeze], [freezer]);
    await expect(check({})).rejects.toThrow('Token account validation failed: your token account is frozen');
  });

  test('want nobody else to have power over the receiver’s account', async () => {
    const allow = spl.createApproveInstruction(_account(receiver), other.publicKey, receiver.publicKey, 1n);
    await network.run([_open(receiver), allow], [payer, receiver]);
    await expect(checkBeforePaying(network.connection, _terms())).rejects.toThrow(
      'Token account validation failed: the receiving account may be emptied by a delegate',
    );
  });

  test('want the receiver to be a wallet', async () => {
    await network.run([_open(receiver)], [payer]);
    const wallet = _account(receiver).toBase58();
    const receiverAccount = associatedAccount(wallet, splToken.mint, TOKEN_PROGRAM);
    await expect(
      checkBeforePaying(network.connection, { ..._terms(), receiver: wallet, receiverAccount }),
    ).rejects.toThrow('Token account validation failed: the receiver is a token account, no wallet');
  });

  test('want SOL for fee and rent, and enough left to keep the wallet open', async () => {
    const poor = Keypair.generate();
    const give = (lamports: number) =>
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: poor.publicKey, lamports });
    await network.run([give(891_000), _open(poor), _transfer(other, poor, PRICE)], [payer, other]);
    const terms = _terms(splToken, { payer: poor.publicKey.toBase58() });
    await expect(checkBeforePaying(network.connection, terms)).rejects.toThrow(
      'Insufficient SOL. This payment costs 0.00204428 SOL besides the tokens, your wallet has 0.000891 SOL.',
    );
    await network.run([_open(receiver)], [payer]);
    await expect(checkBeforePaying(network.connection, terms)).rejects.toThrow(
      'Insufficient SOL. Too little would be left in your wallet to keep it open.',
    );
    await network.run([give(5_000)], [payer]);
    expect(await checkBeforePaying(network.connection, terms)).toMatchObject({ rentLamports: 0n });
  });
});
