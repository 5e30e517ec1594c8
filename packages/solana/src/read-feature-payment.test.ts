import { describe, expect, test } from '@jest/globals';
import bs58 from 'bs58';
import fc from 'fast-check';
import {
  _address,
  _batch,
  _createAccount,
  _fetch,
  _guards,
  type _Instruction,
  _memo,
  _plainTransfer,
  _setOwner,
  type _TokenAccount,
  _transferChecked,
  _transferWithFee,
} from './_fetched-transaction.ts';
import { featureMemo } from './feature-memo.ts';
import type { ReceiverTerms } from './feature-terms.ts';
import type { FetchedTransaction } from './fetched-transaction.ts';
import { MEMO_V1_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';
import { readFeaturePayment } from './read-feature-payment.ts';
import { isRefusal, REFUSALS } from './refusals.ts';

const RECEIVER = _address('receiver');
const RECEIVER_ACCOUNT = _address('receiver account');
const PAYER = _address('payer');
const PAYER_ACCOUNT = _address('payer account');
const OTHER = _address('other');
const OTHER_ACCOUNT = _address('other account');
const MINT = _address('mint');
const POST = '0123456789abcdef01234567';
const OTHER_POST = 'fedcba9876543210fedcba98';
const PRICE = 1_000_000n;

const terms: ReceiverTerms = {
  receiver: RECEIVER,
  receiverAccount: RECEIVER_ACCOUNT,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM,
  decimals: 6,
};
const accounts: Record<string, _TokenAccount> = {
  [RECEIVER_ACCOUNT]: { owner: RECEIVER, mint: MINT, baseUnits: 5_000_000n },
  [PAYER_ACCOUNT]: { owner: PAYER, mint: MINT, baseUnits: 9_000_000n },
  [OTHER_ACCOUNT]: { owner: OTHER, mint: MINT, baseUnits: 9_000_000n },
};
const move = {
  source: PAYER_ACCOUNT,
  destination: RECEIVER_ACCOUNT,
  mint: MINT,
  authority: PAYER,
  baseUnits: PRICE,
};
const payment = _transferChecked(move);
const memo = _memo(featureMemo(POST));

/** The payment as the builder makes it, with these changes. */
function _pay(changes: Partial<Parameters<typeof _fetch>[0]> = {}): FetchedTransaction {
  return _fetch({ accounts, signers: [PAYER], instructions: [memo, payment], ...changes });
}

function _read(instructions: _Instruction[], changes: Partial<Parameters<typeof _fetch>[0]> = {}) {
  return readFeaturePayment(_pay({ instructions, ...changes }), terms);
}

const facts = {
  signature: _address(`signature of ${PAYER}`, 64),
  payer: PAYER,
  baseUnits: PRICE,
  postId: POST,
  slot: 447_552_001,
  blockTime: 1_795_000_000,
};
const refusal = (code: keyof typeof REFUSALS) => ({ code, message: REFUSALS[code] });
/** The refusal for tokens that arrived without a transfer signed by their owner. They become a credit of that owner. */
const movedOtherwise = (changes: Partial<typeof facts> = {}) => ({
  ...refusal('moved_otherwise'),
  facts: { ...facts, ...changes },
});

describe('a payment', () => {
  test('is read: who paid what for which post, when', () => {
    expect(readFeaturePayment(_pay(), terms)).toEqual(facts);
  });

  test.each(['legacy', 0, 1] as const)('is read from a transaction of version %s', (version) => {
    expect(readFeaturePayment(_pay({ version }), terms)).toEqual(facts);
  });

  test('is read from a node that was not asked for versions', () => {
    const { version: _, ...unversioned } = _pay({ version: 'legacy' });
    expect(readFeaturePayment(unversioned, terms)).toEqual(facts);
  });

  test('is read where accounts come from a lookup table', () => {
    const transaction = _pay({ lookups: [RECEIVER_ACCOUNT, MINT] });
    expect(transaction.transaction.message.accountKeys).not.toContain(RECEIVER_ACCOUNT);
    expect(readFeaturePayment(transaction, terms)).toEqual(facts);
  });

  test('is read wherever it stands, with guards of the wallet before, between and after', () => {
    const guards = _guards(PAYER_ACCOUNT, RECEIVER_ACCOUNT);
    expect(_read([...guards, memo, ...guards, payment, ...guards])).toEqual(facts);
    expect(_read([payment, ...guards, memo])).toEqual(facts);
  });

  test('is read where the receiver’s account was made in the same transaction', () => {
    const { [RECEIVER_ACCOUNT]: _, ...others } = accounts;
    const create = _createAccount({ payer: PAYER, account: RECEIVER_ACCOUNT, owner: RECEIVER, mint: MINT });
    const transaction = _pay({ accounts: others, instructions: [create, memo, payment] });
    expect(transaction.meta?.preTokenBalances).toHaveLength(1);
    expect(readFeaturePayment(transaction, terms)).toEqual(facts);
  });

  test('is read where a program made the transfer for the wallet that signed', () => {
    const program = { program: _address('smart wallet'), accounts: [PAYER], data: Uint8Array.of(9), inner: [payment] };
    expect(_read([memo, program])).toEqual(facts);
  });

  test('is read where the transfer is a plain one, which names neither mint nor decimals', () => {
    expect(_read([memo, _plainTransfer(move)])).toEqual(facts);
    expect(_read([_plainTransfer(move)])).toEqual({ ...facts, postId: null });
    expect(_read([memo, _batch(_plainTransfer(move))])).toEqual(facts);
    expect(_read([memo, _plainTransfer(move), payment])).toEqual({ ...facts, baseUnits: 2n * PRICE });
    const wrapped = {
      program: _address('wallet'),
      accounts: [PAYER],
      data: Uint8Array.of(9),
      inner: [_plainTransfer(move)],
    };
    expect(_read([memo, wrapped])).toEqual(facts);
  });

  test('is read out of a batch of the token program', () => {
    const spare = _transferChecked({ ...move, destination: OTHER_ACCOUNT, baseUnits: 7n });
    expect(_read([memo, _batch(spare, payment)])).toEqual(facts);
  });

  test('is read where somebody else pays the network’s fee', () => {
    expect(_read([memo, payment], { signers: [OTHER, PAYER] })).toMatchObject({ payer: PAYER, baseUnits: PRICE });
  });

  test('is what arrived: too much, too little and in two parts', () => {
    for (const baseUnits of [PRICE + 1n, PRICE - 1n, 1n]) {
      expect(_read([memo, _transferChecked({ ...move, baseUnits })])).toEqual({ ...facts, baseUnits });
    }
    expect(_read([memo, payment, payment])).toEqual({ ...facts, baseUnits: 2n * PRICE });
  });

  test('is read to the last base unit of 64 bits', () => {
    const baseUnits = 2n ** 64n - 1n;
    const rich = {
      [RECEIVER_ACCOUNT]: { owner: RECEIVER, mint: MINT, baseUnits: 0n },
      [PAYER_ACCOUNT]: { owner: PAYER, mint: MINT, baseUnits },
    };
    const all = _transferChecked({ ...move, baseUnits });
    expect(_read([memo, all], { accounts: rich })).toEqual({ ...facts, baseUnits });
  });

  test('of a token with a fee is what is left of it', () => {
    const program = TOKEN_2022_PROGRAM;
    const withFee = _transferWithFee({ ...move, fee: 10_000n });
    const inToken2022 = Object.fromEntries(Object.entries(accounts).map(([key, one]) => [key, { ...one, program }]));
    for (const instruction of [withFee, _transferChecked({ ...move, program })]) {
      const transaction = _pay({ accounts: inToken2022, instructions: [memo, instruction], fee: 10_000n });
      const read = readFeaturePayment(transaction, { ...terms, tokenProgram: program });
      expect(read).toEqual({ ...facts, baseUnits: PRICE - 10_000n });
    }
  });

  test('has no time where the node knows none', () => {
    expect(_read([memo, payment], { blockTime: null })).toEqual({ ...facts, blockTime: null });
  });

  test('of any amount and any number of parts comes out as what both sides’ balances say', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 2n ** 60n }), { minLength: 1, maxLength: 6 }), (parts) => {
        const sum = parts.reduce((all, part) => all + part);
        const rich = { ...accounts, [PAYER_ACCOUNT]: { owner: PAYER, mint: MINT, baseUnits: sum } };
        const transfers = parts.map((baseUnits) => _transferChecked({ ...move, baseUnits }));
        expect(_read([memo, ...transfers], { accounts: rich })).toEqual({ ...facts, baseUnits: sum });
      }),
    );
  });
});

