import { PRODUCT_NAME } from '@archive/contracts';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { renewPush } from '../features/notices/push-browser.ts';
import { formatMoment } from '../lib/format-moment.ts';
import { serviceWorker } from '../lib/service-worker.ts';
import { ClockIcon } from '../ui/later-icons.tsx';
import { subscribe, walletState } from '../wallet/wallet-store.ts';
import styles from './offline.module.css';

/** Starts the offline cache, push notifications and the offline notice. It runs after the page has loaded. */
export async function startOffline(): Promise<void> {
  const place = document.createElement('div');
  document.body.append(place);
  // The notice must listen before the worker gets the message below, because the worker answers it.
  flushSync(() => createRoot(place).render(<OfflineNotice />));
  const worker = await serviceWorker();
  if (worker === null) return;
  followSession();
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ kept: [...new Set(performance.getEntriesByType('resource').map(({ name }) => name))] });
}

/** Renews this browser's push subscription each time a session begins. */
function followSession(): void {
  let last: string | null = null;
  const follow = () => {
    const { token } = walletState();
    if (token !== null && token !== last) renewPush(token).catch(() => {});
    last = token;
  };
  subscribe(follow);
  follow();
}

function OfflineNotice() {
  const [isOnline, setIsOnline] = useState(navigator.onLine);
  const [keptAt, setKeptAt] = useState<string | null>(null);

  useEffect(() => {
    const change = () => {
      setIsOnline(navigator.onLine);
      if (navigator.onLine) setKeptAt(null);
    };
    const hear = ({ data }: MessageEvent<{ keptAt?: string | null }>) => {
      if (data.keptAt !== undefined) setKeptAt(data.keptAt);
    };
    window.addEventListener('online', change);
    window.addEventListener('offline', change);
    navigator.serviceWorker?.addEventListener('message', hear);
    return () => {
      window.removeEventListener('online', change);
      window.removeEventListener('offline', change);
      navigator.serviceWorker?.removeEventListener('message', hear);
    };
  }, []);

  const isShown = !isOnline || keptAt !== null;
  return (
    <div role="status" className={styles['place']}>
      {isShown && (
        <p className={styles['notice']}>
          <ClockIcon size={18} />
          <span>
            {isOnline ? `${PRODUCT_NAME} cannot be reached.` : 'You are offline.'}
            {keptAt !== null && ` This is what was kept on ${formatMoment(keptAt)}.`}
          </span>
        </p>
      )}
    </div>
  );
}
