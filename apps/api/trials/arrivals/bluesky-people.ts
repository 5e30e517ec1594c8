import { setTimeout as delay } from 'node:timers/promises';
import {
  agentSettings,
  type LocalAccount,
  type LocalBluesky,
  type NewPost,
  type RecordRef,
  startLocalBluesky,
} from '@archive/local-bluesky';
import { blueskyId } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { pick } from '../../bench/archive-questions.ts';
import { ASKING_IN_REPLY, type Asked, type People, pickTarget, QUOTING, WITH_PICTURE, type Written } from './people.ts';

const PEOPLE = 6;

/** Simulated users on a Bluesky network of this machine. */
export class BlueskyPeople implements People {
  readonly platform = 'bluesky';
  readonly env: Record<string, string>;
  readonly #network: LocalBluesky;
  readonly #keeper: LocalAccount;
  readonly #people: LocalAccount[];
  readonly #random: () => number;
  readonly #written: Written<RecordRef>[] = [];

  private constructor(network: LocalBluesky, [keeper, ...people]: LocalAccount[], random: () => number) {
    this.#network = network;
    this.#keeper = keeper as LocalAccount;
    this.#people = people;
    this.#random = random;
    this.env = agentSettings(network, this.#keeper);
  }

  static async open(random: () => number): Promise<BlueskyPeople> {
    const network = await startLocalBluesky();
    const accounts = await Promise.all(Array.from({ length: PEOPLE + 1 }, () => network.createAccount()));
    return new BlueskyPeople(network, accounts, random);
  }

  async ask(): Promise<Asked> {
    const { ref, quoted } = await pickTarget(this.#written, this.#random, () => this.#write());
    // Words that an author may also use to ask.
    const words = { text: `@${this.#keeper.handle} save this`, mentions: [this.#keeper] };
    const about = this.#random() < ASKING_IN_REPLY ? { reply: { parent: ref } } : { quote: ref };
    const mention = await this.#post({ ...words, ...about });
    return { mention: mention.uri, target: blueskyId(ref.uri), quoted: quoted && blueskyId(quoted.uri) };
  }

  async #write(): Promise<Written<RecordRef>> {
    const random = this.#random;
    const text = `post ${Math.floor(random() * 1e9)}`;
    const picture = random() < WITH_PICTURE ? await aPicture({ width: 120, height: 90 }) : null;
    const quoted = random() < QUOTING ? await this.#post({ text: `${text} quotes this` }) : null;
    const images = picture && [{ bytes: picture, alt: 'a slope', width: 120, height: 90 }];
    return { ref: await this.#post({ text, ...(images && { images }), ...(quoted && { quote: quoted }) }), quoted };
  }

  /** Posts with retries, because a server of accounts on a busy machine sometimes refuses a post. */
  async #post(post: NewPost, tries = 5): Promise<RecordRef> {
    try {
      return await pick(this.#people, this.#random).post(post);
    } catch (error) {
      if (tries === 0) throw error;
      await delay(500);
      return this.#post(post, tries - 1);
    }
  }

  calm(): void {}

  async answers(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    const repo = this.#keeper.did;
    let cursor: string | undefined;
    do {
      const params = { repo, collection: 'app.bsky.feed.post', limit: 100, ...(cursor && { cursor }) };
      const page = await this.#keeper.call<Page>('com.atproto.repo.listRecords', { params });
      for (const { uri, value } of page.records) {
        const to = value.reply?.parent.uri ?? 'nobody';
        found.set(to, [...(found.get(to) ?? []), uri]);
      }
      cursor = page.records.length > 0 ? page.cursor : undefined;
    } while (cursor);
    return found;
  }

  mishaps(): Record<string, number> {
    return {};
  }

  close(): Promise<void> {
    return this.#network.stop();
  }
}

interface Page {
  cursor?: string;
  records: { uri: string; value: { reply?: { parent: { uri: string } } } }[];
}
