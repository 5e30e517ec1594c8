import type { ReportedPost } from '@archive/contracts';
import { useEffect, useRef } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './report-list.module.css';
import { ageOf, DECISION_NAMES, REASON_NAMES, reportCount } from './report-names.ts';

interface ReportListProps {
  items: readonly ReportedPost[];
  selected: ReportedPost | undefined;
  onSelect: (item: ReportedPost) => void;
}

/** Reported posts, each cut to a few lines. */
export function ReportList({ items, selected, onSelect }: ReportListProps) {
  const now = Date.now();
  return (
    <ol className={styles['list']} aria-label="Reported posts">
      {items.map((item) => (
        <Row key={item._id} item={item} isSelected={item === selected} now={now} onSelect={onSelect} />
      ))}
    </ol>
  );
}

interface RowProps {
  item: ReportedPost;
  isSelected: boolean;
  now: number;
  onSelect: (item: ReportedPost) => void;
}

function Row({ item, isSelected, now, onSelect }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const { post, reason, firstAt } = item;
  const decision = item.state === 'done' ? item.decision : null;
  const count = reportCount(item);
  return (
    <li ref={row}>
      <button type="button" aria-current={isSelected ? 'true' : undefined} onClick={() => onSelect(item)}>
        <span className={styles['head']}>
          <b>{decision ? DECISION_NAMES[decision.act] : REASON_NAMES[reason]}</b>
          {count > 1 && <span className={styles['count']}>{count} reports</span>}
          <time dateTime={firstAt}>{ageOf(decision?.at ?? firstAt, now)}</time>
        </span>
        <span className={styles['words']} dir="auto">
          {post === null ? 'Removed' : post.content || 'Without words'}
        </span>
        {post !== null && (
          <span className={styles['author']}>
            <Avatar name={post.author} handle={post.authorUsername} address={post.authorAvatar} size={22} />
            <bdi className="one-line">{post.author}</bdi>
          </span>
        )}
      </button>
    </li>
  );
}
