import { type AdminKey, KEY_SCOPES } from '@archive/contracts';
import { useCallback, useState } from 'react';
import { formatCount, formatDay } from '../../lib/format.ts';
import buttons from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type Act, useActs } from './act-dialog.tsx';
import { AdminHead } from './admin-head.tsx';
import { AdminList, type Column, RowAct, StateWord } from './admin-list.tsx';
import styles from './keys-page.module.css';
import { useAdminCall } from './use-admin-call.ts';
import { useAdminList } from './use-admin-list.ts';
import { REMOVED, useRemove } from './use-remove.ts';

const SCOPE_WORDS: Record<(typeof KEY_SCOPES)[number], string> = {
  ingest: 'Send posts (ingest)',
  save: 'Ask for posts to be saved (save)',
};

/** Creates and revokes the keys of agents, and removes what an agent delivered. */
export function KeysPage() {
  const call = useAdminCall();
  const remove = useRemove();
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const list = useAdminList<AdminKey>(
    useCallback(async () => ({ data: (await call('listKeys')).data.toReversed(), next: null }), [call]),
  );
  const { ask, dialog } = useActs(list.reload);
  const columns: Column<AdminKey>[] = [
    { name: 'Name', of: ({ name }) => <b dir="auto">{name}</b> },
    { name: 'Id', of: ({ _id }) => <code>{_id}</code> },
    { name: 'State', of: (key) => stateOf(key) },
    { name: 'May', of: ({ scopes }) => scopes.join(', ') },
    {
      name: 'Limit',
      of: ({ postsPerMinute }) =>
        postsPerMinute === null ? 'as everybody' : `${formatCount(postsPerMinute)} a minute`,
    },
    { name: 'Made', of: ({ createdAt }) => formatDay(createdAt) },
    { name: 'Ends', of: ({ expiresAt }) => (expiresAt === null ? 'never' : formatDay(expiresAt)) },
  ];
  return (
    <>
      <AdminHead title="Keys">
        <button type="button" className={buttons['primary']} onClick={() => ask(make())}>
          Make a key
        </button>
      </AdminHead>
      {made !== null && (
        <section className={styles['made']} aria-label="The new key">
          <p>
            <b>The key of {made.name}.</b> It is shown this once: copy it now.
          </p>
          <p className={styles['key']}>
            <code>{made.key}</code>
            <CopyButton text={made.key} label="Copy the key" />
          </p>
          <button type="button" className={buttons['plain']} onClick={() => setMade(null)}>
            I have copied it
          </button>
        </section>
      )}
      <AdminList
        name="Keys"
        list={list}
        columns={columns}
        idOf={({ _id }) => _id}
        acts={acts}
        empty="No key was made yet."
      />
      {dialog}
    </>
  );

  function acts(key: AdminKey) {
    return (
      <>
        {key.revokedAt === null && <RowAct label="Revoke" of={key.name} onClick={() => ask(revoke(key))} />}
        <RowAct label="Undo all" of={key.name} isGrave onClick={() => ask(takeAway(key, false))} />
        <RowAct label="Remove all" of={key.name} isGrave onClick={() => ask(takeAway(key, true))} />
      </>
    );
  }

  function make(): Act {
    return {
      title: 'Make a key',
      text: 'Anyone with this key can do what you tick below. It is shown once.',
      label: 'Make key',
      fields: (
        <>
          <label className="field">
            <span>What it is for</span>
            <input name="name" required maxLength={100} autoComplete="off" dir="auto" />
          </label>
          <fieldset className={styles['scopes']}>
            <legend>What it may do</legend>
            {KEY_SCOPES.map((scope) => (
              <label key={scope}>
                <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'ingest'} />
                {SCOPE_WORDS[scope]}
              </label>
            ))}
          </fieldset>
          <div className={styles['pair']}>
            <label className="field">
              <span>Posts per minute (default if empty)</span>
              <input name="limit" type="number" min={1} max={999_999} />
            </label>
            <label className="field">
              <span>Expires on (never if empty)</span>
              <input name="expires" type="date" />
            </label>
          </div>
        </>
      ),
      run: async ({ reason, value }) => {
        const name = value('name');
        const scopes = KEY_SCOPES.filter((scope) => value('scopes').split(' ').includes(scope));
        const [limit, expires] = [value('limit'), value('expires')];
        const { key } = await call('makeKey', {
          body: {
            name,
            scopes,
            ...(limit !== '' && { postsPerMinute: Number(limit) }),
            ...(expires !== '' && { expiresAt: `${expires}T23:59:59Z` }),
            reason,
          },
        });
        setMade({ name, key });
        return 'The key is made. It is shown this once.';
      },
    };
  }

  function revoke({ _id, name }: AdminKey): Act {
    return {
      title: `Revoke the key of ${name}?`,
      text: 'It does nothing from the next call on. What it saved stays. It cannot be given back: make another.',
      label: 'Revoke',
      isFinal: true,
      run: async ({ reason }) => {
        await call('revokeKey', { params: { key: _id }, query: { reason } });
        setMade(null);
        return `The key of ${name} is revoked.`;
      },
    };
  }

  function takeAway({ _id, name }: AdminKey, isRefused: boolean): Act {
    const selection = { key: _id };
    return {
      title: isRefused ? `Remove all that ${name} saved?` : `Undo all that ${name} saved?`,
      text: isRefused
        ? REMOVED
        : 'It goes everywhere, as if it had never been sent; the same can be saved again. It cannot be undone. The key stays as it is.',
      label: isRefused ? 'Remove for good' : 'Undo all',
      isFinal: true,
      takes: selection,
      run: ({ reason, count }) => remove({ selection, isRefused, count, reason }),
    };
  }
}

function stateOf({ revokedAt, expiresAt }: AdminKey) {
  if (revokedAt !== null) return <StateWord tone="rest">Revoked</StateWord>;
  if (expiresAt !== null && Date.parse(expiresAt) < Date.now()) return <StateWord tone="rest">Ended</StateWord>;
  return <StateWord tone="good">In use</StateWord>;
}
