import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import type { ReactNode } from 'react';
import { useConfig } from '../../lib/use-config.ts';
import styles from './archive-header.module.css';

/** What this is, how a post gets here, and the featured one beside it. */
export function ArchiveHeader({ launchPanel, slab }: { launchPanel: ReactNode; slab: ReactNode }) {
  const handle = useConfig()?.agentHandle;
  return (
    <div className={`shell-head ${styles['header']}`} data-slab={slab !== null}>
      <div className={styles['words']}>
        <h1 className="shell-title">Posts, kept in {PRODUCT_SLUG}.</h1>
        <p className={styles['instruction']}>
          To keep a post, quote it and write{' '}
          <strong>{handle === undefined ? 'archive this' : `@${handle} archive this`}</strong>. It is saved word for
          word, dated, and free to search.
        </p>
        <p className={styles['credit']}>Kept by the {PRODUCT_NAME} agent, with the people who quote.</p>
        {launchPanel}
      </div>
      {slab}
    </div>
  );
}
