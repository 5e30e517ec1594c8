import buttons from '../../../ui/button.module.css';
import { coversPrice, creditAmount, usableUnits } from '../credit-words.ts';
import { useOwnCredits } from '../own-credits.ts';
import type { FeatureSheetActions, SheetView } from './use-feature-sheet.ts';

interface SheetFootProps {
  view: SheetView;
  ticker: string;
  actions: FeatureSheetActions;
  onClose: () => void;
}

/** What can be done next; one button of the first rank at most. */
export function SheetFoot({ view, ticker, actions, onClose }: SheetFootProps) {
  const { credits } = useOwnCredits();
  switch (view.kind) {
    case 'signing':
      return (
        <button type="button" className={buttons['plain']} onClick={() => actions.cancelSigning(view.ready)}>
          Cancel
        </button>
      );
    case 'ready':
    case 'blocked': {
      const { quote } = view;
      const hasCredit = quote !== null && credits !== undefined && coversPrice(credits, quote);
      return (
        <>
          <button type="button" className={buttons['ghost']} onClick={onClose}>
            Cancel
          </button>
          {view.kind === 'ready' && (
            <button
              type="button"
              className={hasCredit ? buttons['plain'] : buttons['primary']}
              onClick={() => actions.pay(view)}
            >
              Pay {view.offer.summary.amount} {ticker} and feature
            </button>
          )}
          {view.kind === 'blocked' && <BlockedActions view={view} hasCredit={hasCredit} actions={actions} />}
          {hasCredit && (
            <button type="button" className={buttons['primary']} onClick={actions.spendCredits}>
              Use a credit of {creditAmount(usableUnits(credits), quote.decimals, ticker)}
            </button>
          )}
        </>
      );
    }
    case 'ended':
      if (view.outcome.kind === 'expired' || view.outcome.kind === 'failed' || view.outcome.kind === 'not_sent') {
        return (
          <>
            <Close onClose={onClose} />
            <button type="button" className={buttons['primary']} onClick={actions.check}>
              Try again
            </button>
          </>
        );
      }
      return <Close onClose={onClose} />;
    default:
      return <Close onClose={onClose} />;
  }
}

interface BlockedActionsProps {
  view: Extract<SheetView, { kind: 'blocked' }>;
  hasCredit: boolean;
  actions: FeatureSheetActions;
}

function BlockedActions({ view, hasCredit, actions }: BlockedActionsProps) {
  const { tokensFrom } = view;
  const rank = hasCredit ? buttons['plain'] : buttons['primary'];
  if (tokensFrom === null) {
    return (
      <button type="button" className={buttons['plain']} onClick={actions.check}>
        Try again
      </button>
    );
  }
  return (
    <button type="button" className={rank} onClick={() => actions.getTokens(tokensFrom)}>
      Get test tokens
    </button>
  );
}

function Close({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" className={buttons['plain']} onClick={onClose}>
      Close
    </button>
  );
}
