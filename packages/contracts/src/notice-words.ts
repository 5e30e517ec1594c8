import type { Notice } from './entities.ts';
import { NEW_POSTS_COUNTED } from './limits.ts';

/** `12` or `more than 50`. */
export function newCount(count: number): string {
  return count > NEW_POSTS_COUNTED ? `more than ${NEW_POSTS_COUNTED}` : String(count);
}

/** A notice as one plain sentence, for places without markup. */
export function noticeSentence(notice: Notice): string {
  const { kind, search, token, post } = notice;
  if (kind === 'search' && search) {
    return `${capital(newCount(search.newPosts))} new ${search.newPosts === 1 ? 'post' : 'posts'} in “${search.name}”`;
  }
  if (kind === 'save') return post ? 'A post you asked for is saved.' : 'A post you asked for could not be saved.';
  if (kind === 'token' && token) return `${token.symbol} is confirmed on the chain.`;
  if (kind === 'credit') return 'A payment of yours is kept as a credit.';
  return post ? 'A post you paid for is featured.' : 'A post you paid for is hidden or gone.';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
