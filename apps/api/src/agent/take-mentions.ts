import { SAVE_HOURS } from '@archive/contracts';
import type { Base } from '../base.ts';
import { isRemoved } from '../posts/post-document.ts';
import type { PostStore } from '../posts/post-store.ts';
import type { SealedPostStore } from '../posts/sealed-post-store.ts';
import { AT_ONCE, type NewSave, type SaveStore } from '../saves/save-store.ts';
import type { Account, Mention } from '../sources/account.ts';
import type { Target } from '../sources/source.ts';
import type { AgentStore } from './agent-store.ts';
import { isBareRequest, readAuthorWord, readRequest } from './read-words.ts';

export interface MentionNeeds extends Pick<Base, 'config' | 'database' | 'log'> {
  posts: { store: PostStore; sealed: SealedPostStore };
  saves: { store: SaveStore; worker: { wake(): void } };
  agents: AgentStore;
}

/** Stores the mentions since the last read. Returns the number of new requests. */
export async function takeMentions(needs: MentionNeeds, account: Account, signal: AbortSignal): Promise<number> {
  const { agents, database, log, saves } = needs;
  const { platform } = account;
  const now = database.clock.now();
  const { cursor, startedAt, awaySince } = await agents.begin(platform, now);
  const { mentions, next, isGap, markTaken } = await account
    .mentions(cursor, startedAt, signal)
    .catch(async (error: unknown) => {
      const tell = (err: unknown) => log.error({ err, platform }, 'that mentions cannot be read was not written down');
      if (!signal.aborted) await agents.setAway(platform, true).catch(tell);
      throw error;
    });
  if (awaySince) await agents.setAway(platform, false);
  if (isGap) log.error({ platform, alarm: 'gap' }, 'more mentions were missed than the platform still tells of');
  const fresh = mentions.filter(({ at }) => at >= startedAt);
  const requests: NewSave[] = [];
  for (const mention of fresh) {
    const request = await readMention(needs, account, mention);
    if (request) requests.push(request);
  }
  const added = await saves.store.add(requests);
  // Moved only after the requests are stored. If the process dies before, it reads the mentions again; storing them is
  // idempotent.
  if (next !== null && next !== cursor) await agents.moveCursor(platform, { from: cursor, to: next });
  markTaken?.();
  if (added > 0) saves.worker.wake();
  return added;
}

/** The request that a mention makes; null if it makes none. */
async function readMention(needs: MentionNeeds, account: Account, mention: Mention): Promise<NewSave | null> {
  const answered = mention.target ? await needs.saves.store.findByReply(mention.target.address) : null;
  // In an answer to our reply, "this post" means the post that the reply was about.
  const target = answered ? answered.target : mention.target;
  const base = requestOf(needs, account, mention, target);
  const word = readAuthorWord(mention.words);
  if (await isByAuthor(needs, mention, target, answered !== null)) {
    if (word) return { ...base, wish: word, dueAt: AT_ONCE };
    if (answered || !isBareRequest(mention.words))
      return mention.isExplicit || answered ? { ...base, wish: 'help' } : null;
  } else if (word && (mention.isExplicit || (answered && word !== 'remove'))) {
    // These words concern all posts of the author, whichever post is quoted and whether it is still kept.
    return { ...base, wish: word === 'remove' ? 'help' : word, dueAt: AT_ONCE };
  }
  if (answered || !mention.isExplicit || !target) return null;
  const { asks, wantsThread } = readRequest(mention.words);
  return asks ? { ...base, wantsThread } : null;
}

async function isByAuthor(
  { posts }: MentionNeeds,
  { author, targetAuthorId }: Mention,
  target: Target | null,
  isReplyToUs: boolean,
): Promise<boolean> {
  if (!target) return false;
  if (!isReplyToUs) return targetAuthorId === author.id;
  const post = await posts.store.find(target.id);
  if (!post || (isRemoved(post) && !post.sealed)) return false;
  const whole = isRemoved(post) ? await posts.sealed.find(post._id) : post;
  return whole?.authorId === author.id;
}

function requestOf(
  { config, database }: MentionNeeds,
  account: Account,
  mention: Mention,
  target: Target | null,
): NewSave {
  const now = database.clock.now();
  return {
    key: mention.address,
    platform: account.platform,
    link: target?.url ?? mention.url,
    target,
    wantsThread: false,
    askedBy: { kind: 'account', id: `${account.platform}:${mention.author.id}`, handle: mention.author.handle },
    askedIn: { address: mention.address, url: mention.url, at: mention.at },
    via: 'mention',
    state: 'received',
    reason: null,
    // Older mentions come first.
    dueAt: mention.at,
    endsAt: new Date(now.getTime() + SAVE_HOURS * 3_600_000),
    archiveId: null,
    reply: config.sources.replies ? 'due' : 'none',
    createdAt: now,
  };
}
