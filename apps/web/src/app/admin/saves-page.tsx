import { SAVE_STATES, type Save, type SaveState } from '@archive/contracts';
import { useCallback, useState } from 'react';
import { SAVE_WAYS, saveSentence, shortAddress } from '../../features/saves/save-words.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { safeLink } from '../../lib/safe-links.ts';
import { Link } from '../../ui/link.tsx';
import { type Act, useActs } from './act-dialog.tsx';
import bars from './admin-bar.module.css';
import { AdminHead } from './admin-head.tsx';
import { AdminList, type Column, RowAct, StateWord } from './admin-list.tsx';
import { useAdminCall } from './use-admin-call.ts';
import { useAdminList } from './use-admin-list.ts';

const PAGE = 50;
const STATE_WORDS: Record<SaveState | 'open', string> = {
  open: 'Under way',
  received: 'Being fetched',
  fetched: 'Being kept',
  stored: 'Kept, not yet answered',
  answered: 'Done',
  failed: 'Failed',
};
const COLUMNS: Column<Save>[] = [
  { name: 'At', of: ({ createdAt }) => <time dateTime={createdAt}>{formatMoment(createdAt)}</time> },
  { name: 'State', of: ({ state }) => <StateWord tone={toneOf(state)}>{STATE_WORDS[state]}</StateWord> },
  {
    name: 'What',
    of: ({ url }) => {
      const href = safeLink(url);
      const text = <bdi>{shortAddress(url)}</bdi>;
      if (href === null) return text;
      return (
        <a className="text-link" href={href} target="_blank" rel="noopener noreferrer nofollow">
          {text}
          <span className="visually-hidden">, in a new tab</span>
        </a>
      );
    },
  },
  { name: 'By', of: ({ via }) => SAVE_WAYS[via] },
  { name: 'Post', of: ({ archiveId }) => archiveId !== null && <Link href={`/post/${archiveId}`}>the post</Link> },
  { name: 'What became of it', isLong: true, of: saveSentence },
];

/** All save requests. An operator may retry or cancel them. */
export function SavesPage() {
  const call = useAdminCall();
  const [state, setState] = useState<SaveState | 'open' | ''>('');
  const list = useAdminList<Save>(
    useCallback(
      async (after) => {
        const page = after ?? '1';
        const { data, pagination } = await call('listSaves', {
          query: { page, limit: String(PAGE), ...(state !== '' && { state }) },
        });
        return { data, next: Number(page) * PAGE < pagination.total ? String(Number(page) + 1) : null };
      },
      [call, state],
    ),
  );
  const { ask, dialog } = useActs(list.reload);

  const act = (save: Save, name: 'retrySave' | 'cancelSave', words: Omit<Act, 'run'>, said: string): Act => ({
    ...words,
    run: async ({ reason }) => {
      await call(name, { params: { save: save._id }, body: { reason } });
      return said;
    },
  });
  const retry = (save: Save) =>
    act(
      save,
      'retrySave',
      { title: 'Try this save again?', text: 'It begins anew, with as much time as a new one.', label: 'Try again' },
      'It begins anew.',
    );
  const cancel = (save: Save) =>
    act(
      save,
      'cancelSave',
      {
        title: 'End this save?',
        text: 'Nothing more is fetched for it. It can be tried again later.',
        label: 'End it',
      },
      'Ended.',
    );

  return (
    <>
      <AdminHead title="Saves" />
      <div className={bars['bar']}>
        <select
          aria-label="Which saves"
          value={state}
          onChange={({ target }) => setState(target.value as SaveState | 'open' | '')}
        >
          <option value="">Every state</option>
          {(['open', ...SAVE_STATES] as const).map((one) => (
            <option key={one} value={one}>
              {STATE_WORDS[one]}
            </option>
          ))}
        </select>
      </div>
      <AdminList
        name="Saves"
        list={list}
        columns={COLUMNS}
        idOf={({ _id }) => _id}
        acts={(save) => {
          const of = shortAddress(save.url);
          if (save.reason === 'taken_back') return null;
          if (save.state === 'failed') return <RowAct label="Try again" of={of} onClick={() => ask(retry(save))} />;
          if (save.state !== 'received' && save.state !== 'fetched') return null;
          return <RowAct label="End" of={of} onClick={() => ask(cancel(save))} />;
        }}
        empty="No save of that kind."
      />
      {dialog}
    </>
  );
}

function toneOf(state: SaveState) {
  if (state === 'failed') return 'bad';
  return state === 'answered' ? 'good' : 'busy';
}
