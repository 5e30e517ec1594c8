import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { clientOf, ownWork } from '../clients.ts';
import { LiveFeed } from './live-feed.ts';

const NOW = Date.UTC(2026, 5, 1);

function feedOf(savedSince: (at: Date) => Promise<string[]> = async () => [], isEnding = () => false) {
  return new LiveFeed({ now: () => NOW, isEnding, savedSince });
}

/** The parts of a response that a stream uses. */
class Answer extends EventEmitter {
  text = '';
  destroyed = false;
  writableLength = 0;
  writeHead = () => this;
  end = () => this.leave();
  write = (text: string) => {
    this.text += text;
    return true;
  };
  leave() {
    this.destroyed = true;
    this.emit('close');
  }
  get response() {
    return this as unknown as ServerResponse;
  }
}

describe('a stream', () => {
  it('of a page that left while it was counted what it missed is not kept', async () => {
    const answer = new Answer();
    let told = (_missed: string[]) => {};
    const feed = feedOf(() => new Promise((resolve) => (told = resolve)));
    const open = feed.open(answer.response, ownWork('somebody'), NOW - 1);
    answer.leave();
    told(['a', 'b', 'c']);
    await open;
    expect([feed.openCount, answer.text]).toEqual([0, '']);
  });

  it('is let go of when its page leaves', async () => {
    const answer = new Answer();
    const feed = feedOf();
    const open = feed.open(answer.response, ownWork('somebody'), null);
    expect(feed.openCount).toBe(1);
    answer.leave();
    await open;
    expect(feed.openCount).toBe(0);
  });

  it('ends once its server is ending', async () => {
    let isEnding = false;
    const feed = feedOf(undefined, () => isEnding);
    const open = feed.open(new Answer().response, ownWork('page'), null);
    feed.beat();
    expect(feed.openCount).toBe(1);
    isEnding = true;
    feed.beat();
    expect(feed.openCount).toBe(0);
    await open;
  });

  it('is refused before anything is counted where its address has too many', async () => {
    let counts = 0;
    const feed = feedOf(async () => [`${++counts}`]);
    for (let at = 0; at < 50; at++) void feed.open(new Answer().response, ownWork('somebody'), null);
    await expect(feed.open(new Answer().response, ownWork('somebody'), NOW - 1)).rejects.toMatchObject({
      code: 'rate_limited',
    });
    expect(counts).toBe(0);
  });

  it('of a network leaves places for others, however many prefixes it has', async () => {
    const feed = feedOf();
    const open = (address: string) => {
      const answer = new Answer();
      return Promise.race([
        feed.open(answer.response, clientOf(address), null).catch((error) => (error as { code: string }).code),
        new Promise((resolve) => setImmediate(resolve, 'open')),
      ]);
    };
    const flood = Array.from({ length: 600 }, (_, at) => open(`2001:db8:1:${at.toString(16)}::1`));
    const outcomes = await Promise.all(flood);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(100);
    expect(await open('2001:db8:2::1')).toBe('open');
  });

  it('shares what was counted with those that missed the same', async () => {
    let counts = 0;
    const feed = feedOf(async () => [`${++counts}`]);
    const answers = Array.from({ length: 3 }, () => new Answer());
    const open = answers.map((answer) => feed.open(answer.response, ownWork('somebody'), NOW - 1));
    await new Promise(setImmediate);
    for (const answer of answers) answer.leave();
    await Promise.all(open);
    expect([counts, ...answers.map(({ text }) => text.includes('{"added":1}'))]).toEqual([1, true, true, true]);
  });

  it('counts no post twice that the database knew of before this process took it in', async () => {
    const [known, late, other] = [new ObjectId(), new ObjectId(), new ObjectId()];
    const answer = new Answer();
    const another = new Answer();
    const feed = feedOf(async () => [known.toHexString(), late.toHexString()]);
    const createdAt = new Date(NOW);
    feed.taken([{ _id: known, createdAt }]);
    void feed.open(another.response, ownWork('somebody'), null);
    void feed.open(answer.response, ownWork('somebody'), NOW - 1);
    await new Promise(setImmediate);
    feed.taken([{ _id: late, createdAt }]);
    feed.taken([{ _id: other, createdAt }]);
    const told = ({ text }: Answer) => text.match(/"added":\d+/g);
    expect(told(answer)).toEqual(['"added":2', '"added":1']);
    expect(told(another)).toEqual(['"added":0', '"added":1', '"added":1']);
  });

  it('tells of posts that have just been removed, and of no earlier ones', () => {
    const answer = new Answer();
    const feed = feedOf();
    void feed.open(answer.response, ownWork('somebody'), null);
    const createdAt = new Date(NOW - 86_400_000);
    const posts = Array.from({ length: 150 }, () => ({ _id: new ObjectId(), createdAt, removedAt: new Date(NOW) }));
    feed.taken([...posts, { _id: new ObjectId(), createdAt, removedAt: new Date(NOW - 600_000) }]);
    for (let beat = 0; beat < 3; beat++) feed.beat();
    const told = answer.text.match(/event: gone\ndata: .*/g)?.map((event) => JSON.parse(event.slice(18)).posts);
    expect(told?.map(({ length }) => length)).toEqual([100, 50]);
    expect(told?.flat()).toEqual(posts.map(({ _id }) => _id.toHexString()));
  });

  it('tells of too many removed posts only the latest 10,000', () => {
    const answer = new Answer();
    const feed = feedOf();
    void feed.open(answer.response, ownWork('page'), null);
    const at = new Date(NOW);
    const posts = Array.from({ length: 10_001 }, () => ({ _id: new ObjectId(), createdAt: at, removedAt: at }));
    feed.taken(posts);
    feed.beat();
    const [, second, third] = posts.map(({ _id }) => _id.toHexString());
    expect(answer.text).toContain(`{"posts":["${second}","${third}"`);
  });

  it('tells of a post that could be written only long after it was made', () => {
    const answer = new Answer();
    const feed = feedOf();
    void feed.open(answer.response, ownWork('somebody'), null);
    const _id = ObjectId.createFromTime(NOW / 1000 - 600);
    feed.taken([{ _id, createdAt: new Date(NOW) }]);
    feed.taken([{ _id: new ObjectId(), createdAt: new Date(NOW - 600_000) }]);
    expect(answer.text.match(/"added":\d+/g)).toEqual(['"added":0', '"added":1']);
  });
});
