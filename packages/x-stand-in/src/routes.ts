import { problemOf, problemType, tellPosts, tellUser, type Wanted } from './answers.ts';
import type { Endpoint } from './faults.ts';
import type { Account, Network, Post } from './network.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  /** Number of posts that X would charge for. */
  reads: number;
}

export interface Call {
  network: Network;
  /** The account of the token. */
  agent: Account;
  /** Id of an account, from the path. */
  id: string;
  query: URLSearchParams;
  body: unknown;
}

/** X returns only this number of the newest posts of a timeline. */
const REACH = 800;
const SEARCH_REACH_MS = 7 * 86_400_000;

const POST_FIELDS = [
  'attachments',
  'conversation_id',
  'created_at',
  'display_text_range',
  'edit_controls',
  'entities',
  'id',
  'lang',
  'note_post',
  'possibly_sensitive',
  'public_metrics',
  'text',
  'withheld',
];
const EXPANSIONS = [
  'attachments.media_keys',
  'attachments.poll_ids',
  'author_id',
  'edit_history_post_ids',
  'entities.mentions.username',
  'in_reply_to_user_id',
  'referenced_posts',
];
const USER_FIELDS = ['id', 'name', 'profile_image_url', 'protected', 'username', 'withheld'];
const MEDIA_FIELDS = [
  'alt_text',
  'duration_ms',
  'height',
  'media_key',
  'preview_image_url',
  'type',
  'url',
  'variants',
  'width',
];
const LISTS = ['post.fields', 'expansions', 'user.fields', 'media.fields'] as const;
const PAGED = ['max_results', 'pagination_token', 'start_time', 'end_time', 'since_id', 'until_id'];

export const ROUTES: Record<Endpoint, { method: 'GET' | 'POST'; path: RegExp; answer: (call: Call) => Answer }> = {
  me: { method: 'GET', path: /^\/2\/users\/me$/, answer: me },
  mentions: { method: 'GET', path: /^\/2\/users\/(\d{1,19})\/mentions$/, answer: mentions },
  timeline: { method: 'GET', path: /^\/2\/users\/(\d{1,19})\/tweets$/, answer: timeline },
  lookup: { method: 'GET', path: /^\/2\/tweets$/, answer: lookup },
  search: { method: 'GET', path: /^\/2\/tweets\/search\/recent$/, answer: search },
  create: { method: 'POST', path: /^\/2\/tweets$/, answer: create },
};

function me({ agent, query }: Call): Answer {
  const { userFields } = readWanted(query, []);
  return { status: 200, body: { data: tellUser(agent, { userFields }) }, reads: 0 };
}

function lookup({ network, query }: Call): Answer {
  const wanted = readWanted(query, ['ids']);
  const ids = (query.get('ids') ?? '').split(',');
  if (ids.length > 100 || !ids.every((id) => /^\d{1,19}$/.test(id))) throw new Refusal(400, 'ids', query.get('ids'));
  const problems = new Map(ids.map((id) => [id, problemOf(network.posts.get(id), 'ids', id)]));
  const found = ids.filter((id) => !problems.get(id)).map((id) => network.posts.get(id) as Post);
  const { errors: others = [], ...answer } = tellPosts(network, found, wanted);
  const errors = [...[...problems.values()].filter((one) => one !== null), ...others];
  return { status: 200, body: { ...answer, ...(errors.length > 0 && { errors }) }, reads: found.length };
}

function mentions(call: Call): Answer {
  if (call.id !== call.agent.id) throw new Refusal(403, 'id', call.id);
  return page(call, PAGED, REACH, ({ named, author }) => named.has(call.id) && isOpen(author));
}

function timeline(call: Call): Answer {
  return page(call, [...PAGED, 'exclude'], 3_200, ({ author }) => author.id === call.id && isOpen(author));
}

function search(call: Call): Answer {
  const asked = call.query.get('query') ?? '';
  const [, conversation] = /(?:^|\s)conversation_id:(\d+)/.exec(asked) ?? [];
  const [, from] = /(?:^|\s)from:(\w+)/.exec(asked) ?? [];
  if (!conversation || !from) throw new Refusal(400, 'query', asked);
  const since = call.network.now().getTime() - SEARCH_REACH_MS;
  return page(
    call,
    [...PAGED, 'query', 'next_token', 'sort_order'],
    Number.POSITIVE_INFINITY,
    ({ conversationId, author, at }) =>
      conversationId === conversation &&
      (author.id === from || author.username.toLowerCase() === from.toLowerCase()) &&
      isOpen(author) &&
      at.getTime() >= since,
  );
}

