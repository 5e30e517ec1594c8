import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { _address, _createAccount, _fetch, _guards, _memo, _transferChecked } from '../src/_fetched-transaction.ts';
import { featureMemo } from '../src/feature-memo.ts';
import type { ReceiverTerms } from '../src/feature-terms.ts';
import type { FetchedTransaction } from '../src/fetched-transaction.ts';
import { TOKEN_PROGRAM } from '../src/programs.ts';
import { readFeaturePayment } from '../src/read-feature-payment.ts';
import { isRefusal } from '../src/refusals.ts';

const DIFFERENT_TRANSACTIONS = 2_000;
const TRIALS = 7;
const TRIAL_MS = 1_000;

/**
 * Transactions per second that the validator checks on one core, each parsed from JSON text as a node sends it:
 * payments that create the account and have wallet guards, by different wallets for different posts. Median of seven
 * trials of one second.
 */
export function benchVerifier(): { perSecond: number; perSecondParsed: number; machine: string } {
  const terms: ReceiverTerms = {
    receiver: _address('receiver'),
    receiverAccount: _address('receiver account'),
    mint: _address('mint'),
    tokenProgram: TOKEN_PROGRAM,
    decimals: 6,
  };
  const texts = Array.from({ length: DIFFERENT_TRANSACTIONS }, (_, at) => JSON.stringify(payment(terms, at)));
  const parsed = texts.map((text) => JSON.parse(text) as FetchedTransaction);
  return {
    perSecond: measure(texts, (text) => readFeaturePayment(JSON.parse(text) as FetchedTransaction, terms), isRefusal),
    perSecondParsed: measure(parsed, (transaction) => readFeaturePayment(transaction, terms), isRefusal),
    machine: `${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`,
  };
}

/** Median number of calls per second, cycling through the inputs. */
function measure<Input, Output>(
  inputs: readonly Input[],
  judge: (input: Input) => Output,
  isWrong: (output: Output) => boolean,
): number {
  const rates = Array.from({ length: TRIALS }, () => {
    let calls = 0;
    const startedAt = performance.now();
    while (performance.now() - startedAt < TRIAL_MS) {
      for (const input of inputs) if (isWrong(judge(input))) throw new Error('The validator refused a sound payment');
      calls += inputs.length;
    }
    return (calls * 1000) / (performance.now() - startedAt);
  });
  return Math.round(rates.sort((one, other) => one - other)[TRIALS >> 1] as number);
}

function payment({ receiver: owner, receiverAccount, mint }: ReceiverTerms, at: number): FetchedTransaction {
  const payer = _address(`payer ${at}`);
  const source = _address(`account ${at}`);
  const guards = _guards(source, receiverAccount);
  const isNew = at % 2 === 0;
  return _fetch({
    accounts: {
      [source]: { owner: payer, mint, baseUnits: 5_000_000n },
      ...(!isNew && { [receiverAccount]: { owner, mint, baseUnits: 7n } }),
    },
    signers: [payer],
    instructions: [
      ...guards,
      _createAccount({ payer, account: receiverAccount, owner, mint }),
      _memo(featureMemo(at.toString(16).padStart(24, '0'))),
      _transferChecked({ source, destination: receiverAccount, mint, authority: payer, baseUnits: 1_000_000n }),
      ...guards,
    ],
  });
}