describe('the memo', () => {
  test('may be absent', () => {
    expect(_read([payment])).toEqual({ ...facts, postId: null });
  });

  test('may be of the first memo program, and said twice', () => {
    const first = _memo(featureMemo(POST), MEMO_V1_PROGRAM);
    expect(_read([first, payment])).toEqual(facts);
    expect(_read([first, payment, memo])).toEqual(facts);
  });

  test('of somebody else does not count, whatever it resembles', () => {
    const foreign = [
      'gm',
      '',
      `amber:feature:${POST} `,
      ` amber:feature:${POST}`,
      `amber:feature:${OTHER_POST.toUpperCase()}`,
      `amber:feature:${OTHER_POST}0`,
      `amber:feature:${OTHER_POST.slice(1)}`,
      `AMBER:feature:${OTHER_POST}`,
      `amber:feature:${OTHER_POST}\n`,
      `аmber:feature:${OTHER_POST}`,
      'x'.repeat(560),
    ].map((text) => _memo(text));
    expect(_read([...foreign, payment])).toEqual({ ...facts, postId: null });
    expect(_read([...foreign, memo, payment])).toEqual(facts);
  });

  test('counts only from a memo program, at top level', () => {
    const posing = _memo(featureMemo(OTHER_POST), _address('memo'));
    const inner = { ..._memo('', _address('wrapper')), inner: [_memo(featureMemo(OTHER_POST))] };
    expect(_read([posing, inner, payment])).toEqual({ ...facts, postId: null });
  });

  test('that names several posts is refused, with the facts to keep a credit by', () => {
    expect(_read([memo, _memo(featureMemo(OTHER_POST)), payment])).toEqual({
      ...refusal('several_posts'),
      facts: { ...facts, postId: null },
    });
  });
});

