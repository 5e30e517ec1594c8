import type { Post } from '@archive/contracts';
import { ChainValue } from '../../ui/chain-value.tsx';
import { ALREADY_USED } from './launch-words.ts';
import styles from './launched-note.module.css';
import { useToken } from './use-token.ts';

/** The token that was launched from the post. */
export function LaunchedNote({ post }: { post: Post }) {
  const token = useToken(post)?.tokenLaunch;
  return (
    <span className={styles['note']}>
      <span>{ALREADY_USED}</span>
      {token?.mint && (
        <span className={styles['token']}>
          <span>
            <b>{token.symbol}</b> <bdi>{token.name}</bdi>
          </span>
          <ChainValue value={token.mint} href={token.solscanTokenUrl} copyLabel="Copy token address" />
        </span>
      )}
    </span>
  );
}
