import type { MouseEvent, ReactNode } from 'react';
import { openPost, postHref } from '../lib/post-link.ts';
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
