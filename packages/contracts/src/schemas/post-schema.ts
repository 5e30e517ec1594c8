import { z } from 'zod';
import { CATEGORIES, type Category } from '../categories.ts';
import { ENDPOINTS } from '../endpoints.ts';
import type { Capture, PostLink, Reference, SavedBy } from '../entities.ts';
import { LANGUAGE_TAG, LANGUAGE_TAG_LENGTH, readLanguage } from '../languages.ts';
import { LEGACY_PATHS } from '../legacy-paths.ts';
import {
  ALT_LENGTH,
  AUTHOR_ID_LENGTH,
  AUTHOR_LENGTH,
  CONTENT_LENGTH,
  HANDLE_LENGTH,
  INGEST_BATCH,
  LINK_TITLE_LENGTH,
  LINKS_PER_POST,
  MEDIA_PER_POST,
  METADATA_BYTES,
  METADATA_DEPTH,
  PLATFORM_ID_LENGTH,
  URL_LENGTH,
} from '../limits.ts';
import { parseUrl } from '../parse-url.ts';
import { idOfLink, isMediaAddress, PLATFORMS, platformOf } from '../platforms.ts';
import { CAPTURE_METHODS, MEDIA_TYPES, type MediaType, REFERENCE_STATES, WAYS_IN } from '../provenance.ts';
import { EXAMPLE_POST } from './examples.ts';
import { lenient } from './lenient.ts';

/** A reference to the post that another one answers or quotes, as the post itself gives it. */
export type NewReference = Pick<Reference, 'platform' | 'id' | 'url'> & { state: Exclude<Reference['state'], 'kept'> };

/** A picture or video as it comes in, or as stored with its post. Unknown fields are absent. */
export interface NewMedia {
  type: MediaType;
  /** Identifies it within the post: the platform's id of it, its address, or the hash of its bytes. */
  key: string;
  /** Its address at the platform; absent if only its bytes ever came. */
  address?: string;
  /** Address of a video's poster. */
  poster?: string;
  /** Hash of its bytes and of its poster's bytes, if the server keeps them. */
  sha256?: string;
  posterSha256?: string;
  width?: number;
  height?: number;
  alt?: string;
  durationMs?: number;
  thumbhash?: string;
}

/** A post as it comes in, checked and cleaned. Unknown and empty fields are absent. */
export interface NewPost {
  id: string;
  content: string;
  author: string;
  authorUsername: string;
  authorAvatar: string | null;
  category: Category | null;
  timestamp: Date;
  url: string;
  metadata: Record<string, unknown>;
  authorId?: string;
  language?: string;
  links?: PostLink[];
  sensitive?: true;
  media?: NewMedia[];
  replyTo?: NewReference;
  quoted?: NewReference;
  /** For a post that was in an archive before: when it was first saved. */
  savedAt?: Date;
  origin?: { savedBy: SavedBy; capture: Capture };
}

/** The text without the control characters that are stripped from every input. */
export function stripControls(text: string): string {
  return text.replace(CONTROLS, '');
}

/** Everything Unicode calls a control character, except tab, line feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is stripped
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Text of limited length in code points; control characters are removed. */
function text(min: number, max: number) {
  return z
    .string('must be text')
    .refine((value) => value.isWellFormed(), 'holds half a character (a lone surrogate)')
    .transform(stripControls)
    .refine((value) => withinCodePoints(value, min, max), `must be ${min} to ${max} characters`);
}

function withinCodePoints(value: string, min: number, max: number): boolean {
  if (value.length < min) return false;
  if (value.length <= max) return true;
  if (value.length > max * 2) return false;
  let count = 0;
  for (const _ of value) count++;
  return count <= max;
}

/** Literal segments of routes, which cannot be a post's id. */
const RESERVED_IDS: ReadonlySet<string> = new Set(
  [...Object.values(ENDPOINTS).map(({ path }) => path), ...Object.values(LEGACY_PATHS).flat()]
    .map((path) => path.split('/').slice(1))
    // A path of one segment cannot conflict with an id.
    .flatMap((segments) => (segments.length > 1 ? segments : []))
    .filter((segment) => !segment.startsWith(':')),
);

