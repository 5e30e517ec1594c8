import { type Post, PRODUCT_NAME } from '@archive/contracts';
import type { ReactNode } from 'react';
import { postHref } from '../../lib/routes.ts';
import { CheckIcon, LinkIcon } from '../../ui/icons.tsx';
import { ShareIcon } from '../../ui/later-icons.tsx';
import { useCopy } from '../../ui/use-copy.ts';

interface ShareButtonsProps {
  post: Post;
  className: string | undefined;
  /** Whether labels are shown beside the icons. */
  isLong?: boolean;
}

/** Shares a post's address with the system's share sheet, or copies it if there is none. */
export function ShareButtons({ post, className, isLong = false }: ShareButtonsProps) {
  const url = window.location.origin + postHref(post._id);
  const { isCopied, copy } = useCopy(url);

  async function share() {
    if (navigator.share === undefined) return copy();
    // Closing the share sheet rejects; that is no error.
    await navigator.share({ title: `${post.author} in ${PRODUCT_NAME}`, url }).catch(() => {});
  }

  const button = (label: string, act: () => Promise<void>, icon: ReactNode) => (
    <button type="button" className={className} title={isLong ? undefined : label} onClick={() => void act()}>
      {icon}
      <span className={isLong ? undefined : 'visually-hidden'}>{label}</span>
    </button>
  );
  return (
    <>
      {button('Share', share, <ShareIcon />)}
      {button('Copy link', copy, isCopied ? <CheckIcon /> : <LinkIcon />)}
      <span role="status" className="visually-hidden">
        {isCopied ? 'Link copied' : ''}
      </span>
    </>
  );
}
