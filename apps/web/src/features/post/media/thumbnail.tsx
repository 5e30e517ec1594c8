import type { PostMedia } from '@archive/contracts';
import { useState } from 'react';

/** The first picture of a post beside its words, of the size its place gives it; nothing where none can be shown. */
export function Thumbnail({ media, className }: { media: PostMedia | undefined; className: string | undefined }) {
  const [failed, setFailed] = useState<string | null>(null);
  const address = media?.preview ?? null;
  if (media === undefined || address === null || address === failed) return null;
  return (
    <img
      src={address}
      alt={media.alt ?? ''}
      width={media.width ?? undefined}
      height={media.height ?? undefined}
      loading="lazy"
      decoding="async"
      className={className}
      onError={() => setFailed(address)}
    />
  );
}
