import { type Post, REACTION_TYPES, type ReactionType } from '@archive/contracts';
import { useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { formatCompact } from '../../lib/format.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { REACTION_ICONS } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CONNECT_WALLET, useWalletState } from '../../wallet/wallet-store.ts';
import { hasGiven, useGivenReactions } from './given-reactions.ts';
import { endPending, startPending, usePendingReaction } from './pending-reactions.ts';
import styles from './reaction-bar.module.css';

const SIGN_IN = 'Sign in to react';
const WALLET_NEEDED = 'A wallet is needed to react.';

export function ReactionBar({ post, boxed = false }: { post: Post; boxed?: boolean }) {
  const { user, restoring } = useWalletState();
  const { given, error } = useGivenReactions();
  const pending = usePendingReaction(post._id);
  const { cache, mutate } = useSWRConfig();
  // Until the session and its reactions are loaded, it is unknown whether a press adds or removes a reaction.
  const isUnknown = user === null ? restoring !== null : given === undefined && error === undefined;

  // A visitor pressed this reaction. It is given after the sign-in.
  const wanted = useRef<ReactionType | null>(null);
  useEffect(() => {
    if (user === null || isUnknown || wanted.current === null) return;
    const type = wanted.current;
    wanted.current = null;
    if (!hasGiven(given, post._id, type)) press(type);
  });

  function connectFor(type: ReactionType) {
    wanted.current = type;
    CONNECT_WALLET.act();
  }

  function press(type: ReactionType) {
    if (user === null) {
      showToast('missing', WALLET_NEEDED, { ...CONNECT_WALLET, act: () => connectFor(type) });
      return;
    }
    const isOn = !hasGiven(given, post._id, type);
    if (!startPending(post._id, { type, isOn })) return;
    loadChunk(() => import('./toggle-reaction.ts'))
      .then((part) => part.toggleReaction(post, type, isOn, cache, mutate))
      .catch(() => {})
      .finally(() => endPending(post._id));
  }

  return (
    <span className={styles['bar']} data-boxed={boxed}>
      {REACTION_TYPES.map((type) => {
        const { label, Icon } = REACTION_ICONS[type];
        const kept = hasGiven(given, post._id, type);
        const isOn = pending?.type === type ? pending.isOn : kept;
        const count = Math.max(0, post.reactions[type] + Number(isOn) - Number(kept));
        return (
          <button
            key={type}
            type="button"
            className={styles['reaction']}
            data-zero={count === 0}
            disabled={isUnknown}
            {...(user === null
              ? { title: SIGN_IN, 'data-tip': SIGN_IN }
              : { title: isOn ? `Take back: ${label}` : label, 'aria-pressed': isOn })}
            onClick={() => press(type)}
          >
            <Icon size={16} filled={isOn} />
            <span className="visually-hidden">
              {label}: {count === 0 && '0'}
            </span>
            {count > 0 && formatCompact(count)}
          </button>
        );
      })}
    </span>
  );
}
