import { buildLaunchMessage, type EndpointName, REACTION_TYPES } from '@archive/contracts';
import { call, type Served, TestWallet } from '@archive/testing';
import bs58 from 'bs58';
import fc from 'fast-check';
import { ObjectId } from 'mongodb';
import { newPushKeys } from '../../src/push-keys.ts';
import type { RightValues } from './bodies.ts';

const WALLETS = 4;

/**
 * The attackers: wallets that sign in again when their sessions end, an agent key, and what they know of the archive.
 */
export class Attackers {
  readonly wallets = Array.from({ length: WALLETS }, () => new TestWallet());
  readonly tokens: string[] = [];
  readonly key: string;
  readonly #api: Served;
  readonly #posts: readonly string[];
  /** Mints of launched tokens. */
  readonly #mints: string[] = [];
  readonly #media: readonly string[];
  readonly #saves: string[] = [];
  /** Last parts of the addresses of accepted reports. */
  readonly #secrets: string[] = [];
  /** Searches and collections of the first wallet. */
  #searches: string[] = [];
  #collections: string[] = [];
  #challenges: string[] = [];
  #clock = Date.now() - 60_000;
  #serial = 0;

  /** `posts`: ids of existing posts, `_id` or platform id; `media`: hashes of existing pictures. */
  constructor(
    api: Served,
    { key, posts, media = [] }: { key: string; posts: readonly string[]; media?: readonly string[] },
  ) {
    this.#media = media;
    this.#api = api;
    this.key = key;
    this.#posts = posts;
  }

