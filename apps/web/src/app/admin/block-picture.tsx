import type { Post } from '@archive/contracts';
import { useState } from 'react';
import buttons from '../../ui/button.module.css';
import { Modal } from '../../ui/modal.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './block-picture.module.css';
import { failureOf, useAdminCall } from './use-admin-call.ts';

/** Removes one picture or video of a post everywhere, and blocks it from being saved again. */
export function BlockPicture({ post, onClose }: { post: Post; onClose: () => void }) {
  const call = useAdminCall();
  const [isDone, setIsDone] = useState(false);
  const kept = post.media.filter(({ sha256 }) => sha256 !== null);

  async function block(sha256: string) {
    try {
      await call('blockMedia', { params: { sha256 }, body: {} });
      showToast('done', 'Blocked: it is gone, and is kept never again.');
      setIsDone(true);
    } catch (error) {
      showToast('error', failureOf(error));
    }
  }

  return (
    <Modal title="Block one picture for good" size="small" onClose={onClose} isDone={isDone}>
      <p className={styles['note']}>It goes from every post that shows it, and is refused when it comes again.</p>
      <ol className={styles['list']}>
        {kept.map(({ sha256, alt, type }, at) => (
          <li key={sha256}>
            <span>
              {type} {at + 1}
              {alt !== null && <small dir="auto">{alt}</small>}
            </span>
            <button type="button" className={buttons['plain']} onClick={() => void block(sha256 as string)}>
              Block
            </button>
          </li>
        ))}
      </ol>
      {kept.length === 0 && <p role="status">None of its pictures is kept here.</p>}
    </Modal>
  );
}
