import { safeLink, siteName } from '../../lib/safe-links.ts';
import { OutIcon } from '../../ui/icons.tsx';

interface OriginalLinkProps {
  address: string;
  author: string;
  className: string | undefined;
  long?: boolean;
}

/** The link to the original post, if its address is safe. */
export function OriginalLink({ address, author, className, long = false }: OriginalLinkProps) {
  const link = safeLink(address);
  if (link === null) return null;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer" className={className}>
      {long ? `View on ${siteName(link)}` : 'View'}
      <span className="visually-hidden"> the original post by {author}, in a new tab</span>
      {!long && <OutIcon size={12} />}
    </a>
  );
}
