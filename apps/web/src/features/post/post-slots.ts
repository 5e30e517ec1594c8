import type { Post } from '@archive/contracts';
import type { ReactNode } from 'react';

/** What other features put into a post wherever it is drawn. */
export interface PostSlots {
  reactions: (post: Post) => ReactNode;
  launch: (post: Post) => ReactNode;
}

export interface PostProps extends PostSlots {
  post: Post;
  /** Searched for in words, name and handle. */
  terms: PostTerms;
}

export interface PostTerms {
  content: readonly string[];
  author: readonly string[];
}

export const NO_TERMS: PostTerms = { content: [], author: [] };