describe('no payment is', () => {
  test('what the network does not know, or knows without effects', () => {
    expect(readFeaturePayment(null, terms)).toEqual(refusal('pending'));
    expect(readFeaturePayment({ ..._pay(), meta: null }, terms)).toEqual(refusal('pending'));
  });

  test('a transaction that failed', () => {
    const err = { InstructionError: [1, { Custom: 1 }] };
    expect(readFeaturePayment(_pay({ err }), terms)).toEqual(refusal('failed'));
    // Balances from a node that reports an error are not used.
    const { meta } = _pay();
    const lied = { ..._pay(), meta: { ...meta, err: 'AccountNotFound' } };
    expect(readFeaturePayment(lied, terms)).toEqual(refusal('failed'));
  });

  test('a record that leaves out what it is judged by', () => {
    const whole = _pay({ lookups: [RECEIVER_ACCOUNT] });
    const meta = whole.meta as NonNullable<FetchedTransaction['meta']>;
    const { message } = whole.transaction;
    const balance = { ...meta.postTokenBalances?.[0], uiTokenAmount: { amount: '1e9', decimals: 6 } };
    const beyond = (instruction: (typeof message.instructions)[number]) => ({
      ...whole,
      transaction: {
        ...whole.transaction,
        message: { ...message, instructions: [...message.instructions, instruction] },
      },
    });
    for (const broken of [
      { ...whole, version: 2 },
      { ...whole, meta: { ...meta, innerInstructions: null } },
      { ...whole, meta: { ...meta, preTokenBalances: null } },
      { ...whole, meta: { ...meta, postTokenBalances: null } },
      { ...whole, meta: { ...meta, loadedAddresses: null } },
      { ...whole, meta: { ...meta, postTokenBalances: [balance] } },
      { ...whole, meta: { ...meta, loadedAddresses: { writable: [], readonly: [] } } },
      { ...whole, transaction: { signatures: [], message } },
      beyond({ programIdIndex: 99, accounts: [], data: '' }),
      beyond({ programIdIndex: 0, accounts: [99], data: '' }),
      { ...whole, transaction: { ...whole.transaction, message: { ...message, accountKeys: [] } } },
    ] as FetchedTransaction[]) {
      expect(readFeaturePayment(broken, terms)).toEqual(refusal('unreadable'));
    }
  });

  test('a payment to somebody else', () => {
    expect(_read([memo, _transferChecked({ ...move, destination: OTHER_ACCOUNT })])).toEqual(refusal('not_received'));
  });

  test('a payment to another account of the receiver', () => {
    const second = _address('second account');
    const more = { ...accounts, [second]: { owner: RECEIVER, mint: MINT, baseUnits: 0n } };
    const toSecond = _transferChecked({ ...move, destination: second });
    expect(_read([memo, toSecond, ..._guards(RECEIVER_ACCOUNT)], { accounts: more })).toEqual(refusal('not_received'));
  });

  test('a payment in a worthless token of the same decimals', () => {
    const worthless = _address('worthless mint');
    const spent = { ...accounts, [PAYER_ACCOUNT]: { owner: PAYER, mint: worthless, baseUnits: PRICE } };
    const otherToken = _address('receiver’s worthless account');
    const more = { ...spent, [otherToken]: { owner: RECEIVER, mint: worthless, baseUnits: 0n } };
    const transfer = _transferChecked({ ...move, mint: worthless, destination: otherToken });
    expect(_read([memo, transfer], { accounts: more })).toEqual(refusal('not_received'));
    // The same, if the node lists the receiver's own account with that token.
    const mixed = { ...spent, [RECEIVER_ACCOUNT]: { owner: RECEIVER, mint: worthless, baseUnits: 0n } };
    expect(_read([memo, _transferChecked({ ...move, mint: worthless })], { accounts: mixed })).toEqual(
      refusal('wrong_account'),
    );
  });

  test('a payment into an account that is no longer the receiver’s, or not the program’s or decimals’ expected', () => {
    for (const change of [{ owner: OTHER }, { program: TOKEN_2022_PROGRAM }, { decimals: 9 }]) {
      const changed = { ...accounts, [RECEIVER_ACCOUNT]: { ...accounts[RECEIVER_ACCOUNT], ...change } };
      const transaction = _pay({ accounts: changed as typeof accounts });
      expect(readFeaturePayment(transaction, terms)).toEqual(refusal('wrong_account'));
    }
  });

  test('a payment into an account that becomes the receiver’s only on the way', () => {
    const foreign = { ...accounts, [RECEIVER_ACCOUNT]: { owner: OTHER, mint: MINT, baseUnits: 0n } };
    const handOver = _setOwner(RECEIVER_ACCOUNT, OTHER, RECEIVER);
    expect(_read([handOver, memo, payment], { accounts: foreign, signers: [PAYER, OTHER] })).toEqual(
      refusal('wrong_account'),
    );
  });

  test('a transfer that is sent back in the same transaction', () => {
    const back = _transferChecked({
      ...move,
      source: RECEIVER_ACCOUNT,
      destination: PAYER_ACCOUNT,
      authority: RECEIVER,
    });
    expect(_read([memo, payment, back], { signers: [PAYER, RECEIVER] })).toEqual(refusal('not_received'));
  });

  test('a transfer that is mostly sent back: only the rest counts', () => {
    const back = _transferChecked({
      ...move,
      source: RECEIVER_ACCOUNT,
      destination: PAYER_ACCOUNT,
      authority: RECEIVER,
      baseUnits: PRICE - 1n,
    });
    expect(_read([memo, payment, back], { signers: [PAYER, RECEIVER] })).toEqual({ ...facts, baseUnits: 1n });
  });

  test('the receiver paying itself, from another account or into the same one', () => {
    const second = _address('second account');
    const more = { ...accounts, [second]: { owner: RECEIVER, mint: MINT, baseUnits: PRICE } };
    for (const source of [second, RECEIVER_ACCOUNT]) {
      const own = _transferChecked({ ...move, source, authority: RECEIVER });
      expect(_read([memo, own], { accounts: more, signers: [RECEIVER] })).toEqual(refusal('self_payment'));
    }
  });

  test('a mint, or a program that only looks like the token’s', () => {
    const posing = { ...payment, program: _address('token') };
    const minted = _pay({ instructions: [memo, posing] });
    const risen = { ...accounts, [RECEIVER_ACCOUNT]: { owner: RECEIVER, mint: MINT, baseUnits: 9_000_000n } };
    const { meta } = _pay({ accounts: risen, instructions: [memo, posing] });
    const postTokenBalances = meta?.postTokenBalances ?? [];
    const lied = { ...minted, meta: { ...minted.meta, err: null, postTokenBalances } } as FetchedTransaction;
    expect(readFeaturePayment(minted, terms)).toEqual(refusal('not_received'));
    expect(readFeaturePayment(lied, terms)).toEqual(refusal('no_transfer'));
  });

  test('a transfer whose source is of another token, whatever the balances say', () => {
    const spent = {
      ...accounts,
      [PAYER_ACCOUNT]: { owner: PAYER, mint: _address('worthless mint'), baseUnits: PRICE },
    };
    for (const transfer of [payment, _plainTransfer(move)]) {
      expect(_read([memo, transfer], { accounts: spent })).toEqual(refusal('not_signed'));
    }
  });

  test('a payment that hands over control of the receiver’s account, also within a program or a batch', () => {
    const signers = [PAYER, RECEIVER];
    const control = (...data: number[]): _Instruction => ({
      program: TOKEN_PROGRAM,
      accounts: [RECEIVER_ACCOUNT, RECEIVER],
      data: Uint8Array.of(...data),
    });
    const approve = control(4, ...new Array(8).fill(255));
    const approveChecked = {
      ...control(13, ...new Array(9).fill(6)),
      accounts: [RECEIVER_ACCOUNT, MINT, OTHER, RECEIVER],
    };
    const closeAuthority = control(6, 3, 1, ...bs58.decode(OTHER));
    for (const change of [approve, approveChecked, closeAuthority, _setOwner(RECEIVER_ACCOUNT, RECEIVER, RECEIVER)]) {
      const wrapped = { program: _address('wrapper'), accounts: [], data: Uint8Array.of(1), inner: [change] };
      const padded = { ...change, data: Uint8Array.of(...change.data, 0, 0, 0) };
      for (const hidden of [change, wrapped, padded, _batch(payment, change), _batch(change)]) {
        expect(_read([memo, payment, hidden], { signers })).toEqual(refusal('account_changed'));
      }
    }
    // An account that is handed over or closed in the same transaction no longer belongs to the receiver.
    const given = _setOwner(RECEIVER_ACCOUNT, RECEIVER, OTHER);
    expect(_read([memo, payment, given], { signers })).toEqual(refusal('wrong_account'));
    expect(_read([memo, payment, control(9)], { signers })).toEqual(refusal('not_received'));
    const again = _createAccount({ payer: PAYER, account: RECEIVER_ACCOUNT, owner: RECEIVER, mint: MINT });
    const empty = { ...accounts, [RECEIVER_ACCOUNT]: { owner: RECEIVER, mint: MINT, baseUnits: 0n } };
    const reopened = _read([control(9), again, memo, payment], { signers, accounts: empty });
    expect(reopened).toEqual(refusal('account_changed'));
  });

  test('nothing of that keeps the payer from changing accounts of its own', () => {
    const revoke = { program: TOKEN_PROGRAM, accounts: [PAYER_ACCOUNT, PAYER], data: Uint8Array.of(5) };
    const approve = { ...revoke, accounts: [OTHER_ACCOUNT, PAYER], data: Uint8Array.of(4, ...new Array(8).fill(1)) };
    expect(_read([revoke, memo, payment, approve])).toEqual(facts);
  });
});

