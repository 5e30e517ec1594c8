import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as kit from '@solana/kit';
import * as spl from '@solana/spl-token';
import {
  type AddressLookupTableAccount,
  AddressLookupTableProgram,
  type Connection,
  Keypair,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { base64, memoInstruction, openNetwork, sign, type TestNetwork } from './_network.ts';

let network: TestNetwork;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  // 150 slots then take 30 s, as long as web3.js reuses a blockhash.
  network = await openNetwork({ slotMs: 200 });
  connection = network.connect();
  payer = await network.fundedWallet();
});

afterAll(() => network.close());

describe('the unchanged clients', () => {
  test('make a token, pay with it and read memo and balances back', async () => {
    const mint = await spl.createMint(connection, payer, payer.publicKey, null, 6);
    const source = await spl.getOrCreateAssociatedTokenAccount(connection, payer, mint, payer.publicKey);
    await spl.mintTo(connection, payer, mint, source.address, payer, 5_000_000n);
    const receiver = Keypair.generate().publicKey;
    const destination = spl.getAssociatedTokenAddressSync(mint, receiver);
    const transaction = new Transaction().add(
      spl.createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, destination, receiver, mint),
      spl.createTransferCheckedInstruction(source.address, mint, destination, payer.publicKey, 1_250_000n, 6),
      memoInstruction('thanks ✍️'),
    );
    const signature = await sendAndConfirmTransaction(connection, transaction, [payer]);

    expect((await spl.getAccount(connection, destination)).amount).toBe(1_250_000n);
    expect((await spl.getMint(connection, mint)).supply).toBe(5_000_000n);
    expect(await connection.getSignaturesForAddress(destination)).toMatchObject([
      { signature, memo: '[13] thanks ✍️', err: null },
    ]);
    const { meta } = (await connection.getTransaction(signature, { maxSupportedTransactionVersion: 1 })) ?? {};
    expect(meta).toMatchObject({
      err: null,
      fee: 5_000,
      preTokenBalances: [{ mint: mint.toBase58(), uiTokenAmount: { amount: '5000000' } }],
    });
    expect(meta?.postTokenBalances?.find(({ owner }) => owner === receiver.toBase58())).toMatchObject({
      mint: mint.toBase58(),
      uiTokenAmount: { amount: '1250000', decimals: 6, uiAmountString: '1.25' },
    });
    expect(meta?.innerInstructions).toMatchObject([{ index: 0, instructions: Array(4).fill({ stackHeight: 2 }) }]);
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 1 });
    expect(parsed?.transaction.message.instructions).toMatchObject([
      { program: 'spl-associated-token-account', parsed: { type: 'createIdempotent' } },
      { program: 'spl-token', parsed: { type: 'transferChecked', info: { tokenAmount: { amount: '1250000' } } } },
      { program: 'spl-memo', parsed: 'thanks ✍️' },
    ]);
  });

  test('make a Token-2022 mint that holds its own metadata', async () => {
    const mint = Keypair.generate();
    const space = spl.getMintLen([spl.ExtensionType.MetadataPointer]);
    const create = new Transaction().add(
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: mint.publicKey,
        space,
        lamports: await connection.getMinimumBalanceForRentExemption(space),
        programId: spl.TOKEN_2022_PROGRAM_ID,
      }),
      spl.createInitializeMetadataPointerInstruction(
        mint.publicKey,
        payer.publicKey,
        mint.publicKey,
        spl.TOKEN_2022_PROGRAM_ID,
      ),
      spl.createInitializeMintInstruction(mint.publicKey, 6, payer.publicKey, null, spl.TOKEN_2022_PROGRAM_ID),
    );
    await sendAndConfirmTransaction(connection, create, [payer, mint]);
    const words = ['Example', 'EXMP', 'https://example.com/token.json'] as const;
    const authorities = [payer.publicKey, payer] as const;
    await spl.tokenMetadataInitializeWithRentTransfer(connection, payer, mint.publicKey, ...authorities, ...words);
    expect(await spl.getTokenMetadata(connection, mint.publicKey)).toMatchObject({ name: 'Example', symbol: 'EXMP' });
    const { value } = await connection.getParsedAccountInfo(mint.publicKey);
    expect(value?.data).toMatchObject({
      program: 'spl-token-2022',
      parsed: {
        type: 'mint',
        info: { extensions: [{ extension: 'metadataPointer' }, { state: { name: 'Example' } }] },
      },
    });
  });

  test('lose the fee of a Token-2022 mint on the way', async () => {
    const mint = Keypair.generate();
    const program = spl.TOKEN_2022_PROGRAM_ID;
    const space = spl.getMintLen([spl.ExtensionType.TransferFeeConfig]);
    const create = new Transaction().add(
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: mint.publicKey,
        space,
        lamports: await connection.getMinimumBalanceForRentExemption(space),
        programId: program,
      }),
      spl.createInitializeTransferFeeConfigInstruction(mint.publicKey, null, null, 100, 10_000_000n, program),
      spl.createInitializeMintInstruction(mint.publicKey, 6, payer.publicKey, null, program),
    );
    await sendAndConfirmTransaction(connection, create, [payer, mint]);
    const ends = [payer.publicKey, Keypair.generate().publicKey];
    const [from, to] = (await Promise.all(
      ends.map((owner) => spl.createAssociatedTokenAccount(connection, payer, mint.publicKey, owner, {}, program)),
    )) as [PublicKey, PublicKey];
    await spl.mintTo(connection, payer, mint.publicKey, from, payer, 5_000_000n, [], {}, program);
    const signature = await spl.transferChecked(
      connection,
      payer,
      from,
      mint.publicKey,
      to,
      payer,
      5_000_000n,
      6,
      [],
      {},
      program,
    );
    const paid = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 1 });
    expect(paid?.meta?.postTokenBalances?.map(({ uiTokenAmount }) => uiTokenAmount.amount)).toEqual(
      expect.arrayContaining(['0', '4950000']),
    );
  });

  test('send version 1, which is read back as such', async () => {
    const signer = await kit.createKeyPairSignerFromBytes(payer.secretKey);
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 1 }),
      (it) => kit.setTransactionMessageFeePayerSigner(signer, it),
      (it) =>
        kit.setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as kit.Blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) },
          it,
        ),
      (it) =>
        kit.setTransactionMessageConfig({ computeUnitLimit: 100_000, loadedAccountsDataSizeLimit: 1_000_000 }, it),
      (it) =>
        kit.appendTransactionMessageInstruction(
          { programAddress: kit.address(memoInstruction('').programId.toBase58()), data: Buffer.from('first of one') },
          it,
        ),
    );
    const wire = kit.getBase64EncodedWireTransaction(await kit.signTransactionMessageWithSigners(message));
    const signature = await connection.sendEncodedTransaction(wire);
    await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight });
    expect(await connection.getSignaturesForAddress(payer.publicKey, { limit: 1 })).toMatchObject([
      { signature, memo: '[12] first of one' },
    ]);
    await expect(connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })).rejects.toMatchObject({
      code: -32_015,
    });
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 1 });
    expect(read).toMatchObject({ version: 1, meta: { err: null } });
    expect(read?.transaction.message).toMatchObject({ transactionConfig: { computeUnitLimit: 100_000 } });
  });
});