/** A platform's post id. It never looks like an `_id`, and never equals a word of a route. */
export const platformIdSchema = z
  .string('must be text, never a number: ids exceed what a number holds')
  .regex(
    new RegExp(`^[A-Za-z0-9_-]{1,${PLATFORM_ID_LENGTH}}$`),
    `must be 1 to ${PLATFORM_ID_LENGTH} of A-Z a-z 0-9 _ -`,
  )
  .refine((id) => !/^[0-9a-fA-F]{24}$/.test(id), 'must not be 24 hex digits')
  .refine((id) => !RESERVED_IDS.has(id), 'is a reserved word');

export const webAddressSchema = z
  .string('must be text')
  .max(URL_LENGTH, `must be at most ${URL_LENGTH} characters`)
  .refine(isWebAddress, 'must be an http or https address');

function isWebAddress(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || /[\s\p{Cc}]/u.test(value)) return false;
  return parseUrl(value) !== null;
}

/** A full date and time with a zone, from 1700 to 2199: the range that the index can rank. */
const instant = z
  .string('must be a date and time, ISO 8601 with a zone')
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/,
    'must be a date and time, ISO 8601 with a zone',
  )
  .refine(isInstant, 'is not a date that exists')
  .transform((value) => new Date(value));

function isInstant(value: string): boolean {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return false;
  const year = time.getUTCFullYear();
  if (year < 1700 || year > 2199) return false;
  const day = value.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === day;
}

const metadata = z
  // Passed through without a copy: a copy would drop a key named `__proto__`, which must be refused.
  .custom<Record<string, unknown>>(
    (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
    'must be an object',
  )
  .meta({ type: 'object' })
  .refine((value) => depthOf(value) <= METADATA_DEPTH, `must be at most ${METADATA_DEPTH} levels deep`)
  .refine(hasPlainKeys, 'has a key that is empty, begins with $, holds a dot or a NUL, or is __proto__')
  .refine((value) => depthOf(value) > METADATA_DEPTH || bytesOf(value) <= METADATA_BYTES, 'must be at most 16 kB');

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function depthOf(value: unknown, limit = METADATA_DEPTH + 1): number {
  if (value === null || typeof value !== 'object' || limit === 0) return 0;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depthOf(child, limit - 1));
  return deepest + 1;
}

/** Another rule refuses too many levels. Descending further here would overflow the stack. */
function hasPlainKeys(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object' || depth > METADATA_DEPTH) return true;
  if (Array.isArray(value)) return value.every((child) => hasPlainKeys(child, depth + 1));
  return Object.keys(value).every(
    (key) =>
      key !== '' &&
      key !== '__proto__' &&
      !key.startsWith('$') &&
      !/[.\0]/.test(key) &&
      key.isWellFormed() &&
      hasPlainKeys((value as Record<string, unknown>)[key], depth + 1),
  );
}

const emptyAsNull = <T extends z.ZodType>(schema: T) =>
  lenient((value) => (value === '' || value === undefined ? null : value), schema);

const DAY_MS = 86_400_000;

const absentAsNull = <T extends z.ZodType>(schema: T) => lenient((value) => value ?? null, schema.nullable());

const languageSchema = z
  .string('must be text')
  .max(LANGUAGE_TAG_LENGTH, 'is too long')
  .regex(LANGUAGE_TAG, 'must be a language tag, like en or pt-BR');

const referenceInput = z
  .object({
    platform: z.enum(PLATFORMS, `must be one of ${PLATFORMS.join(', ')}`),
    id: platformIdSchema,
    url: webAddressSchema,
    state: lenient((value) => value ?? 'unknown', z.enum(REFERENCE_STATES)),
  })
  .refine(({ platform, url }) => platformOf(url) === platform, 'must have an address of its platform')
  .refine(({ id, url }) => (idOfLink(url) ?? id) === id, 'must have an address that names its id')
  // `kept` depends on the archive that shows the post, so it is not stored.
  .transform(({ state, ...post }): NewReference => ({ ...post, state: state === 'kept' ? 'unknown' : state }));

