import { type AdminLaunch, type AnswerOf, LAUNCH_STATUSES, type LaunchStatus } from '@archive/contracts';
import { useCallback, useEffect, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { ChainValue } from '../../ui/chain-value.tsx';
import { Link } from '../../ui/link.tsx';
import bars from './admin-bar.module.css';
import { AdminHead } from './admin-head.tsx';
import { AdminList, type Column, StateWord } from './admin-list.tsx';
import { Figures } from './figures.tsx';
import { inSol } from './in-sol.ts';
import { LAUNCH_STATES } from './state-words.ts';
import { StopNote } from './stop-note.tsx';
import { failureOf, useAdminCall } from './use-admin-call.ts';
import { useAdminList } from './use-admin-list.ts';

/** All launches, the key that pays for them, and the switch that stops them. */
export function LaunchesPage() {
  const call = useAdminCall();
  const [state, setState] = useState<LaunchStatus | ''>('');
  const list = useAdminList<AdminLaunch>(
    useCallback(
      (after) => call('listLaunches', { query: { ...(state !== '' && { state }), ...(after !== null && { after }) } }),
      [call, state],
    ),
  );
  const columns: Column<AdminLaunch>[] = [
    { name: 'Changed', of: ({ changedAt }) => <time dateTime={changedAt}>{formatMoment(changedAt)}</time> },
    {
      name: 'State',
      of: (one) => <StateWord tone={LAUNCH_STATES[one.state][0]}>{LAUNCH_STATES[one.state][1]}</StateWord>,
    },
    {
      name: 'Token',
      of: ({ symbol, name }) => (
        <>
          <b dir="auto">{symbol}</b> <bdi>{name}</bdi>
        </>
      ),
    },
    { name: 'By', of: ({ wallet }) => <ChainValue value={wallet} href={null} copyLabel="Copy the wallet" /> },
    { name: 'Mint', of: ({ mint }) => <ChainValue value={mint} href={null} copyLabel="Copy the mint" /> },
    { name: 'Post', of: ({ archiveId }) => <Link href={`/post/${archiveId}`}>the post</Link> },
    { name: 'What went wrong', isLong: true, of: ({ failure }) => failure },
  ];
  return (
    <>
      <AdminHead title="Launches" />
      <StopNote name="launching" />
      <LaunchKey />
      <div className={bars['bar']}>
        <select
          aria-label="Which launches"
          value={state}
          onChange={({ target }) => setState(target.value as LaunchStatus | '')}
        >
          <option value="">Every state</option>
          {LAUNCH_STATUSES.map((one) => (
            <option key={one} value={one}>
              {LAUNCH_STATES[one][1]}
            </option>
          ))}
        </select>
      </div>
      <AdminList
        name="Launches"
        list={list}
        columns={columns}
        idOf={({ archiveId }) => archiveId}
        empty="No launch of that kind."
      />
    </>
  );
}

function LaunchKey() {
  const call = useAdminCall();
  const [key, setKey] = useState<AnswerOf<'launchKey'> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    call('launchKey').then(setKey, (error) => setFailure(failureOf(error)));
  }, [call]);
  if (failure !== null) return <p role="status">The launch key: {failure}</p>;
  if (key === null) return <p role="status">Looking at the launch key...</p>;
  const { address, lamports, floorLamports, lamportsEach, launchesLeft, daysLeft } = key;
  return (
    <Figures
      figures={[
        ['The launch key holds', `${inSol(lamports)} SOL`, `launches leave ${inSol(floorLamports)} on it`],
        [
          'A launch costs',
          lamportsEach === null ? 'not known yet' : `${inSol(lamportsEach)} SOL`,
          'as the last ones did',
        ],
        ['Launches left', launchesLeft === null ? 'not known yet' : formatCount(launchesLeft), 'with what it holds'],
        ['Days left', daysLeft === null ? 'not known yet' : formatCount(daysLeft), 'with as many a day as this week'],
        [
          'Its address',
          <ChainValue key="address" value={address} href={null} copyLabel="Copy the launch key’s address" />,
          'fill it up here',
        ],
      ]}
    />
  );
}
