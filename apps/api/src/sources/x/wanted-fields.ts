import type { PostsClient } from '@xdevplatform/xdk';

type Options = NonNullable<Parameters<PostsClient['getByIds']>[1]>;
type Wanted = Pick<Options, 'postFields' | 'expansions' | 'userFields' | 'mediaFields'>;

/** The fields requested of a post: all that is shown, and all that decides whether it may be kept. */
export const WHOLE_POSTS: Wanted = {
  postFields: [
    'attachments',
    'conversation_id',
    'created_at',
    'display_text_range',
    'edit_controls',
    'entities',
    'lang',
    'note_post',
    'possibly_sensitive',
    'text',
    'withheld',
  ],
  expansions: [
    'attachments.media_keys',
    'author_id',
    'edit_history_post_ids',
    'in_reply_to_user_id',
    'referenced_posts',
  ],
  userFields: ['name', 'profile_image_url', 'protected', 'username'],
  mediaFields: [
    'alt_text',
    'duration_ms',
    'height',
    'media_key',
    'preview_image_url',
    'type',
    'url',
    'variants',
    'width',
  ],
};

/** The fields requested of a mention: its author, its text, and the post that it names. */
export const MENTIONS: Wanted = {
  postFields: ['created_at', 'display_text_range', 'entities', 'note_post', 'text'],
  expansions: ['author_id', 'in_reply_to_user_id', 'referenced_posts'],
  userFields: ['username'],
};
