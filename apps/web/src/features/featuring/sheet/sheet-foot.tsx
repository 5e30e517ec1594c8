import { navigate } from 'wouter/use-browser-location';
import { Button } from '../../../ui/button.tsx';
import { coversPrice, creditAmount, usableUnits } from '../credit-words.ts';
import { useOwnCredits } from '../own-credits.ts';
import type { FeatureSheetActions, SheetView } from './use-feature-sheet.ts';

interface SheetFootProps {
  view: SheetView;
  ticker: string;
  actions: FeatureSheetActions;
  onClose: () => void;
}

/** The sheet's buttons; at most one is primary. */
export function SheetFoot({ view, ticker, actions, onClose }: SheetFootProps) {
  const { credits } = useOwnCredits();
  switch (view.kind) {
    case 'signing':
      return <Button look="plain" label="Cancel" onClick={() => actions.cancelSigning(view.ready)} />;
    case 'ready':
    case 'blocked': {
      const { quote } = view;
      const hasCredit = quote !== null && credits !== undefined && coversPrice(credits, quote);
      return (
        <>
          <Button look="ghost" label="Cancel" onClick={onClose} />
          {view.kind === 'ready' && (
            <Button
              look={hasCredit ? 'plain' : 'primary'}
              label={`Pay ${view.offer.summary.amount} ${ticker} and feature`}
              onClick={() => actions.pay(view)}
            />
          )}
          {view.kind === 'blocked' && <BlockedActions view={view} hasCredit={hasCredit} actions={actions} />}
          {hasCredit && (
            <Button
              look="primary"
              label={`Use a credit of ${creditAmount(usableUnits(credits), quote.decimals, ticker)}`}
              onClick={actions.spendCredits}
            />
          )}
        </>
      );
    }
    case 'ended':
      if (view.outcome.kind === 'expired' || view.outcome.kind === 'failed' || view.outcome.kind === 'not_sent') {
        return (
          <>
            <Button look="plain" label="Close" onClick={onClose} />
            <Button look="primary" label="Try again" onClick={actions.check} />
          </>
        );
      }
      return (
        <>
          <Button look="plain" label="Close" onClick={onClose} />
          {view.outcome.kind === 'featured' && (
            <Button
              look="primary"
              label="See it on the archive"
              onClick={() => {
                onClose();
                navigate('/');
              }}
            />
          )}
        </>
      );
    default:
      return <Button look="plain" label="Close" onClick={onClose} />;
  }
}

interface BlockedActionsProps {
  view: Extract<SheetView, { kind: 'blocked' }>;
  hasCredit: boolean;
  actions: FeatureSheetActions;
}

function BlockedActions({ view, hasCredit, actions }: BlockedActionsProps) {
  const { tokensFrom } = view;
  if (tokensFrom === null) {
    return <Button look="plain" label="Try again" onClick={actions.check} />;
  }
  const look = hasCredit ? 'plain' : 'primary';
  return <Button look={look} label="Get test tokens" onClick={() => actions.getTokens(tokensFrom)} />;
}
