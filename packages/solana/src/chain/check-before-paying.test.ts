import { describe, expect, test } from '@jest/globals';
import { AccountState } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { InvalidPriceError } from '../amount.ts';
import type { FeatureTerms } from '../feature-terms.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { _accountInfo, _fakeChain, _mintInfo, _walletInfo } from './_fake-chain.ts';
import { associatedAccount } from './associated-account.ts';
import { checkBeforePaying, PaymentCheckError } from './check-before-paying.ts';
import { UnsupportedMintError } from './read-mint.ts';

const _key = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte)).publicKey.toBase58();
const PAYER = _key(1);
const RECEIVER = _key(2);
const MINT = _key(3);
const STRANGER = _key(4);
const PAYER_ACCOUNT = associatedAccount(PAYER, MINT, TOKEN_PROGRAM);
const RECEIVER_ACCOUNT = associatedAccount(RECEIVER, MINT, TOKEN_PROGRAM);
const PRICE = 1_500_000n;

const terms: FeatureTerms = {
  payer: PAYER,
  receiver: RECEIVER,
  receiverAccount: RECEIVER_ACCOUNT,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM,
  decimals: 6,
  postId: '0123456789abcdef01234567',
  baseUnits: PRICE,
};
const receiverToken = { owner: RECEIVER, mint: MINT, amount: 7n };
const payerToken = { owner: PAYER, mint: MINT, amount: PRICE };

type Chain = Parameters<typeof _fakeChain>[0];

/** Runs the check on a valid chain with these changes. */
function _check(accounts: Chain['accounts'] = {}, changes: Partial<Chain> = {}, asked = terms) {
  const simulated = { account: _accountInfo({ ...receiverToken, amount: 7n + PRICE }) };
  const sound: Chain['accounts'] = {
    [MINT]: _mintInfo(),
    [PAYER]: _walletInfo(10_000_000),
    [PAYER_ACCOUNT]: _accountInfo(payerToken),
    [RECEIVER]: _walletInfo(1_000_000),
    [RECEIVER_ACCOUNT]: _accountInfo(receiverToken),
  };
  return checkBeforePaying(_fakeChain({ simulated, ...changes, accounts: { ...sound, ...accounts } }), asked);
}

describe('before paying', () => {
  test('a person is told what it costs, and whom', async () => {
    expect(await _check()).toEqual({
      amount: '1.5',
      receiver: RECEIVER,
      receiverAccount: RECEIVER_ACCOUNT,
      networkFeeLamports: 5_000n,
      rentLamports: 0n,
      createsAccount: false,
      payerSolLamports: 10_000_000n,
    });
  });

  test('a missing account of the receiver is announced with its rent', async () => {
    const simulated = { account: _accountInfo({ ...receiverToken, amount: PRICE }) };
    const summary = await _check({ [RECEIVER_ACCOUNT]: null, [RECEIVER]: null }, { simulated });
    expect(summary).toMatchObject({ createsAccount: true, rentLamports: 2_039_280n });
  });

  test('SOL that is just enough is enough', async () => {
    expect(await _check({ [PAYER]: _walletInfo(5_000) })).toMatchObject({ payerSolLamports: 5_000n });
  });

  test('a node that cannot tell the fee yet does not hold up the payment', async () => {
    expect(await _check({}, { fee: null })).toMatchObject({ networkFeeLamports: 5_000n });
  });

  test('somebody else’s payment that arrives meanwhile does not matter', async () => {
    const simulated = { account: _accountInfo({ ...receiverToken, amount: 7n + PRICE + 1n }) };
    expect(await _check({}, { simulated })).toMatchObject({ amount: '1.5' });
  });
});

