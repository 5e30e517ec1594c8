import { useState } from 'react';
import { monogram } from '../lib/monogram.ts';
import { safeAvatar } from '../lib/safe-links.ts';
import { useConfig } from '../lib/use-config.ts';
import styles from './avatar.module.css';

interface AvatarProps {
  name: string;
  handle: string;
  address: string | null;
  size: 22 | 28 | 40 | 46 | 76 | 112;
}

/** The author's picture, or a monogram of the same size. */
export function Avatar({ name, handle, address, size }: AvatarProps) {
  const hosts = useConfig()?.avatarHosts ?? [];
  const [failed, setFailed] = useState<string | null>(null);
  const picture = safeAvatar(address, hosts);
  const { letter, tone } = monogram(name, handle);
  return (
    <span
      className={styles['pebble']}
      data-size={size}
      style={{ background: `var(--mono-${tone})` }}
      aria-hidden="true"
    >
      <span>{letter}</span>
      {picture !== null && picture !== failed && (
        <img
          src={picture}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(picture)}
        />
      )}
    </span>
  );
}
