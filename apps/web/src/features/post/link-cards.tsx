import type { Post } from '@archive/contracts';
import { safeLink } from '../../lib/safe-links.ts';
import { LinkIcon } from '../../ui/icons.tsx';
import styles from './link-cards.module.css';

/**
 * The links below a post's text: those with a title, and those that do not occur in the text. A card shows only the
 * first.
 */
export function LinkCards({ post: { links }, isShort = false }: { post: Post; isShort?: boolean }) {
  const below = links.filter(({ title, start, end }) => title !== null || start === end);
  return below.slice(0, isShort ? 1 : undefined).map(({ url, title, start }) => {
    const address = safeLink(url);
    if (address === null) return null;
    const host = new URL(address).hostname.replace(/^www\./, '');
    return (
      <a key={`${start} ${url}`} href={address} target="_blank" rel="noopener noreferrer" className={styles['link']}>
        <LinkIcon size={14} />
        <bdi className="one-line">{title ?? address.replace(/^https?:\/\/(www\.)?/, '')}</bdi>
        {title !== null && <span className="one-line">{host}</span>}
        <span className="visually-hidden">, in a new tab</span>
      </a>
    );
  });
}
