import type { Post, PostMedia } from '@archive/contracts';
import { useMemo, useState } from 'react';
import { NoPictureIcon, PlayIcon } from '../../../ui/later-icons.tsx';
import styles from './media-cell.module.css';
import { formatLength, missingWords } from './media-words.ts';
import { placeholderOf } from './placeholder.ts';
import { takeFocus } from './take-focus.ts';

interface MediaCellProps {
  media: PostMedia;
  post: Post;
  /** `2 of 3` */
  place: string;
  /** The number of further pictures without a cell. */
  more: number;
  onOpen: () => void;
}

/** One picture or video. Only its preview is loaded; a video plays after a press. */
export function MediaCell({ media, post, place, more, onOpen }: MediaCellProps) {
  const [isPlaying, setIsPlaying] = useState(false);
  const { type, url, preview } = media;

  if (preview === null && url === null) return <Missing media={media} post={post} isAlone={post.media.length === 1} />;
  if (isPlaying && url !== null) return <Moving media={media} address={url} />;
  const name = { image: 'picture', gif: 'GIF', video: 'video' }[type];
  const isMoving = type !== 'image';
  return (
    <div className={styles['cell']}>
      {preview !== null && <Preview media={media} address={preview} isBare={isMoving && url !== null} />}
      {url !== null && (
        <button
          type="button"
          className={styles['press']}
          onClick={isMoving ? () => setIsPlaying(true) : onOpen}
          aria-label={`${isMoving ? 'Play' : 'Open'} ${name} ${place}`}
        >
          {isMoving && (
            <span className={styles['pebble']}>
              <PlayIcon size={22} filled />
            </span>
          )}
        </button>
      )}
      {(isMoving || more > 0) && (
        <span className={styles['plates']}>
          {type === 'gif' && <span className={styles['plate']}>GIF</span>}
          {type === 'video' && media.durationMs !== null && (
            <span className={styles['plate']}>
              <span className="visually-hidden">Length </span>
              {formatLength(media.durationMs)}
            </span>
          )}
          {isMoving && url === null && <span className={styles['plate']}>Only its first picture is kept</span>}
          {more > 0 && (
            <span className={styles['plate']}>
              +{more}
              <span className="visually-hidden"> more</span>
            </span>
          )}
        </span>
      )}
    </div>
  );
}

/**
 * The archived preview over its placeholder. With `isBare` a failed preview shows no message, because the video can
 * still play.
 */
function Preview({ media, address, isBare }: { media: PostMedia; address: string; isBare: boolean }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const placeholder = useMemo(() => placeholderOf(media.thumbhash), [media.thumbhash]);
  return (
    <span
      className={styles['picture']}
      style={placeholder === null ? undefined : { backgroundImage: `url(${placeholder})` }}
    >
      {state === 'failed' && isBare ? null : state === 'failed' ? (
        <span className={styles['failed']}>
          <NoPictureIcon size={18} />
          <span className="visually-hidden">{media.alt ?? ''} </span>
          Could not be loaded
        </span>
      ) : (
        <img
          src={address}
          alt={media.alt ?? ''}
          width={media.width ?? undefined}
          height={media.height ?? undefined}
          loading="lazy"
          decoding="async"
          data-state={state}
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
        />
      )}
    </span>
  );
}

/** The video after the press. On most platforms a GIF is a silent video, on others a picture. */
function Moving({ media: { type, alt, preview, width, height }, address }: { media: PostMedia; address: string }) {
  const [isPicture, setIsPicture] = useState(false);
  const size = { width: width ?? undefined, height: height ?? undefined };
  return (
    <div className={styles['cell']} data-playing="true">
      {isPicture ? (
        <img src={address} alt={alt ?? ''} {...size} />
      ) : (
        <video
          src={address}
          poster={preview ?? undefined}
          aria-label={alt ?? (type === 'gif' ? 'GIF' : 'Video')}
          {...size}
          controls
          autoPlay
          playsInline
          loop={type === 'gif'}
          muted={type === 'gif'}
          // The button that had the focus is gone.
          ref={takeFocus}
          onError={() => setIsPicture(type === 'gif')}
        />
      )}
    </div>
  );
}

/** The place of a missing picture: the reason, and the author's description if there is room. */
function Missing({ media: { alt }, post, isAlone }: { media: PostMedia; post: Post; isAlone: boolean }) {
  return (
    <div className={styles['missing']}>
      <p>
        <NoPictureIcon size={16} />
        {missingWords(post, Date.now())}
      </p>
      {isAlone && alt !== null && (
        <p className={styles['described']}>
          Described by its author
          <span dir="auto">{alt}</span>
        </p>
      )}
    </div>
  );
}
