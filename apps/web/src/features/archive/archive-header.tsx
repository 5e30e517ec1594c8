import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import type { ReactNode } from 'react';
import { useConfig, useReadable } from '../../lib/use-config.ts';
import { Link } from '../../ui/link.tsx';
import styles from './archive-header.module.css';

/** The introduction of the archive: what it is, how to save a post, and the featured post beside it. */
export function ArchiveHeader({ launchPanel, slab }: { launchPanel: ReactNode; slab: ReactNode }) {
  const agent = useConfig()?.agents[0];
  const readable = useReadable();
  return (
    <div className={`shell-head ${styles['header']}`} data-slab={slab !== null}>
      <div className={styles['words']}>
        <h1 className="shell-title">Posts, kept in {PRODUCT_SLUG}.</h1>
        {/* Both texts take the same number of lines, so that nothing shifts once the agent's state is known. */}
        <p className={styles['instruction']}>
          {agent ? (
            <>
              To keep a post, quote it and write <strong>@{agent.handle} archive this</strong>.
            </>
          ) : (
            <>
              To keep a post from {readable},{' '}
              <Link href="/save" className="text-link">
                paste its link here
              </Link>
              .
            </>
          )}{' '}
          It is saved word for word, dated, and free to search.
        </p>
        <p className={styles['credit']}>
          {agent ? `Kept by the ${PRODUCT_NAME} agent, with the people who quote.` : 'Kept for the people who ask.'}
        </p>
        {launchPanel}
      </div>
      {slab}
    </div>
  );
}
