import type { Post } from '@archive/contracts';
import { authorHref } from '../../lib/routes.ts';
import { Ago } from '../../ui/ago.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { StarIcon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { PlatformMark } from '../../ui/platform-mark.tsx';
import { Highlighted } from '../../ui/post-text.tsx';
import styles from './author-line.module.css';

interface AuthorLineProps {
  post: Post;
  terms: readonly string[];
  size: 28 | 40 | 46;
  showDate?: boolean;
  showStar?: boolean;
}

/** Picture, name and handle as one link to the author's page. */
export function AuthorLine({ post, terms, size, showDate = false, showStar = false }: AuthorLineProps) {
  return (
    <Link href={authorHref(post.authorUsername)} className={styles['author']} data-size={size}>
      <Avatar name={post.author} handle={post.authorUsername} address={post.authorAvatar} size={size} />
      <span className={styles['text']}>
        <span className={styles['name']}>
          <bdi className="one-line">
            <Highlighted text={post.author} terms={terms} />
          </bdi>
          {showStar && post.featured && (
            <span className={styles['star']}>
              <StarIcon size={14} filled />
              <span className="visually-hidden">Featured</span>
            </span>
          )}
        </span>
        <span className={styles['meta']}>
          <PlatformMark platform={post.platform} />
          <bdi className={styles['handle']}>
            @<Highlighted text={post.authorUsername} terms={terms} />
          </bdi>
          {showDate && (
            <>
              <span aria-hidden="true">·</span>
              <Ago at={post.timestamp} />
            </>
          )}
        </span>
      </span>
    </Link>
  );
}
