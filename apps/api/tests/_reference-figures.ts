import type { Analytics, Author, Category, Explore, Platform, Post, Suggestions, TopAuthor } from '@archive/contracts';
import { fold } from '@archive/search/testing/reference-text';
import { compareCodePoints, languageName, platformName, type Query, ReferenceArchive } from './_reference-archive.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** Posts of one handle, in the order of time. */
interface Known {
  handle: string;
  posts: Post[];
  newest: Post;
  /** When the first of them came. */
  since: string;
}

/** What the archive tells of its posts besides lists, by plain counting and sorting in memory. */
export class ReferenceFigures {
  readonly posts: readonly Post[];
  /** Those of most posts first. */
  readonly #authors: readonly Known[];

  constructor(posts: readonly Post[]) {
    this.posts = posts.toSorted(byTime);
    const handles = groupsOf(this.posts, ({ authorUsername }) => fold(authorUsername));
    this.#authors = [...handles]
      .map(([handle, own]) => ({
        handle,
        posts: own,
        newest: own.at(-1) as Post,
        since: leastOf(own.map(({ savedAt }) => savedAt)) as string,
      }))
      .sort((one, other) => other.posts.length - one.posts.length || compareCodePoints(one.handle, other.handle));
  }

  /** One of the spellings of each handle. */
  get handles(): string[] {
    return this.#authors.map(({ newest }) => newest.authorUsername);
  }

  stats(now: number): { total: number; authors: number; recent: number } {
    const isRecent = ({ timestamp }: Post) => {
      const ago = now - Date.parse(timestamp);
      return ago >= 0 && ago < WEEK_MS;
    };
    return { total: this.posts.length, authors: this.#authors.length, recent: this.posts.filter(isRecent).length };
  }

  explore(now: number): Explore {
    const [today, weekAgo] = [dayOf(now), dayOf(now - 6 * DAY_MS)];
    const ofWeek = this.posts.filter((post) => weekAgo <= dayOfPost(post) && dayOfPost(post) <= today);
    return {
      total: this.posts.length,
      authors: this.#authors.length,
      keptSince: leastOf(this.posts.map(({ savedAt }) => savedAt)),
      writtenSince: leastOf(this.posts.map(monthOfPost)),
      ...this.#categories(today.slice(0, 7)),
      ...this.#languages(),
      activeAuthors: this.#authors.slice(0, 6).map(shownAuthor),
      newAuthors: this.#newAuthors(),
      week: {
        from: weekAgo,
        to: today,
        posts: byReactions(ofWeek.filter((post) => reactionsOf(post) > 0)).slice(0, 3),
      },
      onThisDay: this.#onThisDay(today),
    };
  }

  analytics(now: number): Analytics {
    return {
      topAuthors: this.#authors.slice(0, 10).map(shownAuthor),
      contentTrends: categoriesOf(this.posts),
      timeTrends: Array.from({ length: 30 }, (_, index) => {
        const date = dayOf(now - (29 - index) * DAY_MS);
        return { date, count: this.posts.filter((post) => dayOfPost(post) === date).length };
      }),
    };
  }

  /** Undefined where no post is kept under the handle. */
  author(handle: string): Author | undefined {
    const known = this.#authors.find((one) => one.handle === fold(handle));
    if (!known) return undefined;
    const { posts, newest } = known;
    const platforms = countsOf<Platform>(posts.map(({ url }) => platformName(url)));
    return {
      author: newest.author,
      username: newest.authorUsername,
      avatar: newest.authorAvatar,
      posts: posts.length,
      reactions: posts.reduce((sum, post) => sum + reactionsOf(post), 0),
      first: (posts[0] as Post).timestamp,
      last: newest.timestamp,
      platforms: platforms.map(([platform, count]) => ({ platform, count })),
      categories: categoriesOf(posts),
    };
  }

  suggest({ from, word }: { from?: string; word?: string }): Suggestions {
    const authors = from === undefined ? [] : this.#authors.filter(({ handle }) => handle.startsWith(fold(from)));
    return { authors: authors.slice(0, 6).map(shownAuthor), words: word === undefined ? [] : this.#words(fold(word)) };
  }

  /** Whether time alone says which the newest 300 posts are that hold a text. */
  isDecided(word: string): boolean {
    const holding = this.#holding(fold(word));
    return holding[299]?.timestamp !== holding[300]?.timestamp || holding.length <= 300;
  }

  neighbours(id: string): { before: Post | null; after: Post | null } {
    const at = this.posts.findIndex(({ _id }) => _id === id);
    return { before: this.posts[at - 1] ?? null, after: this.posts[at + 1] ?? null };
  }

  #categories(thisMonth: string): Pick<Explore, 'months' | 'categories' | 'uncategorized'> {
    const categorized = this.posts.filter(({ category }) => category !== null);
    const passed = categorized.map(monthOfPost).filter((month) => month <= thisMonth);
    const months = [...new Set(passed)].sort().slice(-600);
    const own = groupsOf(categorized, ({ category }) => category as Category);
    return {
      months,
      categories: countsOf(categorized.map(({ category }) => category as Category)).map(([category, count]) => {
        const inMonths = groupsOf(own.get(category) ?? [], monthOfPost);
        return { category, count, months: months.map((month) => inMonths.get(month)?.length ?? 0) };
      }),
      uncategorized: this.posts.length - categorized.length,
    };
  }

  #languages(): Pick<Explore, 'languages' | 'withoutLanguage'> {
    const names = this.posts.flatMap(({ language }) => (language === null ? [] : languageName(language)));
    return {
      languages: countsOf(names).map(([language, count]) => ({ language, count })),
      withoutLanguage: this.posts.length - names.length,
    };
  }

