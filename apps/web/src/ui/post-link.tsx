import type { MouseEvent, ReactNode } from 'react';
import { postHref } from '../lib/routes.ts';
import { openPost } from '../lib/view-location.ts';
import { isPlainPress } from './link.tsx';

interface PostLinkProps {
  id: string;
  className?: string | undefined;
  children: ReactNode;
  /** Whether j, k and the arrows stop here. */
  isStop?: boolean;
}

export function PostLink({ id, className, children, isStop = false }: PostLinkProps) {
  function open(event: MouseEvent) {
    if (!isPlainPress(event)) return;
    event.preventDefault();
    openPost(id);
  }
  return (
    <a href={postHref(id)} className={className} onClick={open} {...(isStop ? { 'data-post-stop': '' } : {})}>
      {children}
    </a>
  );
}
