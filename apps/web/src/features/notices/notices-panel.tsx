import { type Notice, newCount, noticeHref } from '@archive/contracts';
import type { ReactNode } from 'react';
import { useSWRConfig } from 'swr';
import { callApi } from '../../lib/api.ts';
import { formatAgo } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { CheckIcon, ChevronRightIcon, StarIcon, WalletIcon } from '../../ui/icons.tsx';
import { BookmarkIcon, SaveIcon } from '../../ui/later-icons.tsx';
import { Link } from '../../ui/link.tsx';
import rows from '../../ui/panel.module.css';
import { Panel } from '../../ui/panel.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { withToken } from '../../wallet/session.ts';
import { refreshSessionAnswer } from '../../wallet/session-answer.ts';
import { useWalletState } from '../../wallet/wallet-store.ts';
import { failedWords } from './notice-words.ts';
import { useNotices } from './use-notices.ts';

const ICONS = {
  search: BookmarkIcon,
  save: SaveIcon,
  token: CheckIcon,
  featured: StarIcon,
  credit: WalletIcon,
};

/** The notices of the signed-in person. */
export function NoticesPanel() {
  const { notices, unread, error, reload } = useNotices();
  const { user } = useWalletState();
  const { mutate } = useSWRConfig();
  const isOff = user?.preferences.notifications === false;

  async function readAll() {
    const isDone = await withToken(async (token) => {
      await callApi('readNotices', { token });
    });
    if (isDone) reload();
    else showToast('error', 'The notices could not be marked. Please try again.');
  }

  return (
    <Panel
      title="Notices"
      note={unread > 0 ? `${unread} new` : undefined}
      tools={
        unread > 0 && (
          <button type="button" className="word-link" onClick={() => void readAll()}>
            Mark all as read
          </button>
        )
      }
    >
      {notices === undefined && (
        <p role="status" className={rows['empty']}>
          {error === undefined ? 'Loading notices...' : 'Your notices could not be loaded. Nothing of them is lost.'}
        </p>
      )}
      {notices?.length === 0 && (
        <p className={rows['empty']}>
          {isOff
            ? 'Notices are off. They are turned on under Profile Settings.'
            : 'Nothing yet. You are told here of new posts in searches you save, and of what you save, launch and feature.'}
        </p>
      )}
      <ul>
        {notices?.map((notice) => (
          <li key={notice._id}>
            <Entry notice={notice} onSeen={() => refreshSessionAnswer('listNotices', mutate)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Entry({ notice, onSeen }: { notice: Notice; onSeen: () => void }) {
  const { kind, at, isNew, search, post } = notice;
  const Icon = ICONS[kind];
  const content = (
    <>
      <span className={rows['pebble']} data-tone={kind === 'token' || kind === 'featured' ? 'done' : undefined}>
        <Icon size={14} />
      </span>
      <span className={rows['words']}>
        <span className="one-line">
          <Words notice={notice} />
        </span>
        <time className={rows['meta']} dateTime={at} title={formatMoment(at)}>
          {formatAgo(at, Date.now())}
        </time>
      </span>
      {isNew && (
        <span className={rows['dot']}>
          <span className="visually-hidden">new</span>
        </span>
      )}
    </>
  );
  const href = noticeHref(notice);
  if (href !== null) {
    return (
      <Link href={href} className={rows['entry']} onClick={() => search && void markSeen(search._id).then(onSeen)}>
        {content}
        <ChevronRightIcon size={14} />
      </Link>
    );
  }
  if (post === null) return <div className={rows['entry']}>{content}</div>;
  return (
    <PostLink id={post._id} className={rows['entry']}>
      {content}
      <ChevronRightIcon size={14} />
    </PostLink>
  );
}

function Words({ notice: { kind, search, post, token, reason } }: { notice: Notice }): ReactNode {
  const words = post && <bdi className={rows['quote']}>{post.content}</bdi>;
  switch (kind) {
    case 'search':
      return (
        <>
          <b>
            {newCount(search?.newPosts ?? 0)} new {search?.newPosts === 1 ? 'post' : 'posts'}
          </b>{' '}
          in “<bdi>{search?.name}</bdi>”
        </>
      );
    case 'save':
      return words ? <>Saved: {words}</> : <>A post was not saved. {failedWords(reason)}</>;
    case 'token':
      return (
        <>
          <b>
            <bdi>{token?.symbol}</bdi>
          </b>{' '}
          is confirmed on the chain
        </>
      );
    case 'credit':
      return <>A payment of yours could not be applied; it is kept as a credit</>;
    default:
      return words ? <>You featured: {words}</> : <>A post you paid for is hidden or gone</>;
  }
}

/** Marks a saved search as seen when its new posts are opened. */
async function markSeen(savedSearch: string): Promise<void> {
  await withToken(async (token) => {
    await callApi('changeSearch', { token, params: { savedSearch }, body: { seen: true } });
  });
}
