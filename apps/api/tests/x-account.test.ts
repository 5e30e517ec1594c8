import type { Account as Person, Post, PostOptions } from '@archive/x-stand-in';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Mentions } from '../src/sources/account.ts';
import { SourceTrouble } from '../src/sources/source.ts';
import { type ReaderOfX, startReaderOfX } from './_x.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const NOBODY = new AbortController().signal;

describe.each(['new', 'old', 'alternating'] as const)('the account on X, in %s names', (vocabulary) => {
  let reader: ReaderOfX;
  let ada: Person;
  let ben: Person;

  beforeEach(async () => {
    reader = await startReaderOfX({ vocabulary });
    ada = reader.x.network.account('ada');
    ben = reader.x.network.account('ben');
  });
  afterEach(() => reader.close());

  const write = (author: Person, words: string, options: PostOptions = {}): Post =>
    reader.x.network.post(author, words, options);
  const mentions = (cursor: string | null = null): Promise<Mentions> =>
    reader.account.mentions(cursor, LONG_AGO, NOBODY);
  const one = async () => (await mentions()).mentions.at(-1);
  const own = () => reader.x.network.newest(({ author }) => author === reader.x.agent);
  const replyTo = (
    post: Post,
    { mayBeThere = false, text = 'Saved:' as string, link = 'https://amber.example/post/1' as string | null } = {},
  ) => reader.account.reply({ address: post.id, at: post.at }, { key: post.id, text, link, mayBeThere }, NOBODY);

  it('tells who asks, in which words, and for the post that is quoted', async () => {
    const quoted = write(ada, 'Words to keep');
    const asked = write(ben, '@amberkeeps keep this & the thread https://example.com/ please', { quotes: quoted });
    expect(await one()).toEqual({
      address: asked.id,
      url: `https://x.com/ben/status/${asked.id}`,
      at: asked.at,
      author: { id: ben.id, handle: 'ben' },
      words: expect.stringMatching(/^keep this & the thread https:\/\/t\.co\/\w+ please$/),
      isExplicit: true,
      target: { platform: 'x', id: quoted.id, address: quoted.id, url: `https://x.com/i/web/status/${quoted.id}` },
      targetAuthorId: ada.id,
    });
  });

  it('takes the post that is answered where none is quoted, and the quoted one where both are', async () => {
    const first = write(ada, 'first');
    write(ben, '@amberkeeps save', { replyTo: first });
    expect(await one()).toMatchObject({
      words: 'save',
      isExplicit: true,
      target: { id: first.id },
      targetAuthorId: ada.id,
    });
    const other = write(ada, 'other');
    write(ben, '@AmberKeeps', { replyTo: first, quotes: other });
    expect(await one()).toMatchObject({ words: '', isExplicit: true, target: { id: other.id } });
    write(ben, '@amberkeeps save');
    expect(await one()).toMatchObject({ target: null, targetAuthorId: null });
  });

  it('does not take a name for a request that a reply only inherits', async () => {
    const asked = write(ben, '@amberkeeps save', { replyTo: write(ada, 'first') });
    write(ada, 'I save nothing here', { replyTo: asked });
    expect(await one()).toMatchObject({ words: 'I save nothing here', isExplicit: false, author: { handle: 'ada' } });
    write(ada, 'Tom & Jerry, @amberkeeps save', { replyTo: asked });
    expect(await one()).toMatchObject({ isExplicit: true });
    write(ada, 'remove', { replyTo: await ours(asked) });
    expect(await one()).toMatchObject({ words: 'remove', isExplicit: false });
  });

  const ours = async (asked: Post) => reader.x.network.posts.get(await replyTo(asked)) as Post;

  it('hears a name at the end of a long post, and no name that merely looks like it', async () => {
    write(ben, `${'so much to say '.repeat(30)} @amberkeeps save`, { quotes: write(ada, 'first') });
    const long = await one();
    expect(long).toMatchObject({ isExplicit: true });
    expect(long?.words).toMatch(/say save$/);
    write(ben, '@amberkeepsx and me@amberkeeps.example', { quotes: write(ada, 'other') });
    expect((await mentions()).mentions).toHaveLength(1);
  });

  it('is told of neither its own posts, nor of reposts, nor of protected and deleted ones', async () => {
    const asked = write(ben, '@amberkeeps save', { quotes: write(ada, 'first') });
    write(ada, '', { reposts: asked });
    write(reader.x.network.account('eve', { isProtected: true }), '@amberkeeps save');
    reader.x.network.delete(write(ben, '@amberkeeps gone'));
    write(reader.x.agent, 'I am @amberkeeps');
    expect((await mentions()).mentions.map(({ address }) => address)).toEqual([asked.id]);
  });

  it('begins with what came since its first start, goes on from the newest, and pays for nothing twice', async () => {
    write(ben, '@amberkeeps long ago', { at: new Date('2025-12-31T23:59:59Z') });
    const first = write(ben, '@amberkeeps one');
    const { mentions: found, next } = await mentions();
    expect(found.map(({ words }) => words)).toEqual(['one']);
    expect(next).toBe(first.id);
    expect(await mentions(next)).toEqual({ mentions: [], next: first.id, isGap: false });
    const more = ['two', 'three'].map((words) => write(ben, `@amberkeeps ${words}`));
    const later = await mentions(next);
    expect(later.mentions.map(({ words }) => words)).toEqual(['two', 'three']);
    expect(later.next).toBe(more[1]?.id);
    expect(reader.spent).toEqual({ reads: 1 + 3, milliCents: 1_000 + 3 * 100 });
  });

  it('reads hundreds that waited, oldest first and each once, and says where more came than X tells of', async () => {
    const first = write(ben, '@amberkeeps 0');
    for (let at = 1; at <= 799; at++) write(ben, `@amberkeeps ${at}`);
    reader.x.faults.add('mentions', { kind: 'duplicates' }, 8);
    const all = await mentions(first.id);
    expect(all.mentions.map(({ words }) => Number(words))).toEqual(Array.from({ length: 799 }, (_, at) => at + 1));
    expect(all.isGap).toBe(false);
    write(ben, '@amberkeeps 800');
    write(ben, '@amberkeeps 801');
    const most = await mentions(first.id);
    expect(most.mentions).toHaveLength(800);
    expect(most.mentions[0]?.words).toBe('2');
    expect(most.isGap).toBe(true);
  });

  it('answers who asked, with neither ticker nor too many letters', async () => {
    const asked = write(ben, '@amberkeeps save', { quotes: write(ada, 'first') });
    const id = await replyTo(asked, { text: `Saved $AMBER ${'and '.repeat(100)}` });
    const [reply] = own();
    expect(reply).toMatchObject({ id, parent: asked });
    expect(reply?.typed).toMatch(/^Saved AMBER and .* https:\/\/amber\.example\/post\/1$/);
    expect(reader.x.answered.at(-1)?.request).toEqual({
      text: reply?.typed,
      reply: { in_reply_to_tweet_id: asked.id },
    });
    expect(reader.spent).toEqual({ reads: 1, milliCents: 1_000 + 1_000 });
  });

  it.each(['lost', 'cut'] as const)('answers once where its answer is %s', async (kind) => {
    const asked = write(ben, '@amberkeeps save', { quotes: write(ada, 'first') });
    for (let at = 0; at < 120; at++) write(reader.x.agent, `something else ${at}`);
    reader.x.faults.add('create', { kind });
    const failure = await replyTo(asked).catch((error: unknown) => error);
    expect(failure).toMatchObject({ isUndone: false, until: expect.any(Date) });
    expect((failure as SourceTrouble).until?.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(failure).toBeInstanceOf(SourceTrouble);
    const id = await replyTo(asked, { mayBeThere: true });
    expect(
      own()
        .filter(({ parent }) => parent === asked)
        .map((post) => post.id),
    ).toEqual([id]);
  });

  it('answers where an earlier try never arrived', async () => {
    const asked = write(ben, '@amberkeeps save', { quotes: write(ada, 'first') });
    const id = await replyTo(asked, { mayBeThere: true });
    expect(own().map((post) => post.id)).toEqual([id]);
  });

  it('says of a reply that X judged that it was not sent', async () => {
    const asked = write(ben, '@amberkeeps save', { quotes: write(ada, 'first') });
    for (const fault of [
      { kind: 'rate-limit', resetAt: new Date(0) },
      { kind: 'status', status: 402 },
    ] as const) {
      reader.x.faults.add('create', fault);
      await expect(replyTo(asked)).rejects.toMatchObject({ isUndone: true });
    }
    reader.x.faults.add('create', { kind: 'status', status: 503 });
    await expect(replyTo(asked)).rejects.toMatchObject({ isUndone: false });
    expect(own()).toEqual([]);
  });

  it('answers nobody whose post is gone, or who did not ask', async () => {
    const asked = write(ben, '@amberkeeps save');
    reader.x.network.delete(asked);
    await expect(replyTo(asked)).rejects.toMatchObject({ reason: 'deleted' });
    await expect(replyTo(write(ada, 'nothing'))).rejects.toMatchObject({ reason: 'protected' });
    expect(own()).toEqual([]);
  });

  it('says the same to two people in words that differ', async () => {
    const [one, other] = [ben, ada].map((person) => write(person, '@amberkeeps save'));
    const same = { text: 'Sorry, not saved.', link: null };
    await replyTo(one as Post, same);
    await replyTo(other as Post, same);
    expect(own().map(({ typed }) => typed)).toEqual([`Sorry, not saved. (to ${other?.id})`, 'Sorry, not saved.']);
    // No alarm for an operator.
    expect(reader.alarms).toEqual([]);
  });

  it('does not say it in other words where an earlier try may have come through', async () => {
    const [one, other] = [ben, ada].map((person) => write(person, '@amberkeeps save'));
    const same = { text: 'Sorry, not saved.', link: null };
    await replyTo(one as Post, same);
    const failure = await replyTo(other as Post, { ...same, mayBeThere: true }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceTrouble);
    expect(failure).toMatchObject({ isUndone: true, until: expect.any(Date) });
    expect(own()).toHaveLength(1);
  });

  it('says it in other words in the end, where X has told of nothing for as long as it takes', async () => {
    const [one, other] = [ben, ada].map((person) => write(person, '@amberkeeps save'));
    const same = { text: 'Sorry, not saved.', link: null };
    await replyTo(one as Post, same);
    const again = () => replyTo(other as Post, { ...same, mayBeThere: true });
    await expect(again()).rejects.toMatchObject({ isUndone: true });
    const later = Date.now() + 61_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    const id = await again().finally(() => clock.mockRestore());
    expect(own().map((post) => [post.id, post.parent])).toEqual([
      [id, other],
      [expect.any(String), one],
    ]);
  });

  it('says the same to many people at one moment', async () => {
    const at = new Date();
    const same = { text: 'Sorry, not saved.', link: null };
    for (let asked = 0; asked < 4; asked++) await replyTo(write(ben, '@amberkeeps save', { at }), same);
    expect(own()).toHaveLength(4);
    expect(new Set(own().map(({ parent }) => parent)).size).toBe(4);
  });

  it('does not move back where X tells again what it told before', async () => {
    const [first, second] = ['one', 'two'].map((words) => write(ben, `@amberkeeps ${words}`));
    reader.x.faults.add('mentions', { kind: 'again' });
    const told = await mentions(second?.id);
    expect(told.mentions.map(({ address }) => address)).toEqual([first?.id, second?.id]);
    expect(told.next).toBe(second?.id);
  });

  it('reads on where it was after trouble', async () => {
    write(ben, '@amberkeeps save');
    reader.x.faults.add('mentions', { kind: 'status', status: 503 });
    await expect(mentions('1')).rejects.toThrow(/503/);
    expect((await mentions('1')).mentions).toHaveLength(1);
  });
});
