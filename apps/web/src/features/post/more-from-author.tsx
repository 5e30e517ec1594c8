import type { Post } from '@archive/contracts';
import { useAnswer } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { authorHref, postHref } from '../../lib/routes.ts';
import { Ago } from '../../ui/ago.tsx';
import { ChevronRightIcon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { PostText, writingProps } from '../../ui/post-text.tsx';
import styles from './more-from-author.module.css';
import { plainWords } from './text-links.ts';

const SHOWN = 3;
/** Graphemes: about two lines. */
const WORDS_LENGTH = 90;

/** An author's newest posts, one more than is shown, because the current post may be among them. */
export function useNewestOf(handle: string) {
  return useAnswer('listArchives', { query: { handle, limit: SHOWN + 1 } });
}

/** The author's newest other posts, and a link to all of them. */
export function MoreFromAuthor({ post }: { post: Post }) {
  const handle = post.authorUsername;
  const { data } = useNewestOf(handle);
  const others = data?.data.filter(({ _id }) => _id !== post._id).slice(0, SHOWN) ?? [];
  if (data === undefined || others.length === 0) return null;
  const { total } = data.pagination;
  return (
    <section className="panel">
      <h2>More from this author</h2>
      <ul className={styles['posts']}>
        {others.map((other) => (
          <li key={other._id}>
            <Link href={postHref(other._id)} className={styles['post']}>
              <span className={styles['words']} {...writingProps(other.content)}>
                <PostText text={plainWords(other)} terms={[]} limit={WORDS_LENGTH} />
              </span>
              <Ago at={other.timestamp} />
            </Link>
          </li>
        ))}
      </ul>
      {total > others.length + 1 && (
        <Link href={authorHref(handle)} className={styles['all']}>
          All {formatCount(total)} posts
          <ChevronRightIcon size={13} />
        </Link>
      )}
    </section>
  );
}
