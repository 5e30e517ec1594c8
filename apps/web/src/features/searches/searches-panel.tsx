import type { SavedSearch } from '@archive/contracts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { callApi } from '../../lib/api.ts';
import { formatRecentDay } from '../../lib/format-moment.ts';
import buttons from '../../ui/button.module.css';
import { BinIcon, FeedIcon, PencilIcon } from '../../ui/later-icons.tsx';
import { Link } from '../../ui/link.tsx';
import rows from '../../ui/panel.module.css';
import { Panel } from '../../ui/panel.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { withToken } from '../../wallet/session.ts';
import { refreshSessionAnswer, useSessionAnswer } from '../../wallet/session-answer.ts';
import { queryWords } from './query-words.ts';
import styles from './searches-panel.module.css';

/** The saved searches of the signed-in person. */
export function SearchesPanel() {
  const { data, error, reload } = useSessionAnswer('listSearches');
  const searches = data?.data;

  // Reloads the searches when the notices change: an earlier answer may have older counts.
  const notices = useSessionAnswer('listNotices').data?.data;
  const counts = notices?.map(({ search }) => search?.newPosts ?? 0).join();
  const known = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` is another one each time, and does the same.
  useEffect(() => {
    if (data !== undefined && counts !== undefined && known.current !== counts) reload();
    known.current = counts;
  }, [counts]);

  return (
    <Panel title="Saved searches" note={searches?.length ? String(searches.length) : undefined}>
      {searches === undefined && (
        <p role="status" className={rows['empty']}>
          {error === undefined ? 'Loading searches...' : 'Your searches could not be loaded. They are safe.'}
        </p>
      )}
      {searches?.length === 0 && (
        <p className={rows['empty']}>
          None yet. <Link href="/">Search the archive</Link>, and press “Save this search” above the posts.
        </p>
      )}
      <ul>
        {searches?.map((search) => (
          <li key={search._id}>
            <Entry search={search} onChange={reload} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Entry({ search, onChange }: { search: SavedSearch; onChange: () => void }) {
  const { _id: savedSearch, name, query, newPosts, seenAt } = search;
  const { mutate } = useSWRConfig();
  const [isRenaming, setIsRenaming] = useState(false);

  async function change(body: { name?: string; seen?: true }) {
    const isDone = await withToken(async (token) => {
      await callApi('changeSearch', { token, params: { savedSearch }, body });
    });
    if (!isDone) showToast('error', 'The search could not be changed. Please try again.');
    onChange();
    // Reloads the notices, which count the same posts.
    refreshSessionAnswer('listNotices', mutate);
  }

  async function drop() {
    const isDone = await withToken(async (token) => {
      await callApi('dropSearch', { token, params: { savedSearch } });
    });
    if (!isDone) showToast('error', 'The search could not be deleted. Please try again.');
    onChange();
  }

  if (isRenaming) {
    return (
      <Rename
        name={name}
        onDone={(given) => {
          setIsRenaming(false);
          if (given !== null && given !== name) void change({ name: given });
        }}
      />
    );
  }
  return (
    <div className={styles['entry']}>
      <Link
        href={`/?${query}${newPosts > 0 ? '&sortBy=saved' : ''}`}
        className={styles['search']}
        onClick={() => newPosts > 0 && void change({ seen: true })}
      >
        <span className={rows['name']}>
          <bdi>{name}</bdi>
          {newPosts > 0 && (
            <span className={rows['badge']}>
              {newPosts}
              <span className="visually-hidden"> new</span>
            </span>
          )}
        </span>
        <bdi className={rows['mono']}>{queryWords(query)}</bdi>
        <span className={styles['since']}>
          {newPosts > 0 ? 'new' : 'nothing new'} since {formatRecentDay(seenAt, Date.now())}
        </span>
      </Link>
      <a className={buttons['icon']} href={`/feed.atom?${query}`} aria-label={`Feed of ${name}`} title="Feed">
        <FeedIcon size={15} />
      </a>
      <button
        type="button"
        className={buttons['icon']}
        aria-label={`Rename ${name}`}
        title="Rename"
        onClick={() => setIsRenaming(true)}
      >
        <PencilIcon size={15} />
      </button>
      <button
        type="button"
        className={buttons['icon']}
        aria-label={`Delete ${name}`}
        title="Delete"
        onClick={() => void drop()}
      >
        <BinIcon size={15} />
      </button>
    </div>
  );
}

function Rename({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  const [text, setText] = useState(name);
  function submit(event: FormEvent) {
    event.preventDefault();
    onDone(text.trim() || null);
  }
  return (
    <form className={styles['rename']} onSubmit={submit}>
      <label className="field">
        <span className="visually-hidden">Name of the search</span>
        <input
          type="text"
          dir="auto"
          maxLength={80}
          value={text}
          // biome-ignore lint/a11y/noAutofocus: whoever pressed "Rename" means to write here.
          autoFocus
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && onDone(null)}
        />
      </label>
      <button type="submit" className={buttons['primary']}>
        Rename
      </button>
    </form>
  );
}