const linkInput = z
  .object({
    start: z.int('must be a whole number').nonnegative('must not be negative'),
    end: z.int('must be a whole number').positive('must be above 0'),
    url: webAddressSchema,
    title: emptyAsNull(text(0, LINK_TITLE_LENGTH).nullable()),
  })
  .refine(({ start, end }) => start < end, 'must end after it begins');

const pixels = z.int().positive().max(100_000);
/** Invalid facts about a picture are dropped, not refused: the picture's bytes tell more. */
const aboutMedia = {
  type: z.enum(MEDIA_TYPES, `must be one of ${MEDIA_TYPES.join(', ')}`),
  alt: absentAsNull(text(0, ALT_LENGTH)).transform((alt) => alt || null),
  width: absentAsNull(pixels).catch(null),
  height: absentAsNull(pixels).catch(null),
  durationMs: absentAsNull(z.int().positive().max(86_400_000)).catch(null),
};
const mediaAddress = webAddressSchema.refine(isMediaAddress, 'must be on a media host of X or Bluesky');

/** Media as agents send it: by its address at the platform. */
const sentMedia = z
  .object({ ...aboutMedia, url: mediaAddress, poster: absentAsNull(mediaAddress) })
  .transform(({ url, ...media }): NewMedia => ({ ...known(media), key: url, address: url }));

/** Media as exports contain it: by the hash of its bytes. Without a hash its source is unknown. */
const exportedMedia = z
  .object({
    ...aboutMedia,
    sha256: absentAsNull(z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')),
    thumbhash: absentAsNull(
      z
        .string()
        .max(64)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/),
    ).catch(null),
  })
  .transform((media): NewMedia => ({ ...known(media), key: media.sha256 ?? 'missing' }));

/** The object without its null fields. */
function known<T extends { type: MediaType }>(media: T) {
  const there = Object.entries(media).filter(([, value]) => value !== null);
  return Object.fromEntries(there) as { type: MediaType } & { [K in keyof T]?: NonNullable<T[K]> };
}

/** Gives media of unknown source distinct keys, by their position. */
function apart(media: NewMedia[]): NewMedia[] {
  return media.map((one, at) => (one.key === 'missing' ? { ...one, key: `missing ${at}` } : one));
}

function mediaInput<T extends z.ZodType<NewMedia>>(schema: T) {
  const list = z.array(schema, 'must be a list').max(MEDIA_PER_POST, `must be at most ${MEDIA_PER_POST}`);
  return lenient((value) => value ?? [], list);
}

