import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { cutCodePoints, type Post } from '@archive/contracts';
import { cleanText } from '../../markup/clean-text.ts';
import type { ServedMedia } from '../../media/media.ts';
import { type MediaDocument, previewName } from '../../media/media-document.ts';
import { type Asker, QuestionQueue } from '../../question-queue.ts';
import { CARD_WORDS } from './card.ts';
import type { DrawingThread } from './drawing-thread.ts';

/** A picture takes a tenth of a second; the first one takes longer, since its thread starts with it. */
const LONGEST_WAIT_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** Increment after each change of the design: caches go by the address, which contains the key. */
const LOOK = 2;

type Thread = Pick<DrawingThread, 'draw'>;

/** Share pictures, drawn once and cached by content until the post changes or the memory limit is reached. */
export class SharePictures {
  readonly #threads: QuestionQueue<Thread>;
  readonly #media: ServedMedia;
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;
  #forgotten = 0;

  constructor(thread: Thread, media: ServedMedia) {
    this.#threads = new QuestionQueue([thread], { longestWaitMs: LONGEST_WAIT_MS });
    this.#media = media;
  }

  /** @throws AppError overloaded where it would wait too long to be drawn */
  async find(post: Post, asker: Asker): Promise<{ key: string; png: Buffer }> {
    const key = pictureKey(post);
    const shown = shownOn(post);
    // Looked up each time, since a file may be blocked while its post stays.
    const files = await Promise.all([this.#fileOf(shown.avatar), this.#fileOf(shown.picture)]);
    const id = [post._id, key, ...files.map((file) => file?.name ?? '')].join(' ');
    const known = this.#kept.get(id);
    if (known) {
      // Moves the entry to the end, so that the least recently used entry is dropped first.
      this.#kept.delete(id);
      this.#kept.set(id, known);
      return { key, png: known };
    }
    const forgotten = this.#forgotten;
    const png = await this.#threads.ask(async (thread) => {
      // Another caller's request has drawn it meanwhile.
      const drawn = this.#kept.get(id);
      if (drawn) return drawn;
      const [avatar, picture] = await Promise.all(files.map((file) => this.#read(file)));
      const made = await thread.draw({ ...shown, avatar: avatar ?? null, picture: picture ?? null });
      if (forgotten === this.#forgotten) this.#keep(id, made);
      return made;
    }, asker);
    return { key, png };
  }

  /** Drops the pictures of a post that was removed or changed. */
  forget(postId: string): void {
    // A picture being drawn now is not cached, whichever post it shows.
    this.#forgotten++;
    for (const id of this.#kept.keys()) if (id.startsWith(`${postId} `)) this.#drop(id);
  }

  get size(): number {
    return this.#kept.size;
  }

  #keep(id: string, png: Buffer): void {
    this.#kept.set(id, png);
    this.#bytes += png.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    this.#bytes -= this.#kept.get(id)?.length ?? 0;
    this.#kept.delete(id);
  }

  /** The file of our own preview, by its path; null if it is missing or not our own. */
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

/** Removes formatting characters, except the joiner in emoji and the tags in flags. */
function oneLanguage(text: string): string {
  return cleanText(text).replace(/(?![\u200d\u{e0020}-\u{e007f}])\p{Cf}/gu, '');
}
