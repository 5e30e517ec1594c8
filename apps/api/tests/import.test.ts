import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Post } from '@archive/contracts';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyPosts } from '../src/cli/classify-posts.ts';
import { followImport } from '../src/cli/follow-import.ts';
import { type ImportSummary, importFile } from '../src/ingest/import-file.ts';
import type { PlatformAuthor } from '../src/ingest/platform-post.ts';
import { IndexPositions } from '../src/posts/index-positions.ts';
import { PostChanges } from '../src/posts/post-changes.ts';
import { PostStore } from '../src/posts/post-store.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('importing files', () => {
  let api: TestApi;
  let folder: string;

  beforeAll(async () => {
    api = await startTestApi();
    folder = mkdtempSync(join(tmpdir(), 'import-'));
  });

  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const importText = (name: string, text: string, author?: PlatformAuthor): Promise<ImportSummary> => {
    writeFileSync(join(folder, name), text);
    return importFile(api.context, join(folder, name), { author });
  };
  const find = async (id: string) => (await (await fetch(`${api.url}/amber/archives/${id}`)).json()) as Post;
  const exported = async (format: string, query = '') =>
    (await fetch(`${api.url}/amber/archives/export?format=${format}${query}`)).text();

  it('refuses broken lines by number and takes the rest', async () => {
    const good = newPost();
    const summary = await importText(
      'broken.ndjson',
      [
        `\ufeff${JSON.stringify(good)}`,
        '{"id":',
        '',
        '"text"',
        JSON.stringify(newPost({ content: '' })),
        JSON.stringify(newPost()),
        JSON.stringify(good),
      ].join('\n'),
    );
    expect(summary).toMatchObject({ created: 2, duplicates: 1, refused: 3, resumedAt: 0 });
    expect(summary.refusals.map(({ line, message }) => [line, message.split(' ')[0]])).toEqual([
      [2, 'is'],
      [4, 'post'],
      [5, 'content'],
    ]);
  });

  it('refuses broken CSV records by number and takes the rest', async () => {
    const line = (id: string, content: string) =>
      `${id},Ann,ann,${content},news,2020-01-02T03:04:05.000Z,https://x.com/1`;
    const text = [
      'ID,Author,Username,Content,Category,Date,URL',
      line('csv-1', 'fine'),
      line('csv-2', 'br"oken'),
      'csv-3,too few',
      line('csv-4', '"also\nfine"'),
    ];
    const summary = await importText('broken.csv', text.join('\r\n'));
    expect(summary).toMatchObject({ created: 2, refused: 2 });
    expect(summary.refusals.map(({ line }) => line)).toEqual([3, 4]);
    expect((await find('csv-4')).content).toBe('also\nfine');
  });

  it("reads posts in X's fields, undoing its escapes once", async () => {
    const x = [
      {
        id: '1001',
        text: 'a &lt;b&gt; &amp;amp; c',
        name: 'Ann',
        handle: 'ann',
        created_at: '2020-01-02T03:04:05.000Z',
        url: 'https://x.com/ann/status/1001',
        lang: 'en',
      },
      {
        id_str: '1002',
        id: 1002,
        full_text: 'from a user',
        user: { name: 'Ben', screen_name: 'ben' },
        created_at: 'Wed Oct 10 20:19:24 +0000 2018',
      },
      { id: 1003, text: 'a number for an id', name: 'C', handle: 'c', created_at: '2020-01-02T03:04:05.000Z' },
    ];
    const summary = await importText('x.ndjson', x.map((post) => JSON.stringify(post)).join('\n'));
    expect([summary.created, summary.refused]).toEqual([2, 1]);
    expect(await find('1001')).toMatchObject({ content: 'a <b> &amp; c', author: 'Ann', metadata: { language: 'en' } });
    expect(await find('1002')).toMatchObject({
      author: 'Ben',
      authorUsername: 'ben',
      timestamp: '2018-10-10T20:19:24.000Z',
      url: 'https://x.com/ben/status/1002',
    });
  });

  it('leaves fields of ours as they are', async () => {
    await importText('ours.json', JSON.stringify([newPost({ id: 'escaped', content: 'a &lt;b&gt; &amp; c' })]));
    expect((await find('escaped')).content).toBe('a &lt;b&gt; &amp; c');
  });

  it('sorts what comes in X’s fields into categories, and what is ours only when that is asked for', async () => {
    const content =
      'Bitcoin and Ethereum wallets: the $BTC mempool is full, and stablecoin swaps on chain cost more gas';
    const of = { name: 'Ann', handle: 'ann', created_at: '2020-01-02T03:04:05.000Z', lang: 'en' };
    const x = [
      { ...of, id: '3001', text: content },
      { ...of, id: '3002', text: `${content}!`, category: 'casual' },
    ];
    await importText('sorted.ndjson', x.map((post) => JSON.stringify(post)).join('\n'));
    const ours = [
      newPost({ id: 'unsorted', content: `${content}?`, category: null }),
      newPost({ id: 'vague', content: 'so', category: null }),
      newPost({ id: 'given', content: `${content}.`, category: 'meme' }),
    ];
    await importText('sorted.json', JSON.stringify(ours));
    const categories = () =>
      Promise.all(['3001', '3002', 'unsorted', 'vague', 'given'].map(async (id) => (await find(id)).category));
    expect(await categories()).toEqual(['crypto', 'casual', null, null, 'meme']);
    expect(await classifyPosts(api.context.database)).toBe(true);
    expect(await categories()).toEqual(['crypto', 'casual', 'crypto', null, 'meme']);
    // The index follows a moment later.
    await until(async () => ((await exported('ndjson', '&category=crypto')).includes('"unsorted"') ? true : null));
  });

  it('reads the tweets.js of an X archive, with its owner named or found beside it', async () => {
    const tweets = (id: string) =>
      `window.YTD.tweets.part0 = [ {"tweet":{"id_str":"${id}","full_text":"mine \\"]} ${id}","created_at":"Wed Oct 10 20:19:24 +0000 2018"}} ]`;
    expect(await importText('tweets.js', tweets('2001'), { name: 'Owner', handle: 'owner' })).toMatchObject({
      created: 1,
      refused: 0,
    });
    expect(await find('2001')).toMatchObject({ content: 'mine "]} 2001', author: 'Owner', authorUsername: 'owner' });
    writeFileSync(
      join(folder, 'account.js'),
      'window.YTD.account.part0 = [{"account":{"username":"beside","accountDisplayName":"Beside"}}]',
    );
    await importText('tweets-part1.js', tweets('2002'));
    expect(await find('2002')).toMatchObject({ author: 'Beside', authorUsername: 'beside' });
  });

  it('says what is wrong with a file that is no list of posts', async () => {
    await expect(importText('none.json', '{"id":"x"}')).rejects.toThrow('not a JSON list of posts');
    await expect(importText('half.json', '[{"id":"x"},{"id"')).rejects.toThrow('not a JSON list of posts');
    await expect(importText('bad.csv', 'a,b\r\n1,2\r\n')).rejects.toThrow('the first line lacks ID');
    await expect(importText('posts.txt', 'x')).rejects.toThrow('the ending must be');
  });

  it('goes on after the last settled batch when a run was cut off', async () => {
    const posts = Array.from({ length: 2_500 }, (_, index) => newPost({ content: `resumable ${index}` }));
    writeFileSync(join(folder, 'long.ndjson'), posts.map((post) => JSON.stringify(post)).join('\n'));
    let batches = 0;
    const failing = new PostChanges();
    failing.listen(async (change) => {
      await api.context.posts.changes.announce(change);
      batches++;
      if (batches === 2) throw new Error('cut off');
    });
    const { database } = api.context;
    const store = new PostStore(database.db, database.clock, failing);
    await expect(
      importFile(
        { posts: { ...api.context.posts, store }, authors: api.context.authors, database },
        join(folder, 'long.ndjson'),
      ),
    ).rejects.toThrow('cut off');
    const summary = await importFile(api.context, join(folder, 'long.ndjson'));
    expect(summary).toMatchObject({ resumedAt: 1_000, created: 1_500, duplicates: 1_000, refused: 0 });
    const again = await importFile(api.context, join(folder, 'long.ndjson'));
    expect(again).toMatchObject({ resumedAt: 0, created: 0, duplicates: 2_500 });
  });

  it('takes its own exports back without loss, formulas, quotes and line breaks included', async () => {
    const contents = [
      '=1+1',
      '+1',
      '-1',
      '@x',
      '\tx',
      '\rx',
      "'=1",
      "''@",
      "'plain",
      'a "quoted", b',
      'two\r\nlines',
      ' blank ends ',
      '😀,;\n',
      'a\u2028b',
    ];
    const posts = contents.map((content, index) =>
      newPost({
        content,
        author: index % 2 ? `@${content}` : content,
        category: index % 3 ? 'news' : null,
        authorUsername: 'looper',
      }),
    );
    await api.add(...posts);
    for (const format of ['csv', 'ndjson', 'json']) {
      const text = await exported(format, '&handle=looper&sortOrder=asc');
      const other = await startTestApi();
      writeFileSync(join(folder, `again.${format}`), text);
      const summary = await importFile(other.context, join(folder, `again.${format}`));
      expect([format, summary.created, summary.refused]).toEqual([format, posts.length, 0]);
      const back = (await (
        await fetch(`${other.url}/amber/archives/export?format=json&sortOrder=asc`)
      ).json()) as Post[];
      expect(
        back.map(({ id, content, author, category, timestamp, url }) => ({
          id,
          content,
          author,
          category,
          timestamp,
          url,
        })),
      ).toEqual(
        posts.map(({ id, content, author, category, timestamp, url }) => ({
          id,
          content,
          author,
          category,
          timestamp,
          url,
        })),
      );
      await other.close();
    }
  });

  it('guards every cell a spreadsheet would run, and names the file by the day', async () => {
    const response = await fetch(`${api.url}/amber/archives/export?handle=looper`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="amber-\d{4}-\d{2}-\d{2}\.csv"$/,
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(bytes);
    expect(text.split('\r\n')[0]).toBe('ID,Author,Username,Content,Category,Date,URL');
    expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
    expect(text).toContain('Uncategorized');
  });

  it('says how far the index has followed, and ends once all can be found', async () => {
    const { database, posts } = api.context;
    const said: string[] = [];
    const say = (words: string) => void said.push(words);
    const other = new IndexPositions(database.db);
    await other.tell(Date.parse('2020-01-01'));
    await followImport(database, 3, false, say);
    expect(said).toEqual([
      expect.stringMatching(
        /^The posts are in the database\. The index holds \d of 3 so far; the running servers add the rest\.$/,
      ),
    ]);
    await other.end();
    await followImport(database, 3, true, say);
    expect(said.at(-1)).toBe('The posts are in the database and can be found.');
    await posts.follower.stop();
    await followImport(database, 3, true, say);
    expect(said.at(-1)).toBe('The posts are in the database. The index takes them in at the next start of a server.');
  });
});
