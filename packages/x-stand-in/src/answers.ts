import type { Account, Media, Network, Post } from './network.ts';

type Json = Record<string, unknown>;

/** The optional parts that a call requests. */
export interface Wanted {
  fields: ReadonlySet<string>;
  expansions: ReadonlySet<string>;
  userFields: ReadonlySet<string>;
  mediaFields: ReadonlySet<string>;
}

export interface PostsAnswer {
  data?: Json[];
  includes?: Json;
  errors?: Json[];
}

/** Posts with the requested expansions. Included posts come without media and without the rest of a long text. */
export function tellPosts(network: Network, posts: readonly Post[], wanted: Wanted): PostsAnswer {
  const users = new Map<string, Account>();
  const media = new Map<string, Media>();
  const included = new Map<string, Post>();
  const errors: Json[] = [];
  for (const post of posts) {
    if (wanted.expansions.has('author_id')) users.set(post.author.id, post.author);
    if (wanted.expansions.has('attachments.media_keys')) for (const one of post.media) media.set(one.key, one);
    if (wanted.expansions.has('referenced_posts')) {
      for (const one of [post.parent, post.quoted, post.reposted]) {
        const problem = one && problemOf(one, 'referenced_posts');
        if (problem) errors.push(problem);
        else if (one) included.set(one.id, one);
      }
    }
    if (wanted.expansions.has('edit_history_post_ids')) {
      for (const id of post.history) if (id !== post.id) included.set(id, network.posts.get(id) as Post);
    }
  }
  const includes = {
    ...(users.size > 0 && { users: [...users.values()].map((one) => tellUser(one, wanted)) }),
    ...(media.size > 0 && { media: [...media.values()].map((one) => tellMedia(one, wanted)) }),
    ...(included.size > 0 && { posts: [...included.values()].map((one) => tellPost(one, wanted, true)) }),
  };
  return {
    ...(posts.length > 0 && { data: posts.map((post) => tellPost(post, wanted, false)) }),
    ...(Object.keys(includes).length > 0 && { includes }),
    ...(errors.length > 0 && { errors }),
  };
}

function tellPost(post: Post, { fields, expansions }: Wanted, isIncluded: boolean): Json {
  const { parent, quoted, reposted, media, note, withheld } = post;
  const referenced_posts = [
    ...(reposted ? [{ type: 'retweeted', id: reposted.id }] : []),
    ...(quoted ? [{ type: 'quoted', id: quoted.id }] : []),
    ...(parent ? [{ type: 'replied_to', id: parent.id }] : []),
  ];
  const { urls, mentions } = post.entities;
  const hasEntities = urls.length + mentions.length > 0;
  const whole: Json = {
    created_at: post.at.toISOString(),
    conversation_id: post.conversationId,
    lang: post.language,
    possibly_sensitive: post.isSensitive,
    display_text_range: post.displayRange,
    ...(hasEntities && { entities: entitiesOf(post.entities) }),
    ...(media.length > 0 && { attachments: { media_keys: media.map(({ key }) => key) } }),
    ...(withheld && { withheld }),
    ...(note && !isIncluded && { note_post: { text: note.text, entities: entitiesOf(note.entities) } }),
    edit_controls: {
      edits_remaining: 6 - post.history.length,
      is_edit_eligible: true,
      editable_until: new Date(post.at.getTime() + 3_600_000).toISOString(),
    },
  };
  return {
    id: post.id,
    text: post.text,
    edit_history_post_ids: [...post.history],
    ...only(whole, fields),
    ...(expansions.has('author_id') && { author_id: post.author.id }),
    ...(expansions.has('referenced_posts') && referenced_posts.length > 0 && { referenced_posts }),
    ...(expansions.has('in_reply_to_user_id') && parent && { in_reply_to_user_id: parent.author.id }),
  };
}

/** Absent if empty, as X omits empty values. */
function entitiesOf({ urls, mentions }: Post['entities']): Json {
  return { ...(urls.length > 0 && { urls }), ...(mentions.length > 0 && { mentions }) };
}

export function tellUser(account: Account, { userFields }: Pick<Wanted, 'userFields'>): Json {
  const { id, name, username, picture, isProtected } = account;
  return { id, name, username, ...only({ profile_image_url: picture, protected: isProtected }, userFields) };
}

function tellMedia(media: Media, { mediaFields }: Wanted): Json {
  const { key, type, url, preview, alt, width, height, durationMs, variants } = media;
  const whole: Json = {
    ...(url !== undefined && { url }),
    ...(preview !== undefined && { preview_image_url: preview }),
    ...(alt !== undefined && { alt_text: alt }),
    width,
    height,
    ...(durationMs !== undefined && { duration_ms: durationMs }),
    ...(variants && { variants }),
  };
  return { media_key: key, type, ...only(whole, mediaFields) };
}

function only(whole: Json, fields: ReadonlySet<string>): Json {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => fields.has(name)));
}

/** X's error for a post that it does not return; null if it returns the post. */
export function problemOf(post: Post | undefined, parameter: string, id = post?.id ?? ''): Json | null {
  const about = { parameter, resource_type: 'post', resource_id: id, value: id };
  const { value: _value, parameter: _parameter, ...resource } = about;
  if (!post || post.isDeleted) {
    const detail = `Could not find post with ${parameter}: [${id}].`;
    return { title: 'Not Found Error', type: problemType('resource-not-found'), detail, ...about };
  }
  if (post.author.isSuspended) {
    const detail = `User has been suspended: [${post.author.id}].`;
    return { title: 'Resource Unavailable', type: problemType('resource-unavailable'), detail, ...resource };
  }
  if (!post.author.isProtected) return null;
  const detail = `Sorry, you are not authorized to see the Post with ${parameter}: [${id}].`;
  return { title: 'Authorization Error', type: problemType('not-authorized-for-resource'), detail, ...about };
}

export function problemType(name: string): string {
  return `https://api.x.com/2/problems/${name}`;
}

const OLD_NAMES = new Map([
  ['posts', 'tweets'],
  ['note_post', 'note_tweet'],
  ['referenced_posts', 'referenced_tweets'],
  ['edit_history_post_ids', 'edit_history_tweet_ids'],
]);

/** The same answer with the old names. */
export function inOldNames(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => inOldNames(one, name));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [OLD_NAMES.get(key) ?? key, inOldNames(one, key)]),
    );
  }
  if (name === 'resource_type' && value === 'post') return 'tweet';
  if (name === 'parameter' && value === 'referenced_posts') return 'referenced_tweets.id';
  return name === 'type' && typeof value === 'string'
    ? value.replace('https://api.x.com/', 'https://api.twitter.com/')
    : value;
}
