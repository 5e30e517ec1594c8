import type { ReportedPost } from '@archive/contracts';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { AuthorLine } from '../../features/post/author-line.tsx';
import { PostMedia } from '../../features/post/media/post-media.tsx';
import { OriginalLink } from '../../features/post/original-link.tsx';
import { formatDay } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import buttons from '../../ui/button.module.css';
import { EyeOffIcon } from '../../ui/later-icons.tsx';
import { writingProps } from '../../ui/post-text.tsx';
import { STATE_NAMES } from './report-names.ts';
import styles from './reported-post-view.module.css';
import { useAdminCall } from './use-admin-call.ts';

interface ReportedPostViewProps {
  item: ReportedPost;
  arePicturesShown: boolean;
  onShow: () => void;
}

/** Milliseconds on one post before its details are fetched, so that fast stepping makes no calls. */
const RESTS_MS = 250;

/** The reported post and what is known of it. Its pictures stay covered until the operator clicks. */
export function ReportedPostView({ item, arePicturesShown, onShow }: ReportedPostViewProps) {
  const { post, postState, hiddenFor, isHiddenByReports } = item;
  const call = useAdminCall();
  const [rests, setRests] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRests(true), RESTS_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useSWR(
    rests && post !== null ? `admin post ${item._id}` : null,
    () => call('getAdminPost', { params: { id: item._id } }),
    { shouldRetryOnError: false, revalidateOnFocus: false },
  );
  if (post === null) {
    return <p className={styles['gone']}>This post was removed for good: nothing of it is left.</p>;
  }
  const { media, origin } = { media: post.media, origin: post.savedBy };
  const why = isHiddenByReports ? ' by its reports' : hiddenFor === 'law' ? ' for legal reasons' : '';
  return (
    <div className={styles['post']}>
      <article className={styles['card']}>
        <AuthorLine post={post} terms={[]} size={40} showDate />
        {post.content !== '' && (
          <p className={styles['words']} {...writingProps(post.content)}>
            {post.content}
          </p>
        )}
        {media.length > 0 &&
          (arePicturesShown && postState === 'shown' ? (
            <PostMedia post={{ ...post, sensitive: false }} place="page" />
          ) : (
            <div className={styles['pictures']}>
              <EyeOffIcon size={20} />
              <b>
                {media.length} {post.sensitive ? 'sensitive ' : ''}
                {media.length === 1 ? 'picture' : 'pictures'}
              </b>
              <span>
                {postState !== 'shown'
                  ? 'Not served while the post is out of sight.'
                  : post.sensitive
                    ? 'Marked by their author.'
                    : 'Nothing is fetched before you press.'}
              </span>
              {postState === 'shown' && (
                <button type="button" className={buttons['plain']} onClick={onShow}>
                  Show <kbd>s</kbd>
                </button>
              )}
            </div>
          ))}
        <p className={styles['foot']}>
          <time dateTime={post.timestamp}>{formatMoment(post.timestamp)}</time>
          <OriginalLink address={post.url} author={post.author} className={buttons['word']} />
        </p>
      </article>
      <dl className={styles['facts']}>
        <div>
          <dt>State</dt>
          <dd>
            {STATE_NAMES[postState]}
            {why}
          </dd>
        </div>
        <div>
          <dt>Saved</dt>
          <dd>
            {formatDay(post.savedAt)}
            {origin.via === 'mention' ? `, asked by @${origin.handle}` : ''}
          </dd>
        </div>
        <div>
          <dt>Source</dt>
          <dd>
            {post.source.state}
            {post.source.checkedAt !== null && ` ${formatDay(post.source.checkedAt)}`}
          </dd>
        </div>
        <div>
          <dt>Featured, launched</dt>
          <dd>
            {post.featured ? 'yes' : 'no'}, {post.launched ? 'yes' : 'no'}
          </dd>
        </div>
        <div>
          <dt>Author</dt>
          <dd>
            {data?.author
              ? `${data.author.shown} ${data.author.shown === 1 ? 'post' : 'posts'} shown, ${data.author.hidden === 0 ? 'none' : data.author.hidden} hidden`
              : '…'}
          </dd>
        </div>
      </dl>
    </div>
  );
}
