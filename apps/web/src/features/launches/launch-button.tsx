import type { Archive } from '@archive/contracts';
import buttons from '../../ui/button.module.css';
import { SparkIcon } from '../../ui/icons.tsx';
import { ALREADY_USED, launch, useLaunchTip } from './launch-link.tsx';

/** At the foot of an opened post. */
export function LaunchButton({ post }: { post: Archive }) {
  const tip = useLaunchTip();
  if (post.launched) {
    return (
      <button type="button" className={buttons['plain']} disabled title={ALREADY_USED}>
        Already Launched
      </button>
    );
  }
  return (
    <button type="button" className={buttons['primary']} {...tip} onClick={launch}>
      <SparkIcon size={15} />
      Launch Token
    </button>
  );
}
