import { explorerUrl, type Network } from '@archive/solana/price';
import { ChainValue } from '../../../ui/chain-value.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { ClockIcon } from '../../../ui/later-icons.tsx';
import { SideNote } from '../../../ui/side-note.tsx';
import steps from '../../../ui/steps.module.css';
import { PHASES, type Phase } from '../payment/next-step.ts';
import type { PaymentProgress } from '../payment/payment-progress.ts';

const STEPS: { phase: Phase; done: string; current: string }[] = [
  { phase: 'sent', done: 'Sent', current: 'Sending' },
  { phase: 'confirmed', done: 'Confirmed', current: 'Waiting for Solana' },
  { phase: 'featured', done: 'Featured', current: 'Featuring' },
];

/** The announcement for screen readers at each phase. */
export const PHASE_WORDS: Record<Phase, string> = {
  sending: 'Sending the payment.',
  sent: 'Sent. Waiting for Solana to confirm the payment.',
  confirmed: 'Confirmed by Solana. Featuring the post.',
  featured: 'The post is featured.',
};

/** The phases of a payment, with a link to an explorer. */
export function PaymentSteps({ progress, ticker }: { progress: PaymentProgress; ticker: string }) {
  const { entry, outcome, phase } = progress;
  const { signature, amount, network } = entry;
  const reached = PHASES.indexOf(phase);
  const href = explorerUrl('transaction', signature, network as Network);
  return (
    <>
      <ol className={steps['steps']} aria-label="Payment">
        {STEPS.map(({ phase: step, done, current }) => {
          const at = PHASES.indexOf(step);
          const state = at <= reached ? 'done' : at === reached + 1 && outcome === null ? 'current' : 'coming';
          return (
            <li key={step} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
              {state === 'current' ? current : done}
              {state === 'coming' && <span className="visually-hidden">, not yet</span>}
            </li>
          );
        })}
      </ol>
      <Facts>
        <Fact term="Transaction">
          <ChainValue value={signature} href={href} copyLabel="Copy transaction signature" />
        </Fact>
        <Fact term="Amount">
          {amount} {ticker}
        </Fact>
      </Facts>
      {outcome === null && (
        <SideNote icon={<ClockIcon />}>
          This takes a few seconds. You can close the window: the payment will be found and applied.
        </SideNote>
      )}
    </>
  );
}
