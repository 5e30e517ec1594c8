import { NO_HANDLE } from '@archive/contracts';
import { z } from 'zod';

/** The fields of Bluesky's answers that are read. Other fields are ignored. */
const label = z.object({ val: z.string(), neg: z.boolean().optional(), src: z.string() });
const labels = z.array(label).catch([]).default([]);

/** Replaces the placeholder for an invalid handle by the DID. */
function named<Author extends { did: string; handle: string }>(author: Author): Author {
  return author.handle.toLowerCase() === NO_HANDLE ? { ...author, handle: author.did } : author;
}

export const authorView = z
  .looseObject({
    did: z.string(),
    handle: z.string(),
    displayName: z.string().optional(),
    avatar: z.string().optional(),
    labels,
  })
  .transform(named);

const ratio = z.object({ width: z.int().positive(), height: z.int().positive() }).optional().catch(undefined);
const blob = z.object({
  ref: z.object({ $link: z.string() }),
  mimeType: z.string(),
  size: z.int().nonnegative().optional().catch(undefined),
});
const strongRef = z.object({ uri: z.string(), cid: z.string() });

const imagesRecord = z.object({
  images: z.array(z.object({ image: blob, alt: z.string().default(''), aspectRatio: ratio })),
});
const videoRecord = z.object({ video: blob, alt: z.string().optional(), aspectRatio: ratio });

const facet = z.object({
  index: z.object({ byteStart: z.int(), byteEnd: z.int() }),
  features: z.array(z.object({ $type: z.string(), uri: z.string().optional(), did: z.string().optional() })),
});

export const postRecord = z.looseObject({
  text: z.string(),
  createdAt: z.string(),
  facets: z.array(z.unknown()).catch([]).default([]),
  langs: z.array(z.string()).catch([]).default([]),
  labels: z
    .object({ values: z.array(z.object({ val: z.string() })) })
    .optional()
    .catch(undefined),
  reply: z.object({ root: strongRef, parent: strongRef }).optional().catch(undefined),
  embed: z.looseObject({ $type: z.string() }).optional().catch(undefined),
});
export type PostRecord = z.output<typeof postRecord>;

export const postView = z.looseObject({
  uri: z.string(),
  cid: z.string(),
  author: authorView,
  record: postRecord,
  embed: z.looseObject({ $type: z.string() }).optional().catch(undefined),
  indexedAt: z.string(),
  labels,
});
export type PostView = z.output<typeof postView>;

/** The address of a post that is otherwise unreadable. */
export const addressOnly = z.looseObject({ uri: z.string() });

export const facetSchema = facet;
export const imagesEmbed = imagesRecord;
export const videoEmbed = videoRecord;
export const externalEmbed = z.object({ external: z.object({ uri: z.string(), title: z.string().default('') }) });
export const imagesView = z.object({ images: z.array(z.object({ fullsize: z.string() })) });
export const videoView = z.object({ cid: z.string(), thumbnail: z.string().optional() });
/** A quoted record: the post, or why it is not shown. */
export const recordView = z.object({
  record: z.looseObject({ $type: z.string().default(''), uri: z.string().optional() }),
});

interface ThreadNode {
  $type: string;
  post?: unknown;
  parent?: unknown;
  replies?: unknown[] | undefined;
}
export const threadNode: z.ZodType<ThreadNode> = z.looseObject({
  $type: z.string(),
  post: z.unknown().optional(),
  parent: z.unknown().optional(),
  replies: z.array(z.unknown()).optional().catch(undefined),
});
export const threadAnswer = z.object({ thread: threadNode });
export const postsAnswer = z.object({ posts: z.array(z.unknown()) });
export const handleAnswer = z.object({ did: z.string() });
export const notification = z.object({
  uri: z.string(),
  author: authorView,
  reason: z.string(),
  record: z.unknown(),
  indexedAt: z.string(),
});
export const notificationsAnswer = z.object({ notifications: z.array(z.unknown()), cursor: z.string().optional() });
