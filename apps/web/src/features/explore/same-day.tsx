import type { Explore } from '@archive/contracts';
import { formatCompact, formatCount } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { REACTION_ICONS } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { PostText, writingProps } from '../../ui/post-text.tsx';
import quoted from '../../ui/quoted-post.module.css';
import { archiveHref } from './archive-href.ts';
import { formatDayOfYear, posts } from './explore-words.ts';
import styles from './same-day.module.css';

/** Graphemes: about three lines. */
const WORDS_LENGTH = 110;

/** Posts of this day in earlier years, one per year. */
export function SameDay({ onThisDay: { day, count, years } }: Pick<Explore, 'onThisDay'>) {
  const HeartIcon = REACTION_ICONS.heart.Icon;
  return (
    <section className="panel" aria-labelledby="same-day">
      <header className={styles['head']}>
        <h2 id="same-day">On this day</h2>
        {count > 0 && (
          <span>
            {formatCount(count)} {posts(count)}
          </span>
        )}
      </header>
      <p className={styles['note']}>{formatDayOfYear(day)} in other years</p>
      {years.length === 0 ? (
        <p className={styles['none']}>
          No other year has a post of this day.{' '}
          <Link href={archiveHref({ startDate: day, endDate: day })}>This one’s</Link>
        </p>
      ) : (
        <ol className={styles['years']}>
          {years.map(({ day: other, count: ofDay, post }) => (
            <li key={other}>
              <Link
                href={archiveHref({ startDate: other, endDate: other })}
                className={styles['year']}
                aria-label={`${formatCount(ofDay)} ${posts(ofDay)} of ${formatDayOfYear(other)} ${other.slice(0, 4)}`}
                title={`${formatCount(ofDay)} ${posts(ofDay)}`}
              >
                {other.slice(0, 4)}
              </Link>
              <PostLink id={post._id} className={styles['post']}>
                <span className={`${quoted['words']} ${styles['words']}`} {...writingProps(post.content)}>
                  <PostText text={post.content} terms={[]} limit={WORDS_LENGTH} />
                </span>
                <span className={styles['by']}>
                  <Avatar name={post.author} handle={post.authorUsername} address={post.authorAvatar} size={22} />
                  <bdi className="one-line">{post.author}</bdi>
                  {post.reactions.heart > 0 && (
                    <span className={styles['hearts']}>
                      <HeartIcon size={14} />
                      <span className="visually-hidden">Hearts: </span>
                      {formatCompact(post.reactions.heart)}
                    </span>
                  )}
                </span>
              </PostLink>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
