import { Modal } from '../ui/modal.tsx';
import styles from './shortcuts-dialog.module.css';

const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['/'], does: 'Go to search' },
  { keys: ['j', '→'], does: 'Next post' },
  { keys: ['k', '←'], does: 'Previous post' },
  { keys: ['↓', '↑'], does: 'Post below or above, from a post' },
  { keys: ['Enter'], does: 'Open the post' },
  { keys: ['Esc'], does: 'Close, and go back to where you were' },
  { keys: ['?'], does: 'List the keys' },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keys" size="small" onClose={onClose}>
      <dl className={styles['keys']}>
        {KEYS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
