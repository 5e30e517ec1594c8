import { newPostSchema } from '@archive/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { type AuthorWish, AuthorWishStore } from '../src/authors/author-wish-store.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { type PostDocument, partsOf } from '../src/posts/post-document.ts';
import { RestoredPostStore } from '../src/posts/restored-post-store.ts';
import { CaptureStore } from '../src/saves/capture-store.ts';
import { isWhole } from '../src/saves/is-whole.ts';
import { keepFetched } from '../src/saves/keep-fetched.ts';
import type { SaveDocument } from '../src/saves/save-document.ts';
import { authorView } from '../src/sources/bluesky/views.ts';
import type { FetchedPost } from '../src/sources/source.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const X = 'https://x.com/i/status/';
const BLUESKY = 'https://bsky.app/profile/';

describe('an author, by the id that the platform told', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi();
    const { wishes } = api.context.authors;
    const at = new Date();
    await wishes.set({ platform: 'x', id: '111', handle: 'Freed' }, { noArchive: true }, at);
    await wishes.set(
      { platform: 'bluesky', id: 'did:plc:objected', handle: 'handle.invalid' },
      { noArchive: true },
      at,
    );
  });

  afterAll(() => api.close());

  function fetched(url: string, authorId: string, authorUsername: string): FetchedPost {
    const id = `post-of-${authorId.replaceAll(':', '-')}`;
    const post = newPostSchema.parse(
      newPost({ id, content: `by ${authorId}`, authorId, authorUsername, url: `${url}${id}` }),
    );
    const platform = url === X ? 'x' : 'bluesky';
    return {
      target: { platform, id, url: post.url, address: post.url } as FetchedPost['target'],
      post: { ...post, authorId },
      raw: Buffer.from('{}'),
    };
  }

  function keep(asked: FetchedPost, others: FetchedPost[] = [], captures?: CaptureStore) {
    const { context } = api;
    const needs = { ...context, media: context.media, captures: captures ?? new CaptureStore(context.database.db) };
    const save = { _id: new ObjectId(), via: 'save', platform: 'x', askedBy: { kind: 'wallet', id: 'a' } };
    const work = { save: save as unknown as SaveDocument, signal: new AbortController().signal };
    return keepFetched(needs, { asked, others }, work);
  }

  describe('whose words and names another author has copied', () => {
    const CLAIMED = { author: 'Ada', authorUsername: 'did:plc:none', content: 'These are my own words.' };
    const of = (authorId: string, id: string, url = BLUESKY): FetchedPost => {
      const { post, ...one } = fetched(url, authorId, CLAIMED.authorUsername);
      return { ...one, target: { ...one.target, id }, post: { ...post, ...CLAIMED, id, url: `${url}${id}` } };
    };
    const store = () => api.context.posts.store;

    it('keeps a post of their own, also where the copy was saved first, and after the copy was removed', async () => {
      const copy = await keep(of('did:plc:thief', 'copy'));
      const own = await keep(of('did:plc:ada', 'own'));
      expect([copy, own]).toMatchObject([{ status: 'kept' }, { status: 'kept' }]);
      expect(await store().find('own')).toMatchObject({ id: 'own', authorId: 'did:plc:ada' });
      expect((await store().find('own'))?._id).not.toEqual((await store().find('copy'))?._id);
      await store().remove((copy as { _id: ObjectId })._id);
      expect(await keep(of('did:plc:ada', 'again'))).toMatchObject({
        status: 'kept',
        _id: (own as { _id: ObjectId })._id,
      });
      expect(await keep(of('did:plc:thief', 'copied-again'))).toEqual({ status: 'refused', reason: 'removed' });
    });

    it('keeps it beside what an agent has sent; of words that are there the agent keeps nothing of its own', async () => {
      const words = { author: 'Bo', authorUsername: 'bo.example', content: 'Said once.' };
      await api.add({ ...newPost({ id: 'sent', url: `${BLUESKY}sent` }), ...words });
      const told = of('did:plc:bo', 'told');
      const own = await keep({ ...told, post: { ...told.post, ...words } });
      expect(await store().find('told')).toMatchObject({ id: 'told', isFromPlatform: true });
      await api.add({ ...newPost({ id: 'sent-later', url: `${BLUESKY}sent-later` }), ...words });
      expect(await store().find('sent-later')).not.toMatchObject({ id: 'sent-later' });
      await store().remove((own as { _id: ObjectId })._id);
      expect(await keep({ ...told, post: { ...told.post, ...words, id: 'elsewhere' } })).toMatchObject({
        status: 'refused',
      });
      const claim = { ...newPost({ id: 'claimed-after', url: `${BLUESKY}claimed-after` }), ...words };
      const { results } = await ingestPosts(api.context, [claim]);
      expect(results).toMatchObject([{ status: 'invalid', message: 'removed' }]);
    });

    it('is found by its words in every form of a post that is out of sight', async () => {
      const { db } = api.context.database;
      const { sealed } = api.context.posts;
      const restored = new RestoredPostStore(db);
      const at = new Date();
      const acts: Record<string, (post: PostDocument) => Promise<unknown>> = {
        sealed: (post) => sealed.seal(post, 'bluesky', 'deleted', at),
        hidden: ({ _id }) => sealed.hide(_id, 'rules'),
        removed: ({ _id }) => store().remove(_id),
        removedAgain: ({ _id: post, ids, fingerprint }) =>
          restored.removeAgain({ post, ids, fingerprint, removedAt: at }),
        lostAndRemoved: async ({ _id: post, ids, fingerprint }) => {
          await db.collection('posts').deleteOne({ _id: post });
          await restored.removeAgain({ post, ids, fingerprint, removedAt: at });
        },
        lostAndHidden: async ({ _id: post, ids, fingerprint }) => {
          await db.collection('posts').deleteOne({ _id: post });
          await restored.refuseHidden({ post, ids, fingerprint, hiddenFor: 'rules', at });
        },
      };
      for (const [name, act] of Object.entries(acts)) {
        const told = of(`did:plc:${name.toLowerCase()}`, `told-${name}`);
        await keep(told);
        const post = (await store().find(told.post.id)) as PostDocument;
        const { base } = partsOf(post.fingerprint);
        expect(post.words).toBe(base);
        await act(post);
        const left = await db.collection('posts').findOne({ _id: post._id });
        expect({ name, left }).toMatchObject({ name, left: { words: base, removedAt: expect.any(Date) } });
      }
    });

    it('stays in a restored archive where an agent had added the id of a removed post to it', async () => {
      const restored = new RestoredPostStore(api.context.database.db);
      await keep(of('did:plc:kept', 'kept-own'));
      const { _id, fingerprint } = (await store().find('kept-own')) as PostDocument;
      const alias = { id: 'theirs', url: `${BLUESKY}theirs`, at: new Date() };
      const posts = api.context.database.db.collection('posts');
      await posts.updateOne({ _id }, { $push: { ids: 'theirs', aliases: alias } as never });
      const removal = { ids: ['theirs'], fingerprint: `${fingerprint}x`, removedAt: new Date() };
      await restored.removeAgain({ post: new ObjectId(), ...removal });
      expect(await posts.findOne({ _id })).toMatchObject({ id: 'kept-own', ids: ['kept-own'], aliases: [] });
      expect(await posts.findOne({ ids: 'theirs' })).toMatchObject({ removedAt: expect.any(Date) });
    });

    it('gives a post back that a version before took for the copy’s', async () => {
      const words = { author: 'Cy', authorUsername: 'cy.example', content: 'Taken over.' };
      const [copied, taken] = [of('did:plc:thief', 'cy-copy'), of('did:plc:cy', 'cy-own')];
      const copy = await keep({ ...copied, post: { ...copied.post, ...words } });
      const { _id, fingerprint = '' } = (await store().find('cy-copy')) as PostDocument;
      expect(copy).toMatchObject({ _id });
      await api.context.database.db.collection('posts').updateOne(
        { _id },
        {
          $set: { fingerprint: partsOf(fingerprint).base, ids: ['cy-copy', 'cy-own'] },
          $push: { aliases: { id: 'cy-own', url: taken.post.url, at: new Date() } as never },
        },
      );
      expect(isWhole((await store().find('cy-own')) as PostDocument, 'cy-own')).toBe(false);
      await keep({ ...taken, post: { ...taken.post, ...words } });
      expect(await store().find('cy-own')).toMatchObject({ id: 'cy-own', authorId: 'did:plc:cy' });
      // A further copy by its own author is the same post, as in the earlier version.
      expect(await keep({ ...copied, post: { ...copied.post, ...words, id: 'cy-copy-2' } })).toMatchObject({ _id });
    });
  });

  it('is kept under a handle that another author had, who does not want to be kept', async () => {
    expect(await keep(fetched(X, '222', 'freed'))).toMatchObject({ status: 'kept' });
    expect(await keep(fetched(X, '111', 'renamed'))).toEqual({ status: 'refused', reason: 'declined' });
  });

  it('is kept with the posts of others that come along, but for those who do not want to be', async () => {
    const others = [fetched(X, '333', 'FREED'), fetched(BLUESKY, 'did:plc:objected', 'elsewhere.example')];
    expect(await keep(fetched(X, '444', 'asked'), others)).toMatchObject({ status: 'kept' });
    const { store } = api.context.posts;
    expect(await store.find(others[0]?.post.id ?? '')).toMatchObject({ content: 'by 333' });
    expect(await store.find(others[1]?.post.id ?? '')).toBeNull();
  });

  it('is not one with all whose handle leads nowhere', async () => {
    const { wishes } = api.context.authors;
    expect(await keep(fetched(BLUESKY, 'did:plc:another', 'handle.invalid'))).toMatchObject({ status: 'kept' });
    const claimed = { id: 'claimed', url: `${BLUESKY}claimed`, authorUsername: 'Handle.Invalid' };
    expect(await wishes.refused([claimed])).toEqual(new Set());
    expect(await wishes.refused([{ id: 'claimed', url: `${X}1`, authorUsername: 'freed' }])).toEqual(new Set([0]));
  });

  it('is named by the id where a version before kept a handle that leads nowhere', async () => {
    const { arrived, store } = api.context.posts;
    const [told, claimed] = [fetched(BLUESKY, 'did:plc:kept-before', 'handle.invalid'), 'claimed-before'];
    await keep(told);
    await api.add(newPost({ id: claimed, url: `${BLUESKY}${claimed}`, authorUsername: 'handle.invalid' }));
    expect(await arrived.nameByIds(10)).toBeGreaterThan(0);
    expect(await store.find(told.post.id)).toMatchObject({ authorUsername: 'did:plc:kept-before' });
    expect(await store.find(claimed)).toMatchObject({ authorUsername: 'handle.invalid' });
    expect(await arrived.nameByIds(10)).toBe(0);
  });

  it('is called by the DID where the handle leads nowhere', () => {
    const view = { did: 'did:plc:another', handle: 'handle.invalid', labels: [] };
    expect(authorView.parse(view)).toMatchObject({ did: 'did:plc:another', handle: 'did:plc:another' });
    expect(authorView.parse({ ...view, handle: 'ada.test' })).toMatchObject({ handle: 'ada.test' });
  });

  it('leaves no evidence of a post that was removed while it was kept', async () => {
    const { context } = api;
    const { db } = context.database;
    const late = fetched(X, '555', 'late');
    const captures = new (class extends CaptureStore {
      override async keep(...args: Parameters<CaptureStore['keep']>): Promise<void> {
        await context.posts.store.remove(args[0]);
        // The cleanup of its evidence has run before this evidence was stored.
        await context.posts.arrived.markEmptied(args[0]);
        await super.keep(...args);
      }
    })(db);
    expect(await keep(late, [], captures)).toEqual({ status: 'refused', reason: 'removed' });
    expect(await db.collection('captures').countDocuments({ address: late.target.address })).toBe(0);
  });

  it('goes on from own posts alone, whatever their handles', async () => {
    const { arrived, store } = api.context.posts;
    const [first, other] = [
      fetched(BLUESKY, 'did:plc:one', 'same.example'),
      fetched(BLUESKY, 'did:plc:two', 'same.example'),
    ];
    for (const one of [first, other]) expect(await keep(one)).toMatchObject({ status: 'kept' });
    await arrived.joinThread({ ...other.post, isFromPlatform: true }, first.post.id);
    expect(await store.find(other.post.id)).not.toHaveProperty('threadRoot');
    const renamed = fetched(BLUESKY, 'did:plc:one', 'renamed.example');
    await keep({ ...renamed, post: { ...renamed.post, id: 'second', content: 'goes on' } });
    await arrived.joinThread({ ...renamed.post, id: 'second', isFromPlatform: true }, first.post.id);
    expect(await store.find('second')).toMatchObject({ threadRoot: first.post.id });
  });
});

