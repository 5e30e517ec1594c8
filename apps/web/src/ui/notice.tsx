import buttons from './button.module.css';
import { AlertIcon } from './icons.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  title: string;
  detail?: string;
  onRetry?: () => void;
}

/** An error: what failed, and what is safe. */
export function Notice({ title, detail, onRetry }: NoticeProps) {
  return (
    <div role="alert" className={styles['notice']}>
      <AlertIcon />
      <div>
        <p className={styles['title']}>{title}</p>
        {detail !== undefined && <p className={styles['detail']}>{detail}</p>}
      </div>
      {onRetry !== undefined && (
        <button type="button" className={buttons['plain']} onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
