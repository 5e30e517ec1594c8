import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, call, checkPost, Launcher, Payer, TestWallet } from '@archive/testing';
import { seeded } from '@archive/testing/generate-posts';
import { AgentKeyStore } from '../src/accounts/agent-key-store.ts';
import { type Done, type DrillPost, type DrillState, judgeDrill } from './judge-drill.ts';
import { judgeLog } from './judge-log.ts';
import { Stage } from './stage.ts';
import { reactionsTo, Visitor } from './visitor.ts';

const SOLANA = { slotMs: 60, finalizedAfter: 12 };
const HANGS_MS = 120_000;

export interface DrillReport {
  rounds: number;
  saved: number;
  removed: number;
  payments: number;
  uses: number;
  tokens: number;
  /** Errors, as text. */
  wrong: string[];
}

/**
 * Saves, reacts, pays, launches, removes, opts out, backs up, goes on, loses the database and restores it, with the
 * built product and its command line. Every other round kills the API in the middle, every third one also the restore.
 * After each round the log of acts must be one chain, and every alteration of it must be found.
 */
export async function runDrill(options: {
  rounds: number;
  seed: number;
  onRound?: (line: string) => void;
}): Promise<DrillReport> {
  const { rounds, seed, onRound } = options;
  const drill = await Drill.open(seed);
  try {
    for (let round = 1; round <= rounds; round++) {
      const found = await drill.round(round);
      onRound?.(`round ${round} of ${rounds}: ${found} wrong`);
    }
    return drill.report(rounds);
  } finally {
    await drill.close();
  }
}

class Drill {
  readonly #stage: Stage;
  readonly #random: () => number;
  readonly #key: string;
  readonly #wallets: { payers: Payer[]; launchers: TestWallet[] };
  #people!: { tokens: string[]; launchers: Launcher[]; visitor: Visitor };
  readonly #removed: DrillPost[] = [];
  readonly #optedOut: DrillPost[] = [];
  readonly #launched: DrillPost[] = [];
  readonly #sent = new Set<string>();
  readonly #wrong: string[] = [];
  #done: Done[] = [];
  #posts = 0;
  #uses = 0;

  private constructor(stage: Stage, seed: number, key: string, payers: Payer[]) {
    this.#stage = stage;
    this.#random = seeded(seed);
    this.#key = key;
    this.#wallets = { payers, launchers: [new TestWallet(), new TestWallet()] };
  }

  static async open(seed: number): Promise<Drill> {
    const stage = await Stage.open({ solana: SOLANA, posts: 0 });
    const { key } = await new AgentKeyStore(stage.database.db).create('drill');
    const payers = await Promise.all([0, 1].map(() => Payer.open(stage.product.solana, undefined, '100000')));
    const drill = new Drill(stage, seed, key, payers);
    await drill.#signIn();
    return drill;
  }

  report(rounds: number): DrillReport {
    return {
      rounds,
      saved: this.#posts,
      removed: this.#removed.length,
      payments: this.#sent.size,
      uses: this.#uses,
      tokens: this.#launched.length,
      wrong: this.#wrong,
    };
  }

  close(): Promise<void> {
    return this.#stage.close();
  }