describe('before paying, it is refused', () => {
  test.each([
    ['nothing', { baseUnits: 0n }],
    ['more than 64 bits', { baseUnits: 2n ** 64n }],
    ['a negative amount', { baseUnits: -1n }],
    ['decimals out of range', { decimals: 20 }],
    ['decimals that are not the mint’s', { decimals: 9 }],
  ])('to pay %s', async (_, change) => {
    await expect(_check({}, {}, { ...terms, ...change })).rejects.toThrow(new InvalidPriceError());
    expect(new InvalidPriceError().message).toBe('Invalid feature price or token decimals');
  });

  test('to pay oneself', async () => {
    const own = { ...terms, receiver: PAYER, receiverAccount: PAYER_ACCOUNT };
    await expect(_check({}, {}, own)).rejects.toThrow('Dev wallet cannot be the same as your wallet');
  });

  test('to pay into the account that is paid from', async () => {
    await expect(_check({}, {}, { ...terms, receiverAccount: PAYER_ACCOUNT })).rejects.toThrow(
      'Source and destination accounts are the same',
    );
  });

  test('to pay with too few tokens', async () => {
    await expect(_check({ [PAYER_ACCOUNT]: _accountInfo({ ...payerToken, amount: PRICE - 1n }) })).rejects.toThrow(
      new PaymentCheckError(
        'insufficient_tokens',
        'Insufficient token balance. You need 1.5 tokens to feature this tweet.',
      ),
    );
  });

  test.each<[string, Chain['accounts'], string]>([
    [
      'a payer without an account of the token',
      { [PAYER_ACCOUNT]: null },
      'your wallet has no account of this token. You need 1.5 tokens to feature this tweet.',
    ],
    [
      'a payer’s account that has another owner',
      { [PAYER_ACCOUNT]: _accountInfo({ ...payerToken, owner: STRANGER }) },
      'your token account belongs to another wallet',
    ],
    [
      'a payer’s account of another token',
      { [PAYER_ACCOUNT]: _accountInfo({ ...payerToken, mint: STRANGER }) },
      'your token account is of another token',
    ],
    [
      'a payer’s account that is frozen',
      { [PAYER_ACCOUNT]: _accountInfo({ ...payerToken, state: AccountState.Frozen }) },
      'your token account is frozen',
    ],
    ['a payer’s account that is none', { [PAYER_ACCOUNT]: _walletInfo(1) }, 'your token account is no token account'],
    [
      'a receiver’s account that changed hands',
      { [RECEIVER_ACCOUNT]: _accountInfo({ ...receiverToken, owner: STRANGER }) },
      'the receiving account belongs to another wallet',
    ],
    [
      'a receiver’s account of another token',
      { [RECEIVER_ACCOUNT]: _accountInfo({ ...receiverToken, mint: STRANGER }) },
      'the receiving account is of another token',
    ],
    [
      'a receiver’s account that is frozen',
      { [RECEIVER_ACCOUNT]: _accountInfo({ ...receiverToken, state: AccountState.Frozen }) },
      'the receiving account is frozen',
    ],
    [
      'a receiver’s account with a delegate',
      { [RECEIVER_ACCOUNT]: _accountInfo({ ...receiverToken, delegate: STRANGER }) },
      'the receiving account may be emptied by a delegate',
    ],
    [
      'a receiver’s account with a close authority',
      { [RECEIVER_ACCOUNT]: _accountInfo({ ...receiverToken, closeAuthority: STRANGER }) },
      'the receiving account may be closed by somebody else',
    ],
    [
      'a receiver’s account of the other program',
      { [RECEIVER_ACCOUNT]: _accountInfo({ ...receiverToken, program: TOKEN_2022_PROGRAM }) },
      'the receiving account is no token account',
    ],
    ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program): [string, Chain['accounts'], string] => [
      `a receiver that is an account of the program ${program.slice(0, 6)}`,
      { [RECEIVER]: _accountInfo({ ...receiverToken, program }) },
      'the receiver is a token account, no wallet',
    ]),
    [
      'a mint of another program',
      { [MINT]: _mintInfo({ program: TOKEN_2022_PROGRAM }) },
      'the token belongs to another program',
    ],
  ])('to pay with %s', async (_, accounts, reason) => {
    await expect(_check(accounts)).rejects.toMatchObject({
      code: 'invalid_account',
      message: `Token account validation failed: ${reason}`,
    });
  });

  test('to pay into an account that is not the receiver’s associated one', async () => {
    const receiverAccount = associatedAccount(STRANGER, MINT, TOKEN_PROGRAM);
    await expect(_check({}, {}, { ...terms, receiverAccount })).rejects.toThrow(
      'Token account validation failed: the receiving account is not the receiving wallet’s account of this token',
    );
  });

  test('to pay with a token that takes a fee', async () => {
    await expect(_check({ [MINT]: _mintInfo({ extensions: [1] }) })).rejects.toThrow(UnsupportedMintError);
  });

  test('to pay without SOL for fee and rent', async () => {
    await expect(_check({ [PAYER]: null })).rejects.toThrow(
      new PaymentCheckError(
        'insufficient_sol',
        'Insufficient SOL. This payment costs 0.000005 SOL besides the tokens, your wallet has 0 SOL.',
      ),
    );
    const poor = { [PAYER]: _walletInfo(2_044_279), [RECEIVER_ACCOUNT]: null };
    await expect(_check(poor)).rejects.toThrow(
      'Insufficient SOL. This payment costs 0.00204428 SOL besides the tokens, your wallet has 0.002044279 SOL.',
    );
  });

  test('to pay where the simulation fails, brings too little, or shows nothing', async () => {
    const failed = { err: { InstructionError: [2, { Custom: 17 }] } };
    const short = { account: _accountInfo({ ...receiverToken, amount: 7n + PRICE - 1n }) };
    await expect(_check({}, { simulated: failed })).rejects.toThrow(
      'Token account validation failed: the network would refuse this payment',
    );
    await expect(_check({}, { simulated: { account: null } })).rejects.toThrow('the network would refuse this payment');
    await expect(_check({}, { simulated: short })).rejects.toThrow('the receiver would not get the price');
    for (const err of ['InsufficientFundsForFee', { InsufficientFundsForRent: { account_index: 0 } }]) {
      await expect(_check({}, { simulated: { err } })).rejects.toThrow('Insufficient SOL.');
    }
  });

  test.each([
    ['frozen', { state: AccountState.Frozen }, 'the receiving account is frozen'],
    ['of another wallet', { owner: STRANGER }, 'the receiving account belongs to another wallet'],
    ['of another token', { mint: STRANGER }, 'the receiving account is of another token'],
    ['of the other program', { program: TOKEN_2022_PROGRAM }, 'the receiving account is no token account'],
  ])('to pay where the payment leaves an account that is %s', async (_, change, reason) => {
    const simulated = { account: _accountInfo({ ...receiverToken, amount: 7n + PRICE, ...change }) };
    await expect(_check({}, { simulated })).rejects.toThrow(`Token account validation failed: ${reason}`);
  });

  test('to pay where the simulation shows the account in an encoding that was not asked for', async () => {
    const account = _accountInfo({ ...receiverToken, amount: 7n + PRICE });
    const accounts = {
      [MINT]: _mintInfo(),
      [PAYER]: _walletInfo(10_000_000),
      [PAYER_ACCOUNT]: _accountInfo(payerToken),
    };
    const chain = _fakeChain({ accounts, simulated: { account } });
    const answering = (encoding: string) => {
      const shown = { ...account, owner: account.owner.toBase58(), data: [account.data.toString('base64'), encoding] };
      const value = { err: null, logs: [], accounts: [shown] };
      const simulateTransaction = async () => ({ context: { slot: 1 }, value });
      return checkBeforePaying({ ...chain, simulateTransaction }, terms);
    };
    expect(await answering('base64')).toMatchObject({ amount: '1.5' });
    await expect(answering('base58')).rejects.toThrow('the network would refuse this payment');
  });

  test('an error of the connection is nobody’s mistake, and passes through', async () => {
    const chain = _fakeChain({ accounts: {}, simulated: {} });
    const away = { ...chain, getLatestBlockhash: () => Promise.reject(new Error('503 Service Unavailable')) };
    await expect(checkBeforePaying(away, terms)).rejects.toThrow('503 Service Unavailable');
  });
});