describe('tokens that arrive by other means are kept for the wallet whose they were', () => {
  const byOther = { signature: _address(`signature of ${OTHER}`, 64) };

  test('by a delegate, whoever else signs', () => {
    const byDelegate = _transferChecked({ ...move, authority: OTHER });
    for (const signers of [[OTHER], [OTHER, PAYER]]) {
      expect(_read([memo, byDelegate], { signers })).toEqual(movedOtherwise(byOther));
    }
  });

  test('by an owner who is named but did not sign, as a program or a shared wallet', () => {
    for (const transfer of [payment, _plainTransfer(move)]) {
      expect(_read([memo, transfer], { signers: [OTHER] })).toEqual(movedOtherwise(byOther));
    }
  });

  test('from an account that changed hands on the way', () => {
    const handOver = _setOwner(PAYER_ACCOUNT, PAYER, OTHER);
    const byNewOwner = _transferChecked({ ...move, authority: OTHER });
    for (const steps of [
      [handOver, byNewOwner],
      [payment, handOver],
    ]) {
      expect(_read([memo, ...steps], { signers: [PAYER, OTHER] })).toEqual(movedOtherwise());
    }
  });

  test('by an instruction that says other decimals or another mint, or is not known here', () => {
    expect(_read([memo, _transferChecked({ ...move, decimals: 0 })])).toEqual(movedOtherwise());
    expect(_read([memo, _transferChecked({ ...move, mint: _address('worthless mint') })])).toEqual(movedOtherwise());
    expect(_read([memo, { ...payment, program: TOKEN_2022_PROGRAM }])).toEqual(movedOtherwise());
    const { data, ...withFee } = _transferWithFee({ ...move, fee: 0n });
    const program = TOKEN_2022_PROGRAM;
    const inToken2022 = Object.fromEntries(Object.entries(accounts).map(([key, one]) => [key, { ...one, program }]));
    const instructions = [memo, { ...withFee, data: Uint8Array.of(26, 3, ...data.subarray(2)) }];
    const transaction = _pay({ accounts: inToken2022, instructions });
    expect(readFeaturePayment(transaction, { ...terms, tokenProgram: program })).toEqual(movedOtherwise());
  });

  test('what was lent or swapped on the way, for whoever gave it up', () => {
    const lend = _transferChecked({ ...move, source: OTHER_ACCOUNT, destination: PAYER_ACCOUNT, authority: OTHER });
    expect(_read([memo, lend, payment], { signers: [PAYER] })).toEqual(movedOtherwise({ payer: OTHER }));
  });

  test('never more than arrived, nor than its owner lost', () => {
    const elsewhere = _transferChecked({ ...move, destination: OTHER_ACCOUNT });
    const byDelegate = _transferChecked({ ...move, authority: OTHER });
    expect(_read([memo, elsewhere, byDelegate], { signers: [OTHER] })).toEqual(movedOtherwise(byOther));
    const back = _transferChecked({
      ...elsewhere,
      ...move,
      source: OTHER_ACCOUNT,
      destination: PAYER_ACCOUNT,
      authority: OTHER,
      baseUnits: 1n,
    });
    expect(_read([memo, byDelegate, back], { signers: [OTHER] })).toEqual(
      movedOtherwise({ ...byOther, baseUnits: PRICE - 1n }),
    );
  });

  test('only where they name a post, and as one that names several where they do', () => {
    const byDelegate = _transferChecked({ ...move, authority: OTHER });
    // Without this archive's memo the transfer is the receiver's own business, such as a purchase of tokens.
    expect(_read([byDelegate], { signers: [OTHER] })).toEqual(refusal('not_signed'));
    expect(_read([_memo('gm'), byDelegate], { signers: [OTHER] })).toEqual(refusal('not_signed'));
    expect(_read([memo, _memo(featureMemo(OTHER_POST)), byDelegate], { signers: [OTHER] })).toEqual({
      ...refusal('several_posts'),
      facts: { ...facts, ...byOther, postId: null },
    });
  });

  test('beside token data too long to be decoded in time, or a batch that does not add up', () => {
    const onReceiver = { program: TOKEN_PROGRAM, accounts: [RECEIVER_ACCOUNT] };
    const long = { ...onReceiver, data: new Uint8Array(10_240).fill(7) };
    expect(_read([memo, payment, long])).toEqual(movedOtherwise());
    for (const data of [
      [255, 2, 1, 4],
      [255, 1, 9, 4],
      [255, 1],
    ]) {
      const transaction = _pay();
      const { message } = transaction.transaction;
      const programIdIndex = message.accountKeys.indexOf(TOKEN_PROGRAM);
      const accountIndex = message.accountKeys.indexOf(RECEIVER_ACCOUNT);
      const bad = { programIdIndex, accounts: [accountIndex], data: bs58.encode(Uint8Array.of(...data)) };
      const broken = {
        ...transaction,
        transaction: {
          ...transaction.transaction,
          message: { ...message, instructions: [...message.instructions, bad] },
        },
      };
      expect(readFeaturePayment(broken, terms)).toEqual(movedOtherwise());
    }
  });
});

