import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { cutCodePoints, type Post } from '@archive/contracts';
import { AppError } from '../../app-error.ts';
import { type Client, Shares } from '../../clients.ts';
import { cleanText } from '../../markup/clean-text.ts';
import type { ServedMedia } from '../../media/media.ts';
import { type MediaDocument, previewName } from '../../media/media-document.ts';
import { CARD_WORDS } from './card.ts';
import type { DrawingThread } from './drawing-thread.ts';

const MOST_BYTES = 64 * 1024 * 1024;
/** Pictures that wait to be drawn: with more, each would wait for seconds. */
const WAITING = { all: 40, network: 10, prefix: 5 };
/** Raised with every change of how they look: caches elsewhere go by the address, which bears the key. */
const LOOK = 2;

interface Kept {
  png: Promise<Buffer>;
  bytes: number;
}

/** Pictures of posts, drawn once and kept in memory by what is on them, until their post changes or others need the room. */
export class SharePictures {
  readonly #thread: Pick<DrawingThread, 'draw'>;
  readonly #media: ServedMedia;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  readonly #waiting = new Shares(WAITING);

  constructor(thread: Pick<DrawingThread, 'draw'>, media: ServedMedia) {
    this.#thread = thread;
    this.#media = media;
  }

  /** @throws AppError overloaded where too many are being waited for */
  async find(post: Post, client: Client): Promise<{ key: string; png: Buffer }> {
    const key = pictureKey(post);
    const shown = shownOn(post);
    // Looked up each time: a file may be blocked, and its post stay.
    const files = await Promise.all([this.#fileOf(shown.avatar), this.#fileOf(shown.picture)]);
    const id = [post._id, key, ...files.map((file) => file?.name ?? '')].join(' ');
    const known = this.#kept.get(id) ?? this.#draw(id, shown, files, client);
    // The one asked for last goes last.
    this.#kept.delete(id);
    this.#kept.set(id, known);
    return { key, png: await known.png };
  }

  /** The post is gone, or another one by now. */
  forget(postId: string): void {
    for (const id of this.#kept.keys()) if (id.startsWith(`${postId} `)) this.#drop(id);
  }

  get size(): number {
    return this.#kept.size;
  }

  #draw(id: string, shown: Shown, [avatar, picture]: (MediaDocument | null)[], client: Client): Kept {
    const end = this.#waiting.take(client);
    if (typeof end === 'string') {
      const headers = { 'Retry-After': '2' };
      throw new AppError('overloaded', 'Too many pictures are being drawn. Please try again in a moment.', { headers });
    }
    const read = Promise.all([this.#read(avatar), this.#read(picture)]);
    const png = read.then(([own, beside]) => this.#thread.draw({ ...shown, avatar: own, picture: beside }));
    const kept: Kept = { png, bytes: 0 };
    png
      .then(
        ({ length }) => {
          // Let go of meanwhile, it takes no room.
          if (this.#kept.get(id) !== kept) return;
          kept.bytes = length;
          this.#bytes += length;
          for (const oldest of this.#kept.keys()) {
            if (this.#bytes <= MOST_BYTES) break;
            this.#drop(oldest);
          }
        },
        () => this.#drop(id),
      )
      .finally(end);
    return kept;
  }

  #drop(id: string): void {
    this.#bytes -= this.#kept.get(id)?.bytes ?? 0;
    this.#kept.delete(id);
  }

  /** The file of a preview of ours by its path; null where it is not there, or none of ours. */
  async #fileOf(path: string | null): Promise<MediaDocument | null> {
    const sha256 = path && /^\/media\/([0-9a-f]{64})\/preview$/.exec(path)?.[1];
    return sha256 ? this.#media.find(sha256) : null;
  }

  async #read(file: MediaDocument | null | undefined): Promise<Uint8Array | null> {
    if (!file?.previewBytes) return null;
    const stream = await this.#media.open(previewName(file.name), { start: 0, end: file.previewBytes - 1 });
    return stream && buffer(stream);
  }
}

/** Equal for equal pictures. */
export function pictureKey(post: Post): string {
  const shown = JSON.stringify([LOOK, shownOn(post)]);
  return createHash('sha256').update(shown).digest('base64url').slice(0, 12);
}

type Shown = ReturnType<typeof shownOn>;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

function shownOn({ content, author, authorUsername, authorAvatar, timestamp, sensitive, media }: Post) {
  return {
    words: content === '' ? null : cutCodePoints(oneLanguage(content), CARD_WORDS),
    author: oneLanguage(author),
    handle: oneLanguage(authorUsername),
    date: DAY.format(new Date(timestamp)),
    avatar: authorAvatar,
    picture: (sensitive ? undefined : media.find(({ preview }) => preview)?.preview) ?? null,
  };
}

/** Without signs that only steer how others are shown; the joiner within emoji stays, and so do the letters of their flags. */
function oneLanguage(text: string): string {
  return cleanText(text).replace(/(?![\u200d\u{e0020}-\u{e007f}])\p{Cf}/gu, '');
}
