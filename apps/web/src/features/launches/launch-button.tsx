import type { Archive } from '@archive/contracts';
import buttons from '../../ui/button.module.css';
import { SparkIcon } from '../../ui/icons.tsx';
import { useLaunchTip } from './launch-link.tsx';
import { openLaunch } from './launch-opener.tsx';
import { ALREADY_USED } from './launch-words.ts';
import { isUnderWay, useToken } from './use-token.ts';

/** At the foot of an opened post. */
export function LaunchButton({ post }: { post: Archive }) {
  const tip = useLaunchTip();
  const check = useToken(post);
  if (post.launched) {
    return (
      <button type="button" className={buttons['plain']} disabled title={ALREADY_USED}>
        Already Launched
      </button>
    );
  }
  if (isUnderWay(check)) {
    return (
      <button type="button" className={buttons['plain']} disabled>
        Being launched
      </button>
    );
  }
  return (
    <button type="button" className={buttons['primary']} {...tip} onClick={() => openLaunch(post)}>
      <SparkIcon size={15} />
      Launch Token
    </button>
  );
}