describe('what an author asks for', () => {
  const author = { platform: 'x' as const, id: '777', handle: 'Asks' };
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi();
  });

  afterAll(() => api.close());

  const lines = async () => {
    const { entries = [] } = (await readLedger(ledgerFolder(api.context.config.dataDir))) ?? {};
    return entries.flatMap((entry) => (entry.kind === 'wish' ? [entry.wish as AuthorWish] : []));
  };
  const forget = () => api.context.database.db.collection('author_wishes').deleteMany({});

  it('goes to the ledger where it changes something, and stands after a restore in whatever order it was seen to', async () => {
    const { wishes } = api.context.authors;
    const refuses = () => wishes.of(author.platform, author.id).then(({ noArchive }) => noArchive);
    await wishes.set(author, { noTokens: false, noArchive: false }, at(0));
    expect(await lines()).toEqual([]);
    await wishes.set(author, { noArchive: true }, at(1));
    await wishes.set(author, { noArchive: true }, at(3));
    expect(await lines()).toHaveLength(1);
    // A wish from between the two, processed last. A killed process has already written it to the ledger.
    await api.context.ledger.record({ kind: 'wish', wish: { _id: 'x:777', ...author, noArchive: false, at: at(2) } });
    await wishes.set(author, { noArchive: false }, at(2));
    expect(await refuses()).toBe(true);
    const told = await lines();
    await forget();
    for (const wish of told) await wishes.put(wish);
    expect(await refuses()).toBe(true);
  });

  it('stands after a restore where one that changed nothing overtook it while it was written down', async () => {
    await forget();
    const { database, ledger } = api.context;
    const before = (await lines()).length;
    const first = new AuthorWishStore(database.db, ledger);
    await first.set(author, { noArchive: true }, at(1));
    const overtaken = new AuthorWishStore(database.db, {
      record: async (entry) => {
        await ledger.record(entry);
        if (entry.kind === 'wish' && entry.wish['noArchive'] === false)
          await first.set(author, { noArchive: true }, at(3));
      },
    });
    await overtaken.set(author, { noArchive: false }, at(2));
    const told = (await lines()).slice(before);
    await forget();
    for (const wish of told) await first.put(wish);
    expect(await first.of(author.platform, author.id)).toMatchObject({ noArchive: true });
  });
});
