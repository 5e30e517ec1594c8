import { REACTION_TYPES, type ReactionCounts, type ReactionType } from '@archive/contracts';
import { formatCompact } from '../../lib/format.ts';
import { HeartIcon, ThumbDownIcon, ThumbUpIcon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './reaction-bar.module.css';

const LOOKS: Record<ReactionType, { label: string; Icon: typeof HeartIcon }> = {
  heart: { label: 'Heart', Icon: HeartIcon },
  thumbsUp: { label: 'Thumbs up', Icon: ThumbUpIcon },
  thumbsDown: { label: 'Thumbs down', Icon: ThumbDownIcon },
};

const SIGN_IN = 'Sign in to react';

export function ReactionBar({ counts, boxed = false }: { counts: ReactionCounts; boxed?: boolean }) {
  return (
    <span className={styles['bar']} data-boxed={boxed}>
      {REACTION_TYPES.map((type) => {
        const { label, Icon } = LOOKS[type];
        return (
          <button
            key={type}
            type="button"
            className={styles['reaction']}
            title={SIGN_IN}
            data-tip={SIGN_IN}
            onClick={() => showToast('error', SIGN_IN)}
          >
            <Icon size={16} />
            <span className="visually-hidden">{label}: </span>
            {formatCompact(counts[type])}
          </button>
        );
      })}
    </span>
  );
}