describe('several payers in one transaction', () => {
  const both = [OTHER, PAYER];
  const others = (baseUnits: bigint) =>
    _transferChecked({ ...move, source: OTHER_ACCOUNT, authority: OTHER, baseUnits });

  test('a wallet that only signs gets nothing of what another one pays', () => {
    expect(_read([memo, others(PRICE)], { signers: both })).toMatchObject({ payer: OTHER, baseUnits: PRICE });
  });

  test('a wallet that puts in dust gets no credit for the other’s price, nor the other for the dust', () => {
    for (const instructions of [
      [memo, payment, others(1n)],
      [memo, others(1n), payment],
    ]) {
      expect(_read(instructions, { signers: both })).toEqual({
        ...facts,
        signature: _address(`signature of ${OTHER}`, 64),
      });
    }
  });

  test('of equal amounts the first is taken, and it alone', () => {
    expect(_read([memo, others(PRICE), payment], { signers: both })).toMatchObject({ payer: OTHER, baseUnits: PRICE });
  });

  test('a wallet that gets its tokens back from another one has not paid', () => {
    const back = _transferChecked({ ...move, source: OTHER_ACCOUNT, destination: PAYER_ACCOUNT, authority: OTHER });
    const whose = { payer: OTHER, signature: _address(`signature of ${OTHER}`, 64) };
    expect(_read([memo, payment, back], { signers: both })).toEqual(movedOtherwise(whose));
    // Giving away another token does not count as a debit of this one.
    const [worthless, toOther] = [_address('payer’s worthless account'), _address('other’s worthless account')];
    const mint = _address('worthless mint');
    const more = {
      ...accounts,
      [worthless]: { owner: PAYER, mint, baseUnits: PRICE },
      [toOther]: { owner: OTHER, mint, baseUnits: 0n },
    };
    const instead = _transferChecked({ ...move, mint, source: worthless, destination: toOther });
    expect(_read([memo, payment, back, instead], { signers: both, accounts: more })).toEqual(movedOtherwise(whose));
    const most = _transferChecked({
      ...move,
      source: OTHER_ACCOUNT,
      destination: PAYER_ACCOUNT,
      authority: OTHER,
      baseUnits: PRICE - 1n,
    });
    expect(_read([memo, payment, most], { signers: both })).toMatchObject({ payer: PAYER, baseUnits: 1n });
  });

  test('what moves between accounts of one wallet is no debit of it', () => {
    const second = _address('payer’s second account');
    const more = { ...accounts, [second]: { owner: PAYER, mint: MINT, baseUnits: 0n } };
    const shuffle = _transferChecked({ ...move, destination: second, baseUnits: 3n * PRICE });
    expect(_read([memo, shuffle, payment], { accounts: more })).toEqual(facts);
  });

  test('a payment out of an account filled in the same transaction was somebody else’s', () => {
    const fresh = _address('fresh account');
    const create = _createAccount({ payer: PAYER, account: fresh, owner: PAYER, mint: MINT });
    const fill = _transferChecked({ ...move, source: OTHER_ACCOUNT, destination: fresh, authority: OTHER });
    const pay = _transferChecked({ ...move, source: fresh });
    expect(_read([memo, create, fill, pay], { signers: both })).toMatchObject({
      code: 'moved_otherwise',
      facts: { payer: OTHER, baseUnits: PRICE },
    });
  });

  test('a payment out of an account that its own wallet made and filled in the same transaction is that wallet’s', () => {
    const fresh = _address('fresh account');
    const create = _createAccount({ payer: PAYER, account: fresh, owner: PAYER, mint: MINT });
    const fill = _transferChecked({ ...move, destination: fresh });
    expect(_read([memo, create, fill, _transferChecked({ ...move, source: fresh })])).toEqual(facts);
  });

  test('what the receiver gives away meanwhile is taken off, so that no base unit counts twice', () => {
    const away = _transferChecked({
      ...move,
      source: RECEIVER_ACCOUNT,
      destination: OTHER_ACCOUNT,
      authority: RECEIVER,
    });
    const read = _read([memo, payment, others(PRICE), away], { signers: [...both, RECEIVER] });
    expect(isRefusal(read)).toBe(true);
  });

  test('the fee of a token is not passed on to the larger payer', () => {
    const program = TOKEN_2022_PROGRAM;
    const inToken2022 = Object.fromEntries(Object.entries(accounts).map(([key, one]) => [key, { ...one, program }]));
    const instructions = [payment, others(1_000n)].map((one) => ({ ...one, program }));
    const transaction = _pay({
      accounts: inToken2022,
      instructions: [memo, ...instructions],
      signers: both,
      fee: 100n,
    });
    const read = readFeaturePayment(transaction, { ...terms, tokenProgram: program });
    expect(read).toMatchObject({ payer: PAYER, baseUnits: PRICE - 200n });
  });
});