  #newAuthors(): Explore['newAuthors'] {
    return this.#authors
      .toSorted((a, b) => compareCodePoints(b.since, a.since) || compareCodePoints(b.handle, a.handle))
      .slice(0, 6)
      .map((author) => ({ ...shownAuthor(author), platform: platformName(author.newest.url), since: author.since }));
  }

  /** Of every earlier year that has this day; of the latest four also which post is shown. */
  #onThisDay(today: string): Explore['onThisDay'] {
    const isSame = (day: string) => day.slice(4) === today.slice(4) && day < today;
    const days = groupsOf(this.posts, dayOfPost);
    const same = [...days].filter(([day]) => isSame(day)).sort(([one], [other]) => compareCodePoints(other, one));
    return {
      day: today,
      count: same.reduce((sum, [, posts]) => sum + posts.length, 0),
      years: same
        .slice(0, 4)
        .map(([day, posts]) => ({ day, count: posts.length, post: byReactions(posts)[0] as Post })),
    };
  }

  /** Words of the newest 300 posts that hold the letters, but for the letters themselves. */
  #words(letters: string): string[] {
    if (Array.from(letters).length < 3 || !/^[\p{L}\p{N}]+$/u.test(letters)) return [];
    const words = this.#holding(letters)
      .slice(0, 300)
      .flatMap(({ content }) => [...new Set(wordsOf(fold(content)))]);
    return countsOf(words.filter((word) => word.startsWith(letters) && word !== letters))
      .slice(0, 6)
      .map(([word]) => word);
  }

  /** The newest first. */
  #holding(letters: string): Post[] {
    return this.posts.filter(({ content }) => fold(content).includes(letters)).reverse();
  }
}

/** A list that is read on page by page while posts come, go and are reacted to. */
export class ReferenceWalk {
  readonly query: Query;
  readonly differences: string[] = [];
  /** Where the page before ended. */
  #last: Post | undefined;
  #isOver = false;
  /** How often each post was seen. */
  readonly #seen = new Map<string, number>();
  /** Posts that have stood at the same place all along. */
  #constant: Set<string> | undefined;

