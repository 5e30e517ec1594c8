import type { PostMedia } from '@archive/contracts';
import { useState } from 'react';

/** The first picture of a post beside its text, sized by its container. Renders nothing without a preview. */
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