function isOpen({ isProtected, isSuspended }: Account): boolean {
  return !isProtected && !isSuspended;
}

function page({ network, query }: Call, names: string[], reach: number, test: (post: Post) => boolean): Answer {
  const wanted = readWanted(query, names);
  const size = Number(query.get('max_results') ?? 10);
  if (!Number.isInteger(size) || size < 5 || size > 100)
    throw new Refusal(400, 'max_results', query.get('max_results'));
  const [since, until] = ['since_id', 'until_id'].map((name) => readId(query, name));
  const begin = Date.parse(query.get('start_time') ?? '1970-01-01T00:00:00Z');
  if (Number.isNaN(begin)) throw new Refusal(400, 'start_time', query.get('start_time'));
  const found = network
    .newest(test)
    .slice(0, reach)
    .filter(({ id, at }) => BigInt(id) > (since ?? 0n) && BigInt(id) < (until ?? 1n << 64n) && at.getTime() >= begin);
  const token = query.get('pagination_token') ?? query.get('next_token');
  const from = token === null ? 0 : Number.parseInt(token, 32);
  const posts = found.slice(from, from + size);
  const next = from + size < found.length ? (from + size).toString(32).padStart(8, '0') : undefined;
  const meta = {
    result_count: posts.length,
    ...(posts.length > 0 && { newest_id: posts[0]?.id, oldest_id: posts.at(-1)?.id }),
    ...(next !== undefined && { next_token: next }),
  };
  return { status: 200, body: { ...tellPosts(network, posts, wanted), meta }, reads: posts.length };
}

function readId(query: URLSearchParams, name: string): bigint | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^\d{1,19}$/.test(value)) throw new Refusal(400, name, value);
  return BigInt(value);
}

function create({ network, agent, body }: Call): Answer {
  const { text = '', reply } = body as { text?: string; reply?: { in_reply_to_tweet_id?: string } };
  const names = Object.keys(body as object);
  if (names.some((name) => name !== 'text' && name !== 'reply')) throw new Refusal(400, names.join(), '');
  const parent = network.posts.get(reply?.in_reply_to_tweet_id ?? '');
  if (!parent || parent.isDeleted) {
    throw new Refusal(403, 'You attempted to reply to a Post that is deleted or not visible to you.');
  }
  if (!parent.named.has(agent.id) && parent.quoted?.author !== agent) {
    throw new Refusal(403, 'You can only reply to posts that mention or quote you.');
  }
  if ((text.match(/\$[A-Za-z]/g) ?? []).length > 0) throw new Refusal(403, 'Cashtags are not allowed here.');
  if (Array.from(text.replace(/https?:\/\/\S+/g, 'x'.repeat(23))).length > 280) {
    throw new Refusal(403, 'Your Post text is too long.');
  }
  const isRepeated = network.newest(({ author }) => author === agent).some(({ typed }) => typed === text);
  if (isRepeated) throw new Refusal(403, 'You are not allowed to create a Post with duplicate content.');
  const made = network.post(agent, text, { replyTo: parent });
  const data = { id: made.id, text: made.text, edit_history_post_ids: [made.id] };
  return { status: 201, body: { data }, reads: 0 };
}

/** A call that X refuses: the invalid part of it, or the reason. */
export class Refusal extends Error {
  readonly status: number;
  readonly value: string | null | undefined;

  constructor(status: number, what: string, value?: string | null) {
    super(what);
    this.status = status;
    this.value = value;
  }
}

export function tellRefusal({ status, message, value }: Refusal): Record<string, unknown> {
  if (status === 400) {
    const detail = 'One or more parameters to your request was invalid.';
    return {
      title: 'Invalid Request',
      type: problemType('invalid-request'),
      detail,
      parameter: message,
      value: value ?? '',
    };
  }
  return { title: 'Forbidden', type: 'about:blank', status, detail: message, code: status, message };
}

function readWanted(query: URLSearchParams, names: string[]): Wanted {
  for (const name of query.keys()) {
    if (!names.includes(name) && !LISTS.some((list) => list === name)) throw new Refusal(400, name, query.get(name));
  }
  const read = (name: (typeof LISTS)[number], known: string[]) => {
    const values = query.get(name)?.split(',') ?? [];
    if (!values.every((value) => known.includes(value))) throw new Refusal(400, name, query.get(name));
    return new Set(values);
  };
  return {
    fields: read('post.fields', POST_FIELDS),
    expansions: read('expansions', EXPANSIONS),
    userFields: read('user.fields', USER_FIELDS),
    mediaFields: read('media.fields', MEDIA_FIELDS),
  };
}
