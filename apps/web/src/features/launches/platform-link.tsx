import type { Archive } from '@archive/contracts';
import { safeLink } from '../../lib/safe-links.ts';
import buttons from '../../ui/button.module.css';
import { OutIcon } from '../../ui/icons.tsx';
import { useToken } from './use-token.ts';

/** Where a launched post's token can be looked at: on its platform, else with an explorer. */
export function PlatformLink({ post }: { post: Archive }) {
  const token = useToken(post)?.tokenLaunch;
  const platform = safeLink(token?.pumpfunUrl);
  const link = platform ?? safeLink(token?.solscanTokenUrl);
  if (link === null) return null;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer" className={buttons['primary']}>
      View on {platform === null ? 'Solscan' : 'pump.fun'}
      <span className="visually-hidden">, in a new tab</span>
      <OutIcon size={13} />
    </a>
  );
}
