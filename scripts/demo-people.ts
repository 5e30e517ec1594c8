import type { BlueskyNetwork, LocalAccount, RecordRef } from '../packages/local-bluesky/src/index.ts';
import { aPicture } from '../packages/testing/src/media.ts';

type Say = (line?: string) => void;

/** Milliseconds that the agent may take to answer before the demo reports a delay. */
const ANSWER_MS = 20_000;

/** The accounts of the demo, and their actions. */
export class DemoPeople {
  readonly keeper: LocalAccount;
  readonly #author: LocalAccount;
  readonly #asker: LocalAccount;
  readonly names = { author: 'Ada', asker: 'Ben' };
  #posted: RecordRef | undefined;
  #answer: RecordRef | undefined;

  private constructor(keeper: LocalAccount, author: LocalAccount, asker: LocalAccount) {
    this.keeper = keeper;
    this.#author = author;
    this.#asker = asker;
  }

  static async invite(network: BlueskyNetwork): Promise<DemoPeople> {
    const [keeper, ada, ben] = await Promise.all([
      network.createAccount({ handle: 'keeper.test', displayName: 'The keeper' }),
      network.createAccount({ handle: 'ada.test', displayName: 'Ada Quay', avatar: await face() }),
      network.createAccount({ handle: 'ben.test', displayName: 'Ben Harbour', avatar: await face() }),
    ]);
    return new DemoPeople(keeper, ada, ben);
  }

  /** Runs one typed command. Resolves to false for the command that stops the demo. */
  async act(line: string, say: Say): Promise<boolean> {
    const [verb = '', ...rest] = line.trim().split(/\s+/);
    const words = rest.join(' ');
    try {
      switch (verb) {
        case '':
          break;
        case 'quit':
          return false;
        case 'post':
          await this.#post(words || 'Another evening at the quay', say);
          await this.#ask('save this', say);
          break;
        case 'draft':
          await this.#post(words || 'Another evening at the quay', say);
          break;
        case 'ask':
          await this.#ask(words, say);
          break;
        case 'say':
          await this.#say(words, say);
          break;
        default:
          say(`There is no “${verb}”: post, draft, ask, say or quit.`);
      }
    } catch (error) {
      say((error as Error).message);
    }
    return true;
  }

  async #post(text: string, say: Say): Promise<void> {
    const bytes = await aPicture({ width: 1_600, height: 1_000 });
    const images = [{ bytes, alt: 'A gradient, like the sky after sunset', width: 1_600, height: 1_000 }];
    this.#posted = await this.#author.post({ text, images });
    this.#answer = undefined;
    say(`${this.names.author} posts: ${text} [picture]`);
  }

  async #ask(words: string, say: Say): Promise<void> {
    if (!this.#posted) return say('There is no post to ask for yet: “post <words>” makes one.');
    const text = `@${this.keeper.handle} ${words}`.trim();
    const ask = await this.#asker.post({ text, mentions: [this.keeper], quote: this.#posted });
    say(`${this.names.asker} quotes it: ${text}`);
    this.#answer = await this.#answerTo(this.#asker, ask.uri, say);
  }

  async #say(words: string, say: Say): Promise<void> {
    if (!this.#posted || !this.#answer) return say('The keeper has answered nothing yet: “post <words>” first.');
    const reply = { root: this.#posted, parent: this.#answer };
    // The network needs the account of each mentioned handle.
    const mentions = words.includes(`@${this.keeper.handle}`) ? [this.keeper] : [];
    const said = await this.#author.post({ text: words, mentions, reply });
    say(`${this.names.author} answers the keeper: ${words}`);
    await this.#answerTo(this.#author, said.uri, say);
  }

  async #answerTo(account: LocalAccount, uri: string, say: Say): Promise<RecordRef | undefined> {
    const began = Date.now();
    while (Date.now() - began < ANSWER_MS) {
      const { thread } = await account
        .call<Thread>('app.bsky.feed.getPostThread', { params: { uri, depth: 1 } })
        .catch((): Thread => ({ thread: {} }));
      const answer = thread.replies?.find(({ post }) => post.author.did === this.keeper.did)?.post;
      if (answer) {
        say(
          `@${this.keeper.handle} answers after ${((Date.now() - began) / 1_000).toFixed(1)} s: ${answer.record.text}`,
        );
        return { uri: answer.uri, cid: answer.cid };
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    say('No answer has come yet.');
    return undefined;
  }
}

interface Thread {
  thread: { replies?: { post: RecordRef & { author: { did: string }; record: { text: string } } }[] };
}

function face(): Promise<Buffer> {
  return aPicture({ width: 200, height: 200 });
}