  /** Runs one round. Returns the number of errors. */
  async round(round: number): Promise<number> {
    const before = this.#wrong.length;
    const { product } = this.#stage;
    const file = join(product.folder, `backup-${round}`);
    this.#done = [];
    await this.#act();
    for (const done of this.#done) done.isBackedUp = true;
    const going = this.#act();
    await product.command('backup', file);
    await going;
    await this.#act();
    // In every other round the outcome of the acts in progress is unknown.
    const cut = round % 2 === 0 ? this.#act().catch(() => {}) : null;
    if (cut) await delay(this.#random() * 2_000);
    await product.kill('API');
    await cut;
    await this.#stage.database.db.dropDatabase();
    if (round % 3 === 0) await this.#cutRestoreOff(file);
    await product.command('restore', file);
    await product.startApi();
    await this.#signIn();
    await this.#untilOpen();
    const wrong = [...(await judgeDrill(this.#told())), ...(await judgeLog(this.#stage, this.#random))];
    this.#wrong.push(...wrong.map((line) => `round ${round}: ${line}`));
    return this.#wrong.length - before;
  }

  async #signIn(): Promise<void> {
    const { product } = this.#stage;
    const { payers, launchers } = this.#wallets;
    const old = this.#people?.tokens[0];
    if (old && (await call(product, 'GET', '/amber/auth/me', old)).status !== 401)
      this.#wrong.push('a session lived on');
    this.#people = {
      tokens: await Promise.all(payers.map(async ({ wallet }) => (await wallet.signIn(product)).token)),
      launchers: await Promise.all(launchers.map((wallet) => Launcher.open(product, wallet))),
      visitor: await Visitor.open(product),
    };
  }

  /** Performs one act of each kind, at once where possible. */
  async #act(): Promise<void> {
    const posts = await this.#save(9);
    const [paid, shared, bare, target, launched, gone, silent, reacted, goneToo] = posts as [
      DrillPost,
      DrillPost,
      DrillPost,
      DrillPost,
      DrillPost,
      DrillPost,
      DrillPost,
      DrillPost,
      DrillPost,
    ];
    await Promise.all([
      this.#pay(0, paid),
      this.#payTwice(shared, target),
      this.#payBare(bare),
      this.#launch(launched).then(() => (this.#random() < 0.3 ? this.#remove(launched) : undefined)),
      this.#launch(goneToo, false).then(() => this.#remove(goneToo)),
      this.#remove(gone),
      this.#optOut(silent),
      this.#react(reacted),
    ]);
  }

  async #save(count: number): Promise<DrillPost[]> {
    const sent = Array.from({ length: count }, () => {
      const serial = ++this.#posts;
      return { id: `drill-${serial}`, handle: `drill${serial}`, content: `drill post number ${serial} of many` };
    });
    const answer = await this.#send(sent);
    if (answer.status !== 201) throw new Error(`saving answered ${answer.status}`);
    return Promise.all(
      sent.map(async (post) => {
        const read = () => call(this.#stage.product, 'GET', `/amber/archives/${post.id}`);
        const { body } = await read();
        const saved = { ...post, amberId: body._id };
        this.#tell(`post ${post.id}`, async () => {
          const { status, body } = await read();
          if (this.#removed.some(({ id }) => id === post.id)) return null;
          return status === 200 && body._id === saved.amberId && body.content === post.content
            ? null
            : `answers ${status}`;
        });
        return saved;
      }),
    );
  }

  #send(posts: readonly Pick<DrillPost, 'id' | 'handle' | 'content'>[]): Promise<Answer> {
    const full = posts.map(({ id, handle, content }) => ({
      id,
      content,
      author: handle,
      authorUsername: handle,
      timestamp: '2026-01-15T09:30:00Z',
      url: 'https://x.com/drill/status/1',
    }));
    return call(this.#stage.product, 'POST', '/amber/archives', this.#key, { posts: full });
  }

  async #react({ amberId }: DrillPost): Promise<void> {
    const { visitor } = this.#people;
    const { status } = await visitor.set(amberId, 'heart', true);
    if (status === 0) return;
    if (status !== 200) this.#wrong.push(`a reaction answered ${status}`);
    this.#tell(`reaction to ${amberId}`, async () => {
      const { userReactions } = await reactionsTo(this.#stage.product, amberId, visitor.address);
      return userReactions.includes('heart') ? null : 'is gone';
    });
  }

  async #pay(who: number, { amberId }: DrillPost): Promise<number> {
    const payer = this.#wallets.payers[who] as Payer;
    const signature = await payer.pay(amberId);
    this.#sent.add(signature);
    return this.#report(who, amberId, signature);
  }

  /** Pays by a transfer without a memo. Only its report tells the post. */
  async #payBare({ amberId }: DrillPost): Promise<void> {
    const signature = await (this.#wallets.payers[0] as Payer).transfer();
    if ((await this.#report(0, amberId, signature)) === 200) this.#sent.add(signature);
  }

  async #report(who: number, amberId: string, signature: string): Promise<number> {
    const payer = this.#wallets.payers[who] as Payer;
    for (const deadline = Date.now() + HANGS_MS; ; await delay(100)) {
      const { status } = await payer.verify(
        this.#stage.product,
        this.#people.tokens[who] as string,
        amberId,
        signature,
      );
      if (status === 200) this.#tellFeatured(amberId);
      if ([0, 200, 409, 422].includes(status) || Date.now() > deadline) return status;
    }
  }

  #tellFeatured(amberId: string): void {
    this.#tell(`featuring of ${amberId}`, async () => {
      const { status, body } = await call(this.#stage.product, 'GET', `/amber/archives/${amberId}`);
      return status === 200 && body.featured ? null : `answers ${status}, featured ${body?.featured}`;
    });
  }

  /** Two wallets pay for one post. The later one's credit features another post. */
  async #payTwice(shared: DrillPost, target: DrillPost): Promise<void> {
    const answers = await Promise.all([this.#pay(0, shared), this.#pay(1, shared)]);
    const late = answers.indexOf(409);
    for (const deadline = Date.now() + HANGS_MS; late >= 0 && Date.now() < deadline; await delay(100)) {
      const token = this.#people.tokens[late] as string;
      const { status } = await call(this.#stage.product, 'POST', '/amber/feature/credits/use', token, {
        amberId: target.amberId,
      });
      if (status === 0) return;
      if (status !== 200) continue;
      this.#uses++;
      return this.#tellFeatured(target.amberId);
    }
  }

  async #launch(post: DrillPost, isKept = true): Promise<void> {
    const launcher = this.#people.launchers[Math.floor(this.#random() * 2)] as Launcher;
    const { status } = await launcher.launch({ amberId: post.amberId });
    if (status !== 201 && status !== 202) return;
    this.#launched.push(post);
    // Whether the backup has its post or the post is saved again: it must have its `_id`, its token and its mark.
    const back = async () => {
      if (this.#removed.includes(post)) return null;
      await this.#send([post]);
      const { product } = this.#stage;
      for (const deadline = Date.now() + HANGS_MS; Date.now() < deadline; await delay(100)) {
        const { body } = await call(product, 'GET', `/amber/archives/${post.amberId}`);
        if (body.launched && (await checkPost(product, post.amberId)).exists) return null;
      }
      return 'is not known';
    };
    if (isKept) this.#done.push({ what: `launch of ${post.id}`, isBackedUp: true, missing: back });
  }

  async #remove(post: DrillPost): Promise<void> {
    await this.#stage.product.command('remove', post.id);
    this.#removed.push(post);
  }

  async #optOut(post: DrillPost): Promise<void> {
    await this.#stage.product.command('optout', 'add', post.handle);
    this.#optedOut.push(post);
  }

  #told(): DrillState {
    const [, other] = this.#people.launchers as [Launcher, Launcher];
    return {
      stage: this.#stage,
      done: this.#done,
      removed: this.#removed,
      optedOut: this.#optedOut,
      launched: this.#launched,
      sent: this.#sent,
      other,
      send: (posts) => this.#send(posts),
    };
  }

  #tell(what: string, missing: Done['missing']): void {
    this.#done.push({ what, isBackedUp: false, missing });
  }

  async #cutRestoreOff(file: string): Promise<void> {
    const { product } = this.#stage;
    const child = product.startCommand('restore', file);
    const ended = once(child, 'exit');
    const state = this.#stage.database.db.collection('archive_state');
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await delay(1)) {
      if ((await state.findOne({}))?.['restoringSince']) break;
    }
    child.kill('SIGKILL');
    await ended;
    const server = spawn(process.execPath, [join(import.meta.dirname, '../dist/main.js')], { env: product.env });
    const [code] = await once(server, 'exit');
    if (code === 0) this.#wrong.push('a server ran on half of a restore');
  }

  async #untilOpen(): Promise<void> {
    const { product } = this.#stage;
    const [free] = await this.#save(1);
    for (const deadline = Date.now() + HANGS_MS; Date.now() < deadline; await delay(50)) {
      const { body } = await call(product, 'GET', '/amber/feature/wallet');
      const { refusal } = await checkPost(product, (free as DrillPost).amberId);
      if (body.enabled && refusal === null) return;
    }
    throw new Error('launches and payments did not open');
  }
}