test('a lookup table is made and used, and what it names is in the history', async () => {
  const recentSlot = (await connection.getSlot('processed')) - 1;
  const authority = payer.publicKey;
  const receiver = Keypair.generate().publicKey;
  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot,
  });
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable,
    authority,
    payer: authority,
    addresses: [receiver],
  });
  await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [payer]);
  await network.control.advance(1);
  const { value: table } = await connection.getAddressLookupTable(lookupTable);
  const latest = await connection.getLatestBlockhash();
  const transfer = SystemProgram.transfer({ fromPubkey: authority, toPubkey: receiver, lamports: 5_000_000 });
  const message = new TransactionMessage({
    payerKey: authority,
    recentBlockhash: latest.blockhash,
    instructions: [transfer],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message([table as AddressLookupTableAccount]));
  transaction.sign([payer]);
  const signature = await connection.sendTransaction(transaction);
  await connection.confirmTransaction({ signature, ...latest });
  expect(await connection.getBalance(receiver)).toBe(5_000_000);
  expect(await connection.getSignaturesForAddress(receiver)).toMatchObject([{ signature }]);
  const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(read?.meta).toMatchObject({ loadedAddresses: { writable: [receiver], readonly: [] } });
  expect(read?.meta?.postBalances.at(-1)).toBe(5_000_000);
});

