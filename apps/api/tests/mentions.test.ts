import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentStore } from '../src/agent/agent-store.ts';
import { takeMentions } from '../src/agent/take-mentions.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import type { SaveDocument } from '../src/saves/save-document.ts';
import { SaveStore } from '../src/saves/save-store.ts';
import type { Account, Mention } from '../src/sources/account.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const NOBODY = new AbortController().signal;
const AUTHOR = { id: '7', handle: 'ada' };
const OTHER = { id: '8', handle: 'ben' };

describe('a mention of the agent', () => {
  let api: TestApi;
  let agents: AgentStore;
  let saves: SaveStore;
  let woken = 0;
  let taken = 0;
  let told: { mentions: Mention[]; next: string | null };

  beforeAll(async () => {
    api = await startTestApi();
    agents = new AgentStore(api.context.database.db);
    saves = new SaveStore(api.context.database);
    await api.add(newPost({ id: '501', authorId: AUTHOR.id, url: 'https://x.com/ada/status/501' }));
    await agents.begin('x', new Date(0));
  });

  afterAll(() => api.close());

  const target = { platform: 'x', id: '501', address: '501', url: 'https://x.com/ada/status/501' } as const;
  const mentionOf = (fields: Partial<Mention>): Mention => ({
    address: randomUUID(),
    url: 'https://x.com/i/status/9',
    at: new Date(),
    author: OTHER,
    words: '',
    isExplicit: true,
    target,
    targetAuthorId: AUTHOR.id,
    ...fields,
  });
  const take = (mentions: Mention[], { replies = true, next = null as string | null } = {}) => {
    told = { mentions, next };
    const markTaken = () => void taken++;
    const account = {
      platform: 'x',
      mentions: async () => ({ ...told, isGap: false, markTaken }),
    } as unknown as Account;
    const config = { ...api.context.config, sources: { ...api.context.config.sources, replies } };
    const worker = { wake: () => void woken++ };
    return takeMentions({ ...api.context, config, saves: { store: saves, worker }, agents } as never, account, NOBODY);
  };
  const kept = () => api.context.database.db.collection<SaveDocument>('saves');
  const requestOf = async (mention: Mention, options = {}) => {
    await take([mention], options);
    return kept().findOne({ key: mention.address });
  };

  /** The archive's reply to a request for a post. */
  async function reply(
    of: Mention['target'] = target,
  ): Promise<{ platform: 'x'; id: string; address: string; url: string }> {
    const asked = mentionOf({ words: 'save', target: of });
    await take([asked]);
    const replyId = randomUUID();
    await kept().updateOne({ key: asked.address }, { $set: { replyId } });
    return { platform: 'x', id: replyId, address: replyId, url: `https://x.com/i/status/${replyId}` };
  }

  const SAVE = { wantsThread: false };
  type Case = [words: string, expected: Partial<SaveDocument> | null];
  const cases: Record<string, [Partial<Mention> & { isUnderReply?: boolean }, Case[]]> = {
    'of somebody else’s post': [
      {},
      [
        ['save this', SAVE],
        ['save thread', { wantsThread: true }],
        ['', SAVE],
        ['hello', null],
        ['remove', { wish: 'help' }],
        ['remove all', { wish: 'remove all' }],
        ['no tokens', { wish: 'no tokens' }],
        ['allow', { wish: 'allow' }],
      ],
    ],
    'of somebody else’s post, by a name that is inherited': [
      { isExplicit: false },
      [
        ['save this', null],
        ['remove', null],
        ['remove all', null],
      ],
    ],
    'of no post': [
      { target: null, targetAuthorId: null },
      [
        ['save this', null],
        ['remove', { wish: 'help' }],
        ['no archive', { wish: 'no archive' }],
      ],
    ],
    'of the author’s own post': [
      { author: AUTHOR },
      [
        ['save this', SAVE],
        ['hello', { wish: 'help' }],
        ['do not save this', { wish: 'help' }],
        ['remove', { wish: 'remove' }],
        ['no tokens', { wish: 'no tokens' }],
      ],
    ],
    'of the author’s own post, by a name that is inherited': [
      { author: AUTHOR, isExplicit: false },
      [
        ['save this', null],
        ['hello', null],
        ['remove', { wish: 'remove' }],
      ],
    ],
    'by the author, under a reply of ours': [
      { author: AUTHOR, isExplicit: false, isUnderReply: true },
      [
        ['save this', { wish: 'help' }],
        ['hello', { wish: 'help' }],
        ['remove', { wish: 'remove' }],
        ['allow', { wish: 'allow' }],
      ],
    ],
    'by another person or of a removed post, under a reply of ours, by a name that is inherited': [
      { isExplicit: false, isUnderReply: true },
      [
        ['save this', null],
        ['hello', null],
        ['remove', null],
        ['remove all', { wish: 'remove all' }],
        ['no archive', { wish: 'no archive' }],
      ],
    ],
    'by somebody else, under a reply of ours': [
      { isUnderReply: true },
      [
        ['save this', null],
        ['hello', null],
        ['remove', { wish: 'help' }],
      ],
    ],
  };

  it.each(Object.entries(cases))('%s is taken for what it asks', async (_, [{ isUnderReply, ...fields }, asked]) => {
    const own = isUnderReply ? { target: await reply(), targetAuthorId: 'ours' } : {};
    for (const [words, expected] of asked) {
      const request = await requestOf(mentionOf({ ...fields, ...own, words }));
      const { wish, wantsThread } = request ?? {};
      const due = expected && { wantsThread: false, ...expected };
      expect([words, request && { ...(wish && { wish }), wantsThread }]).toEqual([words, due]);
      if (request && isUnderReply) expect(request).toMatchObject({ target, link: target.url });
      // A request with an author's wish is private.
      expect([words, request?.isPublic]).toEqual([words, request ? wish === undefined : undefined]);
    }
  });

  it('is answered, or not where the settings say so', async () => {
    expect((await requestOf(mentionOf({ words: 'save' })))?.reply).toBe('due');
    expect((await requestOf(mentionOf({ words: 'save' }), { replies: false }))?.reply).toBe('none');
  });

  it('is nobody’s request before the first start, and is one from that moment on', async () => {
    await api.context.database.db
      .collection('agents')
      .updateOne({ _id: 'x' as never }, { $set: { startedAt: new Date(5_000) } });
    expect(await requestOf(mentionOf({ words: 'save', at: new Date(4_999) }))).toBeNull();
    expect(await requestOf(mentionOf({ words: 'save', at: new Date(5_000) }))).not.toBeNull();
  });

  it('is taken once, wakes whoever saves where it is new, and moves the cursor where there is one to move to', async () => {
    const mention = mentionOf({ words: 'save' });
    const cursor = async () => (await agents.begin('x', new Date())).cursor;
    woken = 0;
    expect([await take([mention], { next: 'one' }), woken, await cursor()]).toEqual([1, 1, 'one']);
    expect([await take([mention], { next: 'two' }), woken, await cursor()]).toEqual([0, 1, 'two']);
    const before = taken;
    expect([await take([], { next: null }), woken, await cursor()]).toEqual([0, 1, 'two']);
    expect(taken).toBe(before + 1);
  });

  it('by the author may ask for the removal of a hidden post; of a removed post no one may', async () => {
    const { sealed, store } = api.context.posts;
    const url = 'https://x.com/ada/status/502';
    await api.add(newPost({ id: '502', authorId: AUTHOR.id, url }));
    const post = (await store.find('502')) as PostDocument;
    const underReply = await reply({ platform: 'x', id: '502', address: '502', url });
    const own = { author: AUTHOR, target: underReply, targetAuthorId: 'ours', isExplicit: false, words: 'remove' };
    await sealed.hide(post._id, 'rules');
    expect(await requestOf(mentionOf(own))).toMatchObject({ wish: 'remove' });
    expect(await requestOf(mentionOf({ ...own, author: OTHER }))).toBeNull();
    await sealed.remove(post);
    for (const author of [AUTHOR, OTHER]) expect(await requestOf(mentionOf({ ...own, author }))).toBeNull();
    expect(await requestOf(mentionOf({ ...own, words: 'no archive' }))).toMatchObject({ wish: 'no archive' });
  });
});