  /**
   * Gets new challenges for all wallets, new sessions for those without one, and the searches and collections of the
   * first wallet.
   */
  async prepare(): Promise<void> {
    this.#challenges = [];
    for (const [at, wallet] of this.wallets.entries()) {
      const { status } = await call(this.#api, 'GET', '/amber/auth/me', this.tokens[at] ?? 'none');
      if (status !== 200) this.tokens[at] = (await wallet.signIn(this.#api)).token;
      this.#challenges.push((await wallet.signedChallenge(this.#api)).message);
    }
    this.#searches = await this.#own('/amber/searches', (at) => ({ query: `search=attack${at}` }));
    this.#collections = await this.#own('/amber/collections', (at) => ({ name: `attack ${at}` }));
  }

  /** Ids of what the first wallet owns under a path, which is filled up to three. */
  async #own(path: string, body: (at: number) => object): Promise<string[]> {
    const [token] = this.tokens;
    const list = async () => (await call(this.#api, 'GET', path, token)).body.data as { _id: string }[];
    for (let at = (await list()).length; at < 3; at++) await call(this.#api, 'POST', path, token, body(at));
    return (await list()).map(({ _id }) => _id);
  }

  /** Learns launched tokens and accepted requests and reports, so that later requests can ask for them. */
  learn(name: EndpointName, answer: Buffer): void {
    if (name === 'createReport' && this.#secrets.length < 10) {
      const { statusPath } = JSON.parse(answer.toString()) as { statusPath: string };
      this.#secrets.push(statusPath.slice(statusPath.lastIndexOf('/') + 1));
    }
    if (name === 'createSave' && this.#saves.length < 10) {
      this.#saves.push((JSON.parse(answer.toString()) as { _id: string })._id);
    }
    if (name !== 'launchToken' || this.#mints.length > 10) return;
    const { mint } = JSON.parse(answer.toString()) as { mint: string | null };
    if (mint) this.#mints.push(mint);
  }

  /** Valid values by name, for a path, a query or a body. */
  get right(): RightValues {
    const post = fc.constantFrom(...this.#posts, new ObjectId().toHexString(), 'nobody');
    const wallet = fc.constantFrom(...this.wallets.map(({ address }) => address));
    const signature = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => bs58.encode(bytes));
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    return {
      id: post,
      amberId: post,
      postId: post,
      post,
      secret: fc.constantFrom(...this.#secrets, 'A'.repeat(22), 'nobody'),
      contact: text,
      words: text,
      archiveId: post,
      mint: this.#mints.length > 0 ? fc.constantFrom(...this.#mints) : wallet,
      walletAddress: wallet,
      wallet,
      payment: signature,
      key: fc.constantFrom('0123456789ab', 'nobody'),
      removal: fc.constantFrom('nobody', new ObjectId().toHexString()),
      switch: fc.constantFrom('launching', 'featuring'),
      transaction: signature,
      signature,
      displayName: text,
      bio: text,
      avatar: fc.constantFrom('https://pbs.twimg.com/a.png', '', null),
      search: fc.oneof(text, fc.constantFrom('words', 'мир', 'o', 'e')),
      author: fc.oneof(text, fc.constantFrom('ada')),
      content: fc.oneof(text, fc.constantFrom('words', 'العربية')),
      handle: fc.constantFrom('adabyron', 'AdaByron', 'nobody'),
      query: text.map((words) => new URLSearchParams({ search: words }).toString()),
      name: text,
      savedSearch: fc.constantFrom(...this.#searches, 'nobody', new ObjectId().toHexString()),
      collection: fc.constantFrom(...this.#collections, 'nobody', new ObjectId().toHexString()),
      browser: fc.constantFrom('0'.repeat(64), ...this.#posts),
      endpoint: text.map((path) => `https://push.example/${encodeURIComponent(path)}`),
      save: fc.constantFrom(...this.#saves, new ObjectId().toHexString()),
      url: post.map((id) => `http://localhost:4000/post/${id}`),
      part: fc.constantFrom(`${'0'.repeat(24)}.xml`, `${'f'.repeat(24)}.xml`),
      sha256: fc.constantFrom(...this.#media, '0'.repeat(64)),
      after: wallet.map((address) => `${address}:heart`),
    };
  }

  /** Bodies that a schema cannot generate, because they are signed or refer to a post of another. */
  body(name: EndpointName): fc.Arbitrary<unknown> | undefined {
    const made = (make: (wallet: TestWallet, at: number) => unknown) =>
      fc.nat(WALLETS - 1).map((at) => make(this.wallets[at] as TestWallet, at));
    const makers: { [N in EndpointName]?: () => fc.Arbitrary<unknown> } = {
      addBrowser: () =>
        fc.webUrl({ validSchemes: ['https'] }).map((endpoint) => ({
          endpoint,
          keys: { p256dh: newPushKeys().publicKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
        })),
      ingestArchives: () => this.#saved(),
      verify: () =>
        made((wallet, at) => {
          const message = this.#challenges[at] ?? '';
          return { walletAddress: wallet.address, message, signature: wallet.sign(message) };
        }),
      updateProfileSigned: () =>
        made((wallet) => wallet.signedProfile({ profileData: { bio: 'hello' }, timestamp: this.#clock++ })),
      // Uses new wallets, because a deleted account cannot sign in for a minute.
      deleteAccount: () =>
        fc.constant(null).map(() => {
          const [, domain = ''] = /^(\S+) wants you/.exec(this.#challenges[0] ?? '') ?? [];
          return new TestWallet().signedDeletion({ timestamp: this.#clock++, domain });
        }),
      addReactionSigned: () => this.#signedReaction('add'),
      removeReactionSigned: () => this.#signedReaction('remove'),
      launchToken: () =>
        fc.tuple(fc.constantFrom(...this.#posts), fc.nat(WALLETS - 1)).map(([amberId, at]) => {
          const terms = { name: 'Attack Token', symbol: 'ATT' };
          const sentence = buildLaunchMessage({ ...terms, id: amberId });
          return { amberId, ...terms, transaction: (this.wallets[at] as TestWallet).sign(sentence) };
        }),
    };
    return makers[name]?.();
  }

  #signedReaction(action: 'add' | 'remove'): fc.Arbitrary<unknown> {
    return fc
      .tuple(fc.constantFrom(...this.#posts), fc.constantFrom(...REACTION_TYPES), fc.nat(WALLETS - 1))
      .map(([archiveId, reactionType, at]) => ({
        reactionType,
        ...(this.wallets[at] as TestWallet).signedReaction({
          action,
          reactionType,
          archiveId,
          timestamp: this.#clock++,
        }),
      }));
  }

  #saved(): fc.Arbitrary<unknown> {
    const post = fc.record({
      content: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      author: fc.constantFrom('Ada Byron', 'Eve'),
      authorUsername: fc.constantFrom('adabyron', 'eve'),
      category: fc.constantFrom('tech', null),
      timestamp: fc.constantFrom('2026-01-01T00:00:00.000Z', '1700-01-01T00:00:00Z', '2199-12-31T23:59:59+14:00'),
      url: fc.constant('https://x.com/eve/status/1'),
      metadata: fc.constantFrom({}, { a: { b: [1, 'x'] } }),
    });
    const sent = post.map((fields) => ({ id: `attack-${this.#serial++}`, ...fields }));
    return fc.oneof(
      sent,
      fc.array(sent, { minLength: 1, maxLength: 5 }).map((posts) => ({ posts })),
    );
  }
}
