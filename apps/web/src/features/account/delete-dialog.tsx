import { ApiError } from '@archive/client';
import type { Account } from '@archive/contracts';
import { useState } from 'react';
import { useConfig } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { Modal } from '../../ui/modal.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { PlainError, walletSentence } from '../../wallet/wallet-errors.ts';
import { logOut } from '../../wallet/wallet-gate.tsx';
import styles from './account-panel.module.css';
import { deleteOwnAccount } from './own-account.ts';

const NOT_DELETED = 'Your account could not be deleted. Nothing was lost. Please try again.';

/** Says what a deletion removes and what stays. The wallet's signature confirms it. */
export function DeleteDialog({ account, onClose }: { account: Account | undefined; onClose: () => void }) {
  const domain = useConfig()?.domain;
  const [isUnderWay, setIsUnderWay] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const stays = (account?.payments ?? 0) + (account?.launches ?? 0);

  async function confirm() {
    if (domain === undefined || isUnderWay) return;
    setIsUnderWay(true);
    setFailure(null);
    try {
      await deleteOwnAccount(domain);
      showToast('done', 'Your account is deleted.');
      await logOut({ isEnded: true });
    } catch (error) {
      setFailure(sentence(error));
      setIsUnderWay(false);
    }
  }

  return (
    <Modal
      title="Delete your account?"
      size="small"
      onClose={onClose}
      isHeld={isUnderWay}
      foot={
        <div className={styles['foot']}>
          <button type="button" className={buttons['plain']} disabled={isUnderWay} onClick={onClose}>
            Keep it
          </button>
          <button
            type="button"
            className={buttons['danger']}
            aria-disabled={isUnderWay || domain === undefined}
            onClick={() => void confirm()}
          >
            {isUnderWay ? 'Waiting for your wallet...' : 'Sign and delete'}
          </button>
        </div>
      }
    >
      <div className={styles['going']}>
        <section>
          <h3>This goes, for good</h3>
          <p>
            Your profile, reactions, saved searches, collections, browsers and sessions, and your wallet’s address in
            what you asked us to save. You may want to download it first.
          </p>
        </section>
        <section>
          <h3>This stays</h3>
          <p>
            Payments and token launches{stays > 0 ? ` (${stays} of yours)` : ''}: they are on the chain, where nobody
            can delete them. Posts that you asked us to save stay in the archive.
          </p>
        </section>
        <p>Your wallet will ask you to sign. For a minute afterwards nobody can sign in with it.</p>
        {failure !== null && <Notice title={failure} />}
      </div>
    </Modal>
  );
}

function sentence(error: unknown): string {
  if (error instanceof ApiError && error.code === 'message_expired') return error.message;
  if (error instanceof ApiError) return NOT_DELETED;
  return error instanceof PlainError ? error.message : walletSentence(error, NOT_DELETED);
}
