import type { Author, Platform } from '@archive/contracts';
import { PLATFORM_NAMES } from '@archive/contracts';
import type { ReactNode } from 'react';
import { formatCompact, formatCount, formatDay } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { PlatformMark } from '../../ui/platform-mark.tsx';
import styles from './author-head.module.css';
import { profileAddress } from './profile-address.ts';

interface AuthorHeadProps {
  handle: string;
  /** Undefined while loading. */
  author: Author | undefined;
  tools: ReactNode;
}

/** The author's name and picture, and four figures about the archived posts. */
export function AuthorHead({ handle, author, tools }: AuthorHeadProps) {
  const name = author?.author ?? handle;
  const username = author?.username ?? handle;
  return (
    <>
      <header className={styles['head']}>
        <Avatar name={name} handle={username} address={author?.avatar ?? null} size={112} />
        <div className={styles['who']}>
          <h1 data-page-title tabIndex={-1}>
            <bdi>{name}</bdi>
          </h1>
          <p className={styles['handle']}>
            {author?.platforms.map(({ platform }) => (
              <PlatformMark key={platform} platform={platform} />
            ))}
            <bdi>@{username}</bdi>
            {author?.platforms.map(({ platform }) => (
              <Profile key={platform} platform={platform} username={username} />
            ))}
          </p>
        </div>
        <div className={styles['tools']}>{tools}</div>
      </header>
      <dl className={styles['figures']}>
        <Figure term="Posts kept">{author && formatCount(author.posts)}</Figure>
        <Figure term="Reactions">{author && formatCompact(author.reactions)}</Figure>
        <Figure term="First post">{author && <Day at={author.first} />}</Figure>
        <Figure term="Last post">{author && <Day at={author.last} />}</Figure>
      </dl>
    </>
  );
}

function Profile({ platform, username }: { platform: Platform; username: string }) {
  const address = profileAddress(platform, username);
  if (platform === 'other' || address === null) return null;
  return (
    <a className="text-link" href={address} target="_blank" rel="noopener noreferrer">
      Profile on {PLATFORM_NAMES[platform]}
      <span className="visually-hidden">, in a new tab</span>
    </a>
  );
}

function Figure({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children ?? <span aria-hidden="true">–</span>}</dd>
    </div>
  );
}

function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatDay(at)}
    </time>
  );
}
