import type { Account } from '@archive/contracts';
import { useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { formatRecentDay } from '../../lib/format-moment.ts';
import buttons from '../../ui/button.module.css';
import { Fact, Facts } from '../../ui/facts.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Link } from '../../ui/link.tsx';
import rows from '../../ui/panel.module.css';
import { Panel } from '../../ui/panel.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useSessionAnswer } from '../../wallet/session-answer.ts';
import styles from './account-panel.module.css';
import { downloadAccount } from './own-account.ts';

const DeleteDialog = lazyPart(() => import('./delete-dialog.tsx').then((part) => part.DeleteDialog));

const COUNTS: readonly [keyof Omit<Account, 'walletAddress' | 'createdAt'>, string][] = [
  ['reactions', 'Reactions'],
  ['savedSearches', 'Saved searches'],
  ['collections', 'Collections'],
  ['saves', 'Requests to save'],
  ['browsers', 'Browsers with notices'],
  ['sessions', 'Sessions'],
  ['payments', 'Payments'],
  ['launches', 'Token launches'],
];

/** The stored data of the signed-in person: figures, a download of all of it, and the deletion of the account. */
export function AccountPanel() {
  const { data, error } = useSessionAnswer('getAccount');
  const [isDeleting, setIsDeleting] = useState(false);
  const [isLoading, setIsLoading] = useState(false);

  async function download() {
    if (isLoading) return;
    setIsLoading(true);
    if (!(await downloadAccount())) showToast('error', 'The file could not be made. Please try again.');
    setIsLoading(false);
  }

  return (
    <Panel title="What is kept of you">
      {data === undefined && (
        <p role="status" className={rows['empty']}>
          {error === undefined ? 'Counting...' : 'It could not be counted. Nothing is lost.'}
        </p>
      )}
      {data && (
        <>
          {data.createdAt !== null && (
            <p className={rows['empty']}>Since {formatRecentDay(data.createdAt, Date.now())}.</p>
          )}
          <div className={styles['counts']}>
            <Facts>
              {COUNTS.map(([name, label]) => (
                <Fact key={name} term={label}>
                  {formatCount(data[name])}
                </Fact>
              ))}
            </Facts>
          </div>
        </>
      )}
      <p className={styles['note']}>
        <Link href="/privacy">Why each is kept, and for how long</Link>
      </p>
      <div className={styles['acts']}>
        <button type="button" className={buttons['plain']} aria-disabled={isLoading} onClick={() => void download()}>
          Download
        </button>
        <button type="button" className={buttons['ghost']} onClick={() => setIsDeleting(true)}>
          Delete account…
        </button>
      </div>
      {isDeleting && <DeleteDialog account={data} onClose={() => setIsDeleting(false)} />}
    </Panel>
  );
}
