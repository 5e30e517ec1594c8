import type { Post } from '@archive/contracts';
import type { ReactNode } from 'react';

/** The parts of a post that other features provide. */
export interface PostSlots {
  reactions: (post: Post) => ReactNode;
  launch: (post: Post) => ReactNode;
}

export interface PostProps extends PostSlots {
  post: Post;
  /** Search terms to highlight in text, name and handle. */
  terms: PostTerms;
}

export interface PostTerms {
  content: readonly string[];
  author: readonly string[];
}

export const NO_TERMS: PostTerms = { content: [], author: [] };
