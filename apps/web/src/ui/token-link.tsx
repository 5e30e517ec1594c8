import type { TokenLaunch } from '@archive/contracts';
import { safeLink } from '../lib/safe-links.ts';
import buttons from './button.module.css';
import { OutIcon } from './icons.tsx';

/** A link to a token on its platform, or else in an explorer; nothing if neither exists. */
export function TokenLink({ launch }: { launch: TokenLaunch }) {
  const link = safeLink(launch.pumpfunUrl) ?? safeLink(launch.solscanTokenUrl);
  if (link === null) return null;
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      className={buttons['icon']}
      aria-label={`${launch.symbol} on ${new URL(link).hostname}, in a new tab`}
    >
      <OutIcon size={14} />
    </a>
  );
}
