import type { MouseEvent, ReactNode } from 'react';
import { postHref } from '../lib/routes.ts';
import { openPost } from '../lib/view-location.ts';
import { isPlainPress } from './link.tsx';

interface PostLinkProps {
  id: string;
  className?: string | undefined;
  children?: ReactNode;
  /** What names it, where it stands beside its words. */
  labelledBy?: string;
  /** Whether j, k and the arrows stop here. */
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
