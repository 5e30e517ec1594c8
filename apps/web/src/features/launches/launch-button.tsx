import type { Post } from '@archive/contracts';
import { safeLink } from '../../lib/safe-links.ts';
import buttons from '../../ui/button.module.css';
import { OutIcon, SparkIcon } from '../../ui/icons.tsx';
import { useIsPaused, useLaunchTip } from './launch-link.tsx';
import { openLaunch } from './launch-opener.tsx';
import { ALREADY_USED } from './launch-words.ts';
import { isUnderWay, useToken } from './use-token.ts';

/** The launch button at the end of an opened post. */
export function LaunchButton({ post }: { post: Post }) {
  const tip = useLaunchTip();
  const isPaused = useIsPaused();
  const check = useToken(post);
  if (post.launched || isUnderWay(check)) {
    return (
      <button type="button" className={buttons['plain']} disabled title={post.launched ? ALREADY_USED : undefined}>
        {post.launched ? 'Already Launched' : 'Being launched'}
      </button>
    );
  }
  return (
    <button type="button" className={buttons[isPaused ? 'plain' : 'primary']} {...tip} onClick={() => openLaunch(post)}>
      <SparkIcon size={15} />
      Launch Token
    </button>
  );
}

/** A link to a launched token on its platform, or else in an explorer. */
export function PlatformLink({ post }: { post: Post }) {
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
