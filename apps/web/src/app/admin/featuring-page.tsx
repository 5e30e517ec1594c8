import type { AnswerOf } from '@archive/contracts';
import { useCallback, useEffect, useState } from 'react';
import { useConfig } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { ChainValue } from '../../ui/chain-value.tsx';
import { type Act, useActs } from './act-dialog.tsx';
import bars from './admin-bar.module.css';
import heads from './admin-head.module.css';
import { AdminHead } from './admin-head.tsx';
import { Figures } from './figures.tsx';
import { StopNote } from './stop-note.tsx';
import { failureOf, useAdminCall } from './use-admin-call.ts';

/** The price of featuring, who set it, and the switch that stops featuring. */
export function FeaturingPage() {
  const call = useAdminCall();
  const [terms, setTerms] = useState<AnswerOf<'featuringTerms'> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const load = useCallback(() => {
    call('featuringTerms').then(setTerms, (error) => setFailure(failureOf(error)));
  }, [call]);
  useEffect(load, [load]);
  const { ask, dialog } = useActs(load);
  const ticker = useConfig()?.tokenTicker ?? '';

  const setPrice: Act = {
    title: 'Set the price of featuring?',
    text: 'It wins over the settings until it is cleared. Who was shown the old price can still pay it for a while.',
    label: 'Set price',
    fields: (
      <label className="field">
        <span>Price, in {ticker}</span>
        <input
          name="price"
          required
          inputMode="decimal"
          autoComplete="off"
          pattern="\d{1,20}(\.\d{1,20})?"
          title="A number of tokens, like 1 or 0.5"
          defaultValue={terms?.price}
        />
      </label>
    ),
    run: async ({ reason, value }) => {
      const { price } = await call('setFeaturePrice', { body: { price: value('price'), reason } });
      return `Featuring costs ${price} ${ticker} now.`;
    },
  };
  const clearPrice: Act = {
    title: 'Clear the price that was set?',
    text: `Featuring costs ${terms?.configuredPrice} ${ticker} then, as the settings say.`,
    label: 'Clear price',
    run: async ({ reason }) => {
      const { price } = await call('clearFeaturePrice', { query: { reason } });
      return `Featuring costs ${price} ${ticker} now, as the settings say.`;
    },
  };

  return (
    <>
      <AdminHead title="Featuring" />
      <StopNote name="featuring" />
      {failure !== null && <p role="status">The price: {failure}</p>}
      {terms !== null && (
        <>
          <Figures
            figures={[
              ['Price now', `${terms.price} ${ticker}`, terms.isSet ? 'set by an operator' : 'by the settings'],
              ['Price in the settings', `${terms.configuredPrice} ${ticker}`, 'FEATURE_PRICE'],
              [
                'Paid in',
                <ChainValue key="mint" value={terms.mint} href={null} copyLabel="Copy the mint" />,
                'the token',
              ],
            ]}
          />
          <div className={bars['bar']}>
            <button type="button" className={buttons['plain']} onClick={() => ask(setPrice)}>
              Set price
            </button>
            {terms.isSet && (
              <button type="button" className={buttons['plain']} onClick={() => ask(clearPrice)}>
                Clear price
              </button>
            )}
          </div>
          <p className={heads['note']}>What was paid before a change keeps the price it was paid at.</p>
        </>
      )}
      {dialog}
    </>
  );
}
