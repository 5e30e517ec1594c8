import { describe, expect, test } from '@jest/globals';
import { Keypair, PublicKey, type VersionedTransaction } from '@solana/web3.js';
import fc from 'fast-check';
import { _fetch, _guards, type _Instruction } from '../_fetched-transaction.ts';
import { InvalidPriceError, MAX_BASE_UNITS } from '../amount.ts';
import { checkFeaturePayment } from '../check-feature-payment.ts';
import type { FeatureTerms } from '../feature-terms.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { readFeaturePayment } from '../read-feature-payment.ts';
import { isRefusal } from '../refusals.ts';
import { associatedAccount } from './associated-account.ts';
import { buildFeaturePayment } from './build-feature-payment.ts';

const _key = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte)).publicKey.toBase58();
const BLOCKHASH = PublicKey.default.toBase58();

function _terms(changes: Partial<FeatureTerms> = {}): FeatureTerms {
  const { receiver = _key(2), tokenProgram = TOKEN_PROGRAM } = changes;
  return {
    payer: _key(1),
    receiver,
    receiverAccount: associatedAccount(receiver, _key(3), tokenProgram),
    mint: _key(3),
    tokenProgram,
    decimals: 6,
    postId: '0123456789abcdef01234567',
    baseUnits: 1_000_000n,
    ...changes,
  };
}

/** The instructions of a transaction in its wire format. */
function _decode(transaction: VersionedTransaction): _Instruction[] {
  const { staticAccountKeys, compiledInstructions } = transaction.message;
  const name = (index: number) => (staticAccountKeys[index] as PublicKey).toBase58();
  return compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: name(programIdIndex),
    accounts: accountKeyIndexes.map(name),
    data,
  }));
}

/** Runs the built payment for a payer with exactly enough, with or without the receiver's account. */
function _run(terms: FeatureTerms, receiverHas: bigint | null, around: _Instruction[] = []) {
  const { payer, receiver, receiverAccount, mint, tokenProgram: program, decimals, baseUnits } = terms;
  const payerAccount = associatedAccount(payer, mint, program);
  const token = { mint, program, decimals };
  const receiverSide =
    receiverHas === null ? {} : { [receiverAccount]: { owner: receiver, baseUnits: receiverHas, ...token } };
  return _fetch({
    accounts: { [payerAccount]: { owner: payer, baseUnits, ...token }, ...receiverSide },
    signers: [payer],
    instructions: [...around, ..._decode(buildFeaturePayment(terms, BLOCKHASH)), ...around],
    version: 'legacy',
  });
}

describe('what the builder builds, the validator reads', () => {
  test('for any price, post and wallet, in both programs, with and without the receiver’s account', () => {
    fc.assert(
      fc.property(
        fc.record({
          baseUnits: fc.bigInt({ min: 1n, max: MAX_BASE_UNITS }),
          postId: fc.stringMatching(/^[0-9a-f]{24}$/),
          payer: fc.integer({ min: 10, max: 40 }).map(_key),
          tokenProgram: fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
        }),
        fc.constantFrom(null, 0n),
        (changes, receiverHas) => {
          const terms = _terms(changes);
          const { payer, postId, baseUnits } = terms;
          const read = readFeaturePayment(_run(terms, receiverHas), terms);
          expect(read).toMatchObject({ payer, postId, baseUnits });
          if (!isRefusal(read)) expect(checkFeaturePayment(read, terms, Date.now())).toBe('ok');
        },
      ),
      { numRuns: 60 },
    );
  });

  test('also after a wallet has put its guards around it', () => {
    const terms = _terms();
    const read = readFeaturePayment(_run(terms, 7n, _guards(terms.payer)), terms);
    expect(read).toMatchObject({ payer: terms.payer, baseUnits: terms.baseUnits });
  });
});

describe('the built transaction', () => {
  test('makes the account, says the memo and transfers, with one signer and room for a wallet’s own instructions', () => {
    const terms = _terms();
    const transaction = buildFeaturePayment(terms, BLOCKHASH);
    const [create, memo, transfer, ...rest] = _decode(transaction);
    expect(rest).toEqual([]);
    expect(create?.data).toEqual(Uint8Array.of(1));
    expect(create?.accounts[1]).toBe(terms.receiverAccount);
    expect(new TextDecoder().decode(memo?.data)).toBe('amber:feature:0123456789abcdef01234567');
    expect(memo?.accounts).toEqual([terms.payer]);
    expect(transfer?.accounts).toEqual([
      associatedAccount(terms.payer, terms.mint, terms.tokenProgram),
      terms.mint,
      terms.receiverAccount,
      terms.payer,
    ]);
    expect(transaction.message.header.numRequiredSignatures).toBe(1);
    expect(transaction.version).toBe('legacy');
    expect(transaction.serialize().length).toBeLessThan(600);
  });

  test('never carries an amount that the encoder would wrap around', () => {
    for (const baseUnits of [0n, -1n, MAX_BASE_UNITS + 1n, MAX_BASE_UNITS + 1_000n]) {
      expect(() => buildFeaturePayment(_terms({ baseUnits }), BLOCKHASH)).toThrow(InvalidPriceError);
    }
    for (const decimals of [-1, 1.5, 20, 256 + 6]) {
      expect(() => buildFeaturePayment(_terms({ decimals }), BLOCKHASH)).toThrow(InvalidPriceError);
    }
  });

  test('names a post by its _id or is not built', () => {
    expect(() => buildFeaturePayment(_terms({ postId: '1234567890123456789' }), BLOCKHASH)).toThrow(TypeError);
  });

  test('pays a shared wallet that is off the curve', () => {
    const shared = associatedAccount(_key(8), _key(9), TOKEN_PROGRAM);
    const terms = _terms({ receiver: shared });
    expect(readFeaturePayment(_run(terms, null), terms)).toMatchObject({ baseUnits: terms.baseUnits });
  });
});

test('an associated account depends on the mint’s program', () => {
  const [inSplToken, inToken2022] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((one) =>
    associatedAccount(_key(1), _key(3), one),
  );
  expect(inSplToken).not.toBe(inToken2022);
});