  constructor(query: Query) {
    this.query = query;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The post that the page that follows begins after. */
  get last(): string | undefined {
    return this.#last?._id;
  }

  /** Compares the page that follows with the archive as it is now. */
  take(reference: ReferenceArchive, answer: { ids: string[]; total: number; next: string | null }): void {
    const all = reference.matches(this.query);
    const following = this.#following(reference, all);
    const wanted = following.slice(0, Number(this.query['limit']));
    const ids = wanted.map(({ _id }) => _id);
    this.#expect('page', answer.ids, ids);
    this.#expect('total', answer.total, all.length);
    if (answer.next === null) this.#expect('posts that follow the last page', following.length, ids.length);
    for (const id of answer.ids) this.#seen.set(id, (this.#seen.get(id) ?? 0) + 1);
    this.#keep(new Set(all.map(({ _id }) => _id)));
    this.#isOver = answer.next === null;
    this.#last = wanted.at(-1);
  }

  /** Whatever is written to a post that moves it in the order. */
  note(reacted: readonly string[]): void {
    if (this.query['sortBy'] === 'reactions') for (const id of reacted) this.#constant?.delete(id);
  }

  /** Holds the whole walk against the posts that it had to show; answers how many these were. */
  end(): number {
    const constant = [...(this.#constant ?? [])];
    this.#expect(
      'posts not seen once',
      constant.filter((id) => this.#seen.get(id) !== 1),
      [],
    );
    return constant.length;
  }

  #following(reference: ReferenceArchive, all: readonly Post[]): readonly Post[] {
    if (!this.#last) return all;
    // As it was when it was shown: it may be gone, or have moved.
    const held = new ReferenceArchive([...reference.posts, this.#last]).matches(this.query);
    return held.slice(held.lastIndexOf(this.#last) + 1);
  }

  #keep(matching: Set<string>): void {
    this.#constant = new Set([...(this.#constant ?? matching)].filter((id) => matching.has(id)));
  }

  #expect(what: string, got: unknown, wanted: unknown): void {
    const [is, must] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (is !== must) this.differences.push(`${what} of ${JSON.stringify(this.query)}: ${is}, not ${must}`);
  }
}

function byTime(one: Post, other: Post): number {
  return compareCodePoints(one.timestamp, other.timestamp) || compareCodePoints(one._id, other._id);
}

/** Those with most reactions first, then by id. */
function byReactions(posts: readonly Post[]): Post[] {
  return posts.toSorted((a, b) => reactionsOf(b) - reactionsOf(a) || compareCodePoints(a._id, b._id));
}

function reactionsOf({ reactions }: Post): number {
  return reactions.heart + reactions.thumbsUp + reactions.thumbsDown;
}

function shownAuthor({ newest, posts }: Known): TopAuthor {
  return {
    author: newest.author,
    username: newest.authorUsername,
    avatar: newest.authorAvatar,
    count: posts.length,
  };
}

/** Most first; where these are equal, in the order of categories, posts without one last. */
function categoriesOf(posts: readonly Post[]): { category: Category | null; count: number }[] {
  const counts = countsOf(posts.map(({ category }) => category ?? '~'));
  return counts.map(([category, count]) => ({ category: category === '~' ? null : category, count }));
}

/** How often each name stands there: most first, then by name. */
function countsOf<Name extends string>(names: readonly Name[]): [Name, number][] {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([one, of], [other, than]) => than - of || compareCodePoints(one, other));
}

function groupsOf<Key>(posts: readonly Post[], keyOf: (post: Post) => Key): Map<Key, Post[]> {
  const groups = new Map<Key, Post[]>();
  for (const post of posts) {
    const group = groups.get(keyOf(post));
    if (group) group.push(post);
    else groups.set(keyOf(post), [post]);
  }
  return groups;
}

/** Letters and digits, and after the first of them marks, apostrophes and hyphens too. */
function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}\p{M}'’-]+/u)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''))
    .filter((word) => word !== '');
}

function leastOf(texts: readonly string[]): string | null {
  return texts.toSorted()[0] ?? null;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function dayOfPost({ timestamp }: Post): string {
  return timestamp.slice(0, 10);
}

function monthOfPost({ timestamp }: Post): string {
  return timestamp.slice(0, 7);
}