const FIELDS = {
  id: platformIdSchema,
  content: text(0, CONTENT_LENGTH),
  author: lenient((value) => value ?? '', text(0, AUTHOR_LENGTH)),
  authorUsername: text(1, HANDLE_LENGTH),
  authorAvatar: emptyAsNull(webAddressSchema.nullable()),
  category: emptyAsNull(z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`).nullable()),
  timestamp: instant,
  url: webAddressSchema,
  metadata: lenient((value) => value ?? {}, metadata),
  authorId: absentAsNull(
    z
      .string('must be text')
      .max(AUTHOR_ID_LENGTH, `must be at most ${AUTHOR_ID_LENGTH} characters`)
      .regex(/^[A-Za-z0-9][A-Za-z0-9:._%-]*$/, 'must be digits or a DID'),
  ),
  language: lenient((value) => readLanguage(value) ?? value ?? null, languageSchema.nullable()),
  links: lenient(
    (value) => value ?? [],
    z.array(linkInput, 'must be a list').max(LINKS_PER_POST, `must be at most ${LINKS_PER_POST}`),
  ),
  sensitive: lenient((value) => value ?? false, z.boolean('must be true or false')),
  replyTo: absentAsNull(referenceInput),
  quoted: absentAsNull(referenceInput),
  media: mediaInput(sentMedia),
};

/** Fields of an export. An invalid value is dropped: a file from elsewhere may use the field differently. */
const ORIGIN_FIELDS = {
  savedAt: absentAsNull(instant.refine((at) => at.getTime() <= Date.now() + DAY_MS, 'must not be in the future')).catch(
    null,
  ),
  savedBy: absentAsNull(
    z.object({
      via: z.enum(WAYS_IN),
      platform: z.enum(PLATFORMS).optional(),
      handle: text(1, HANDLE_LENGTH).optional(),
      url: webAddressSchema.optional(),
    }),
  ).catch(null),
  capture: absentAsNull(z.object({ method: z.enum(CAPTURE_METHODS), complete: z.boolean() })).catch(null),
  // The name of `language` in files from X.
  lang: absentAsNull(z.string()).catch(null),
};

type Fields = z.output<z.ZodObject<typeof FIELDS>>;

/** One post in the fields of Archive, as agents send it. */
export const newPostSchema = z.object(FIELDS).superRefine(checkWhole).transform(toNewPost) satisfies z.ZodType<NewPost>;

/** A post as exports contain it, with the time and the way in which it first came into an archive. */
export const importedPostSchema = z
  .object({ ...FIELDS, ...ORIGIN_FIELDS, media: mediaInput(z.union([sentMedia, exportedMedia])).transform(apart) })
  .superRefine(checkWhole)
  .transform(({ savedAt, savedBy, capture, lang, ...post }): NewPost => {
    // An import does not carry the signature of a capture.
    const origin = savedBy && capture && { savedBy: whatIsThere(savedBy), capture: { ...capture, signed: false } };
    const language = post.language ?? lang;
    return { ...toNewPost({ ...post, language }), ...(savedAt && { savedAt }), ...(origin && { origin }) };
  }) satisfies z.ZodType<NewPost>;

/** Checks that involve several fields. */
function checkWhole(
  { content, quoted, media, links }: Omit<Fields, 'media'> & { media: NewMedia[] },
  context: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (content === '' && !quoted && media.length === 0) refuse('content', `must be 1 to ${CONTENT_LENGTH} characters`);
  if (links.length === 0) return;
  const sorted = links.toSorted((one, other) => one.start - other.start);
  if (sorted.some(({ start }, at) => start < (sorted[at - 1]?.end ?? 0)))
    refuse('links', 'must not lie over each other');
  if ((sorted.at(-1)?.end ?? 0) > Array.from(content).length) refuse('links', 'must lie within the content');
}

function toNewPost({ authorId, language, links, sensitive, media, replyTo, quoted, ...post }: Fields): NewPost {
  const tag = readLanguage(language);
  return {
    ...post,
    author: post.author === '' ? post.authorUsername : post.author,
    ...(authorId !== null && { authorId }),
    ...(tag !== null && { language: tag }),
    ...(links.length > 0 && { links }),
    ...(sensitive && { sensitive }),
    ...(media.length > 0 && { media }),
    ...(replyTo && { replyTo }),
    ...(quoted && { quoted }),
  };
}

function whatIsThere(savedBy: SavedBy): SavedBy {
  return Object.fromEntries(Object.entries(savedBy).filter(([, value]) => value !== undefined)) as unknown as SavedBy;
}

const batchSchema = z.object({
  posts: z
    .array(z.unknown(), 'must be a list')
    .min(1, 'must not be empty')
    .max(INGEST_BATCH, `must hold at most ${INGEST_BATCH} posts`),
});
const oneSchema = z.record(z.string(), z.unknown(), 'must be a post or { posts: [...] }');

/**
 * Body of `POST archives`: one post, or `{ posts }`. The output is a list of unchecked posts; the use case checks each
 * one.
 */
export const ingestBodySchema = z
  .custom<z.input<typeof newPostSchema> | { posts: z.input<typeof newPostSchema>[] }>()
  .transform((body: unknown, context): unknown[] => {
    const isBatch = body !== null && typeof body === 'object' && 'posts' in body;
    const result = (isBatch ? batchSchema : oneSchema.transform((post) => ({ posts: [post] }))).safeParse(body);
    if (result.success) return result.data.posts;
    for (const { path, message } of result.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  })
  .meta({
    type: 'object',
    description: `One post, or \`{ posts }\` with up to ${INGEST_BATCH.toLocaleString('en-US')} of them.`,
    examples: [EXAMPLE_POST, { posts: [EXAMPLE_POST] }],
  });
