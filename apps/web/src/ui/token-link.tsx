import type { TokenLaunch } from '@archive/contracts';
import { safeLink } from '../lib/safe-links.ts';
import buttons from './button.module.css';
import { OutIcon } from './icons.tsx';

/** The way to a token's page on its platform, else with an explorer; nothing where there is none. */
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
