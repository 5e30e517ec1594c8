import type { Analytics, Author, Category, Explore, Platform, Post, Suggestions, TopAuthor } from '@archive/contracts';
import { fold } from '@archive/search/testing/reference-text';
import { compareCodePoints, languageName, platformName, type Query, ReferenceArchive } from './_reference-archive.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** The posts of one handle, by time. */
interface Known {
  handle: string;
  posts: Post[];
  newest: Post;
  /** When its first post was saved. */
  since: string;
}

/** The expected figures of the archive, by counting and sorting in memory. */
export class ReferenceFigures {
  readonly posts: readonly Post[];
  /** Authors with the most posts first. */
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

  /** One spelling of each handle. */
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

  /** Undefined if the archive has no post of this handle. */
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

  /** Whether the newest 300 posts with a text are defined by their times alone, without a tie at the limit. */
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

  /** All earlier years with posts on this day; the latest four with their shown post. */
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

  /** The most frequent longer words that begin with the letters, from the newest 300 posts that contain the letters. */
  #words(letters: string): string[] {
    if (Array.from(letters).length < 3 || !/^[\p{L}\p{N}]+$/u.test(letters)) return [];
    const words = this.#holding(letters)
      .slice(0, 300)
      .flatMap(({ content }) => [...new Set(wordsOf(fold(content)))]);
    return countsOf(words.filter((word) => word.startsWith(letters) && word !== letters))
      .slice(0, 6)
      .map(([word]) => word);
  }

  /** Newest first. */
  #holding(letters: string): Post[] {
    return this.posts.filter(({ content }) => fold(content).includes(letters)).reverse();
  }
}

/** Walks through a list page by page while posts are added, removed and reacted to. */
export class ReferenceWalk {
  readonly query: Query;
  readonly differences: string[] = [];
  /** The last post of the previous page. */
  #last: Post | undefined;
  #isOver = false;
  /** How often each post was seen. */
  readonly #seen = new Map<string, number>();
  /** Posts that have matched since the first page and have kept their place. */
  #constant: Set<string> | undefined;

  constructor(query: Query) {
    this.query = query;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The post after which the next page begins. */
  get last(): string | undefined {
    return this.#last?._id;
  }

  /** Compares the next page with the current archive. */
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

  /** Excludes posts that a write has moved in the order. */
  note(reacted: readonly string[]): void {
    if (this.query['sortBy'] === 'reactions') for (const id of reacted) this.#constant?.delete(id);
  }

  /** Checks that the walk showed each constant post exactly once. Returns the number of these posts. */
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
    // The post as it was shown: it may have been removed or moved since.
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

/** Most reactions first, then by id. */
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

/** Most frequent first, ties by name; posts without a category sort last among ties. */
function categoriesOf(posts: readonly Post[]): { category: Category | null; count: number }[] {
  const counts = countsOf(posts.map(({ category }) => category ?? '~'));
  return counts.map(([category, count]) => ({ category: category === '~' ? null : category, count }));
}

/** The count of each name: most frequent first, then by name. */
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

/** Words start with a letter or digit and may also contain marks, apostrophes and hyphens. */
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
