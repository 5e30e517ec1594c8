import { z } from 'zod';

/**
 * The fields of X's answers that are read, in both vocabularies: X renamed `tweets` to `posts` and still sends both.
 * Other fields are ignored here, but kept in the evidence of a post.
 */
const id = z.string().regex(/^\d{1,19}$/);

/** The valid elements of a list. */
function each<T extends z.ZodType>(schema: T) {
  return z
    .array(z.unknown())
    .catch([])
    .default([])
    .transform((list) =>
      list.flatMap((one): z.output<T>[] => {
        const read = schema.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );
}

/** Undefined if the value is invalid. */
function maybe<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

const range = { start: z.int().nonnegative(), end: z.int().positive() };
const url = z.object({
  ...range,
  url: z.string(),
  expanded_url: maybe(z.string()),
  title: maybe(z.string()),
  media_key: maybe(z.string()),
});
const mention = z.object({ ...range, username: maybe(z.string()), id: maybe(id) });
const entities = z.object({ urls: each(url), mentions: each(mention) });
export type Entities = z.output<typeof entities>;
const NONE: Entities = { urls: [], mentions: [] };
const someEntities = entities.catch(NONE).default(NONE);

const note = maybe(z.object({ text: z.string(), entities: someEntities }));
const references = each(z.object({ type: z.string(), id }));

export const post = z
  .object({
    id,
    text: z.string(),
    author_id: maybe(id),
    created_at: maybe(z.string()),
    conversation_id: maybe(id),
    in_reply_to_user_id: maybe(id),
    lang: maybe(z.string()),
    possibly_sensitive: maybe(z.boolean()),
    display_text_range: maybe(z.tuple([z.int().nonnegative(), z.int().nonnegative()])),
    entities: someEntities,
    attachments: z
      .object({ media_keys: each(z.string()) })
      .catch({ media_keys: [] })
      .default({ media_keys: [] }),
    /** Its presence counts: X withholds the post in some country or everywhere. */
    withheld: z
      .object({ copyright: z.boolean().catch(false) })
      .nullish()
      .catch({ copyright: false }),
    note_post: note,
    note_tweet: note,
    referenced_posts: references,
    referenced_tweets: references,
    edit_history_post_ids: each(id),
    edit_history_tweet_ids: each(id),
  })
  .transform(({ note_post, note_tweet, referenced_posts, referenced_tweets, ...post }) => {
    const { edit_history_post_ids, edit_history_tweet_ids, ...rest } = post;
    const named = [...referenced_posts, ...referenced_tweets];
    const refer = (type: string) => named.find((one) => one.type === type)?.id ?? null;
    return {
      ...rest,
      /** The full text of a long post; `text` holds only its beginning. */
      note: note_post ?? note_tweet ?? null,
      quoted: refer('quoted'),
      parent: refer('replied_to'),
      reposted: refer('retweeted'),
      /** Ids of the post's versions, oldest first. */
      history: edit_history_post_ids.length > 0 ? edit_history_post_ids : edit_history_tweet_ids,
    };
  });
export type XPost = z.output<typeof post>;

export const user = z.object({
  id,
  username: z.string().regex(/^\w{1,30}$/),
  name: z.string().catch(''),
  profile_image_url: maybe(z.string()),
  protected: maybe(z.boolean()),
});
export type XUser = z.output<typeof user>;

const size = maybe(z.int().positive());
export const media = z.object({
  media_key: z.string(),
  type: z.enum(['photo', 'video', 'animated_gif']),
  url: maybe(z.string()),
  preview_image_url: maybe(z.string()),
  alt_text: maybe(z.string()),
  width: size,
  height: size,
  duration_ms: size,
  variants: each(z.object({ bit_rate: maybe(z.number()), content_type: z.string(), url: z.string() })),
});
export type XMedia = z.output<typeof media>;

const problem = z.object({ type: z.string(), resource_id: maybe(z.string()), value: maybe(z.string()) });

const included = z
  .object({
    users: z.array(z.unknown()).catch([]).default([]),
    media: z.array(z.unknown()).catch([]).default([]),
    posts: each(post),
    tweets: each(post),
  })
  .catch({ users: [], media: [], posts: [], tweets: [] })
  .default({ users: [], media: [], posts: [], tweets: [] });

/** An answer with posts. It must contain posts, problems or metadata. */
export const postsAnswer = z
  .object({
    data: z.array(z.unknown()).optional(),
    includes: included,
    errors: each(problem),
    meta: z
      .object({ next_token: maybe(z.string().min(1)), result_count: maybe(z.int()) })
      .optional()
      .catch(undefined),
  })
  .refine(({ data, errors, meta }) => data !== undefined || errors.length > 0 || meta !== undefined, 'tells nothing');
export type PostsAnswer = z.output<typeof postsAnswer>;

export const userAnswer = z.object({ data: user });
export const createdAnswer = z.object({ data: z.object({ id }) });
