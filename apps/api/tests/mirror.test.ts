import type { Post } from '@archive/contracts';
import { seeded } from '@archive/testing/generate-posts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ArchiveState } from '../src/db/archive-state.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('a copy of the archive that follows it', () => {
  let api: TestApi;
  const copy = new Map<string, Post>();
  const random = seeded(7);

  beforeAll(async () => {
    api = await startTestApi();
  });

  afterAll(() => api?.close());

  const ask = (since: string, format = 'ndjson') =>
    request(api.app).get('/amber/archives/export').query({ format, since });

  /** Applies the changes since a cursor. Returns the next cursor. */
  async function follow(since: string): Promise<string> {
    const { status, text } = await ask(since);
    expect(status).toBe(200);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Post & { removed?: true; cursor?: string });
    const { cursor } = lines.pop() ?? {};
    for (const line of lines) {
      if (line.removed) {
        expect(Object.keys(line)).toEqual(['_id', 'id', 'removed']);
        copy.delete(line._id);
      } else copy.set(line._id, line);
    }
    return cursor as string;
  }

  async function expectEqual(): Promise<void> {
    const { body } = await request(api.app).get('/amber/archives/export').query({ format: 'json' });
    const own = (post: Post) => ({ ...post, quoted: null, replyTo: null, thread: null });
    const byId = (one: Post, other: Post) => one._id.localeCompare(other._id);
    expect([...copy.values()].sort(byId).map(own)).toEqual((body as Post[]).sort(byId).map(own));
  }

  it('ends equal to it after random writes, edits, reactions and removals', async () => {
    const { store, sealed } = api.context.posts;
    let cursor = await follow('begin');
    let serial = 0;
    for (let round = 0; round < 12; round++) {
      for (let step = 0; step < 25; step++) {
        const posts = [...copy.keys()];
        const chosen = posts[Math.floor(random() * posts.length)];
        const post = chosen === undefined ? null : await store.find(chosen);
        const act = post && !('removedAt' in post) ? random() : 0;
        if (act < 0.4 || !post)
          await api.add(newPost({ id: `mirror-${serial++}`, content: `post ${serial} </script>` }));
        else if (act < 0.55) await store.setFeatured(post._id, random() < 0.5);
        else if (act < 0.65) await store.setLaunched(post._id, true);
        else if (act < 0.7) await store.setCategory(post._id, random() < 0.5 ? 'news' : null);
        else if (act < 0.85) {
          const change = { walletAddress: `wallet${serial}`, reactionType: 'heart', change: 'add' } as const;
          await api.context.reactions.changes.ask({ ...change, id: post._id.toHexString() });
        } else if (act < 0.95) await store.remove(post._id);
        else {
          // Removed from view, and half the time restored.
          await sealed.seal(post as PostDocument, 'x', 'deleted', new Date());
          if (random() < 0.5) await sealed.unseal(post._id, new Date());
        }
      }
      cursor = await follow(cursor);
    }
    await follow(cursor);
    await expectEqual();
    expect(copy.size).toBeGreaterThan(20);
  });

  it('gets of posts that came through X’s API no more than their ids, where the operator has decided so', async () => {
    const held = await startTestApi({ env: { X_EXPORT: 'ids' } });
    const capture = { method: 'x-api', complete: true, signed: false };
    const { store } = held.context.posts;
    await held.add(newPost({ id: '123456', content: 'words of X' }), newPost({ id: 'ours', content: 'words of ours' }));
    await held.context.database.db.collection('posts').updateOne({ id: '123456' }, { $set: { origin: { capture } } });
    expect(await store.find('123456')).toMatchObject({ origin: { capture } });
    const { text } = await request(held.app).get('/amber/archives/export').query({ format: 'ndjson', since: 'begin' });
    expect(text).toContain('123456');
    expect(text).not.toContain('words of X');
    expect(text).toContain('words of ours');
    await held.close();
  });

  it('is told where pictures are by whole addresses', async () => {
    await api.add(newPost({ id: 'pictured' }));
    const avatarSha256 = 'a'.repeat(64);
    await api.context.database.db.collection('posts').updateOne({ id: 'pictured' }, { $set: { avatarSha256 } });
    const { text } = await ask('begin');
    const told = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { authorAvatar } = told.find(({ id }) => id === 'pictured');
    expect(authorAvatar).toMatch(new RegExp(`^${api.context.config.publicUrl.origin}/.*${avatarSha256}`));
  });

  it('is told to begin anew after a restore, and what is no cursor', async () => {
    const cursor = await follow('begin');
    await new ArchiveState(api.context.database.db).finishRestore();
    const gone = await ask(cursor);
    expect([gone.status, gone.body.code]).toEqual([410, 'cursor_gone']);
    await follow('begin');
    await expectEqual();
    for (const since of ['yesterday', 'x'.repeat(300), '%00']) expect((await ask(since)).status).toBe(400);
    expect((await ask('begin', 'csv')).status).toBe(400);
  });
});
