import { noticeSentence } from '@archive/contracts';
import { useEffect, useRef } from 'react';
import buttons from '../../ui/button.module.css';
import { BellIcon } from '../../ui/later-icons.tsx';
import { Link } from '../../ui/link.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './notice-bell.module.css';
import { useNotices } from './use-notices.ts';

/** The bell of the bar: the number of unseen notices, and a toast for each new one. */
export function NoticeBell() {
  const { notices, unread } = useNotices();
  const known = useRef<Set<string> | null>(null);

  useEffect(() => {
    if (notices === undefined) return;
    const told = notices.map((notice) => [`${notice._id} ${notice.search?.newPosts ?? ''}`, notice] as const);
    // Notices from before the page opened are counted, but cause no toast.
    const before = known.current ?? new Set(told.map(([key]) => key));
    for (const [key, notice] of told) if (!before.has(key) && notice.isNew) showToast('done', noticeSentence(notice));
    known.current = new Set([...before, ...told.map(([key]) => key)]);
  }, [notices]);

  return (
    <Link href="/dashboard" className={`${buttons['icon']} ${styles['bell']}`} title="Notices">
      <BellIcon size={18} />
      <span className="visually-hidden">Notices{unread > 0 && ','} </span>
      {unread > 0 && (
        <span className={styles['count']}>
          {unread}
          <span className="visually-hidden"> new</span>
        </span>
      )}
    </Link>
  );
}
