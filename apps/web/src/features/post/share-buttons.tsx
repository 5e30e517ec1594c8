import { type Post, PRODUCT_NAME } from '@archive/contracts';
import type { ReactNode } from 'react';
import { postHref } from '../../lib/routes.ts';
import { CheckIcon, LinkIcon } from '../../ui/icons.tsx';
import { ShareIcon } from '../../ui/later-icons.tsx';
import { useCopy } from '../../ui/use-copy.ts';

interface ShareButtonsProps {
  post: Post;
  className: string | undefined;
  /** Words beside the icons. */
  isLong?: boolean;
}

/** Gives a post's address to another app by the system's own sheet, or copies it where there is none. */
export function ShareButtons({ post, className, isLong = false }: ShareButtonsProps) {
  const url = window.location.origin + postHref(post._id);
  const { isCopied, copy } = useCopy(url);

  async function share() {
    if (navigator.share === undefined) return copy();
    // Whoever closes the sheet has changed their mind.
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
