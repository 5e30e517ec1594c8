import { Modal } from '../ui/modal.tsx';
import styles from './wallet-dialog.module.css';

export function WalletDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="You'll need a wallet on Solana to continue" size="small" onClose={onClose}>
      <p className={styles['text']}>
        A wallet proves who you are by signing a message; it costs nothing and sends nothing. Install one, then come
        back here.
      </p>
      <p className={styles['text']}>Browsing, searching and exporting the archive need no wallet.</p>
    </Modal>
  );
}
