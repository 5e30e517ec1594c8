import type { MouseEvent, ReactNode } from 'react';
import { postHref } from '../lib/routes.ts';
import { openPost } from '../lib/view-location.ts';
import { isPlainPress } from './link.tsx';

interface PostLinkProps {
  id: string;
  className?: string | undefined;
  children?: ReactNode;
  /** The id of the element that names the link, if the link has no text. */
  labelledBy?: string;
  /** Whether the keys j, k and the arrows stop here. */
  isStop?: boolean;
}

export function PostLink({ id, className, children, labelledBy, isStop = false }: PostLinkProps) {
  function open(event: MouseEvent) {
    if (!isPlainPress(event)) return;
    event.preventDefault();
    openPost(id);
  }
  return (
    <a
      href={postHref(id)}
      className={className}
      onClick={open}
      aria-labelledby={labelledBy}
      {...(isStop ? { 'data-post-stop': '' } : {})}
    >
      {children}
    </a>
  );
}
