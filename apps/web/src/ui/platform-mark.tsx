import { PLATFORM_NAMES, type Platform } from '@archive/contracts';
import { icon } from './icons.tsx';
import styles from './platform-mark.module.css';

const MARKS = {
  x: icon('M4.5 4h4.2l10.8 16h-4.2ZM19 4l-6.4 7.1M5 20l6.6-7.3', 2),
  bluesky: icon(
    'M12 11.2C10.6 8 7.6 4.9 5.4 4.2c-1.7-.5-2.2.6-2.2 2 0 1.7.6 5.5 1.1 6.4.7 1.4 2.2 1.8 4 1.5-2.7.5-4.2 1.7-2 4.1 2.6 2.7 4.6-.3 5.7-3 1.1 2.7 3 5.7 5.7 3 2.2-2.4.7-3.6-2-4.1 1.8.3 3.3-.1 4-1.5.5-.9 1.1-4.7 1.1-6.4 0-1.4-.5-2.5-2.2-2-2.2.7-5.2 3.8-6.6 7Z',
    2,
  ),
};

/** The icon of a post's platform; nothing for an unknown platform. */
export function PlatformMark({ platform }: { platform: Platform }) {
  // A newer server may know platforms that this page does not.
  if (!isMarked(platform)) return null;
  const Mark = MARKS[platform];
  return (
    <span className={styles['mark']}>
      <Mark size={12} filled={platform === 'bluesky'} />
      <span className="visually-hidden">{PLATFORM_NAMES[platform]}</span>
    </span>
  );
}

function isMarked(platform: Platform): platform is keyof typeof MARKS {
  return Object.hasOwn(MARKS, platform);
}