describe('a transaction that goes wrong', () => {
  const tooMuch = () => network.payment(payer, 10n ** 15n, 'too much');

  test('fails its preflight with the logs and leaves no trace', async () => {
    const transaction = await tooMuch();
    const error = await connection.sendTransaction(transaction, { preflightCommitment: 'processed' }).catch((it) => it);
    expect(error).toBeInstanceOf(SendTransactionError);
    expect((error as SendTransactionError).logs?.join('\n')).toMatch(/insufficient funds/);
    const { error: raw } = await network.rpc('sendTransaction', [
      base64(transaction),
      { encoding: 'base64', preflightCommitment: 'processed' },
    ]);
    expect(raw).toMatchObject({
      code: -32_002,
      message: 'Transaction simulation failed: Error processing Instruction 1: custom program error: 0x1',
      data: { err: { InstructionError: [1, { Custom: 1 }] } },
    });
  });

  test('lands without a preflight, costs its fee and keeps its error', async () => {
    const before = await connection.getBalance(payer.publicKey, 'processed');
    const signature = await connection.sendTransaction(await tooMuch(), { skipPreflight: true });
    const strategy = { signature, ...(await connection.getLatestBlockhash()) };
    const outcome = await connection.confirmTransaction(strategy).then(
      ({ value }) => value.err,
      (error: unknown) => error,
    );
    expect(outcome).toEqual({ InstructionError: [1, { Custom: 1 }] });
    // After an error, the client does not wait for the commitment.
    await network.control.advance(1);
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(landed?.meta).toMatchObject({ err: { InstructionError: [1, { Custom: 1 }] }, fee: 5_000 });
    expect(await connection.getBalance(payer.publicKey)).toBe(before - 5_000);
  });

  test('is refused when it was sent before', async () => {
    const transaction = await network.payment(payer, 1n, 'once');
    const options = { encoding: 'base64', preflightCommitment: 'processed' };
    const first = await network.rpc('sendTransaction', [base64(transaction), options]);
    expect((await network.rpc('sendTransaction', [base64(transaction), options])).error).toMatchObject({
      code: -32_002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    });
    const again = await network.rpc('sendTransaction', [base64(transaction), { ...options, skipPreflight: true }]);
    expect(again.result).toBe(first.result);
  });

  test('is refused once its blockhash has expired, and dropped in silence without a preflight', async () => {
    const transaction = await network.payment(payer, 1n, 'late');
    await network.control.advance(151);
    const { error } = await network.rpc('sendTransaction', [base64(transaction), { encoding: 'base64' }]);
    expect(error).toMatchObject({ code: -32_002, data: { err: 'BlockhashNotFound' } });
    const signature = await connection.sendTransaction(transaction, { skipPreflight: true });
    expect(await connection.getSignatureStatus(signature, { searchTransactionHistory: true })).toMatchObject({
      value: null,
    });
  });

  test('is refused with a wrong signature', async () => {
    const transaction = await network.payment(payer, 1n, 'forged');
    transaction.signatures[0]?.fill(7, 0, 5);
    const { error } = await network.rpc('sendTransaction', [base64(transaction), { encoding: 'base64' }]);
    expect(error).toMatchObject({ code: -32_003 });
  });

  test('is refused when its payer has nothing', async () => {
    const poor = Keypair.generate();
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = sign([memoInstruction('hello')], [poor], blockhash);
    await expect(connection.sendTransaction(transaction)).rejects.toThrow(/no record of a prior credit/);
  });
});

describe('a simulation', () => {
  test('needs neither signatures nor a living blockhash when told so, and shows accounts after it', async () => {
    const transaction = await network.payment(payer, 2_000_000n, 'maybe');
    transaction.signatures = [new Uint8Array(64)];
    await network.control.advance(151);
    const wallet = new PublicKey(network.featureWallet);
    const account = spl.getAssociatedTokenAddressSync(new PublicKey(network.mint), wallet);
    const simulate = (settings: object) => connection.simulateTransaction(transaction, settings);
    expect((await simulate({})).value.err).toBe('BlockhashNotFound');
    const accounts = { encoding: 'base64', addresses: [account.toBase58()] };
    const { value } = await simulate({ replaceRecentBlockhash: true, accounts });
    expect(value).toMatchObject({
      err: null,
      accounts: [{ owner: spl.TOKEN_PROGRAM_ID.toBase58(), data: expect.anything() }],
    });
    expect(value.logs?.join()).toContain('maybe');
    await expect(simulate({ sigVerify: true })).rejects.toThrow('signature verification failure');
  });
});
