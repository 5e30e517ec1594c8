import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aPicture } from '@archive/testing/media';
import { type Account, type Endpoint, type Fault, type Post, startXStandIn, type XStandIn } from '@archive/x-stand-in';
import { pick } from '../../bench/archive-questions.ts';
import { ASKING_IN_REPLY, type Asked, type People, pickTarget, QUOTING, WITH_PICTURE, type Written } from './people.ts';

const PEOPLE = 6;
/** Share of pictures that another post shows too. */
const SAME_PICTURE = 0.3;

/**
 * Faults, each with the share of requests that cause it. Calls for mentions are far less frequent than calls for posts.
 */
const MISHAPS: readonly (readonly [share: number, Endpoint, () => Fault])[] = [
  [0.06, 'create', () => ({ kind: 'lost' })],
  [0.02, 'create', () => ({ kind: 'cut' })],
  [0.02, 'create', spent],
  [0.02, 'create', () => ({ kind: 'status', status: 503 })],
  [0.02, 'lookup', spent],
  [0.02, 'lookup', () => ({ kind: 'status', status: 503 })],
  [0.01, 'lookup', () => ({ kind: 'status', status: 402 })],
  [0.02, 'lookup', () => ({ kind: 'cut' })],
  [0.02, 'timeline', () => ({ kind: 'status', status: 503 })],
  [0.03, 'mentions', () => ({ kind: 'again' })],
  [0.01, 'mentions', () => ({ kind: 'duplicates' })],
  [0.01, 'mentions', spent],
  [0.01, 'mentions', () => ({ kind: 'status', status: 503 })],
];

function spent(): Fault {
  return { kind: 'rate-limit', resetAt: new Date(Date.now() + 3_000) };
}

/** Simulated users on a stand-in for X that loses answers, refuses calls and reports mentions more than once. */
export class XPeople implements People {
  readonly platform = 'x';
  readonly env: Record<string, string>;
  readonly #x: XStandIn;
  readonly #pictures: PictureHost;
  readonly #random: () => number;
  readonly #people: Account[];
  readonly #written: Written<Post>[] = [];
  #isCalm = false;

  private constructor(x: XStandIn, pictures: PictureHost, avatar: string, random: () => number) {
    this.#x = x;
    this.#pictures = pictures;
    this.#random = random;
    this.#people = Array.from({ length: PEOPLE }, (_, at) => x.network.account(`person${at}`, { picture: avatar }));
    const { apiKey, apiSecret, accessToken, accessSecret } = x.credentials;
    this.env = {
      X_BASE_URL: x.url,
      X_API_KEY: apiKey,
      X_API_SECRET: apiSecret,
      X_ACCESS_TOKEN: accessToken,
      X_ACCESS_SECRET: accessSecret,
      X_EXPORT: 'ids',
      AGENT_READS_PER_DAY: '999999',
      SOURCE_LOCAL_HOSTS: pictures.host,
    };
  }

  static async open(random: () => number): Promise<XPeople> {
    const pictures = await PictureHost.open();
    const avatar = pictures.add(await aPicture({ width: 80, height: 80 }));
    return new XPeople(await startXStandIn({ vocabulary: 'alternating' }), pictures, avatar, random);
  }

  async ask(): Promise<Asked> {
    if (!this.#isCalm) this.#plan();
    const { network, agent } = this.#x;
    const { ref, quoted } = await pickTarget(this.#written, this.#random, () => this.#write());
    const about = this.#random() < ASKING_IN_REPLY ? { replyTo: ref } : { quotes: ref };
    const mention = network.post(this.#somebody(), `@${agent.username} save this`, about);
    return { mention: mention.id, target: ref.id, quoted: quoted?.id ?? null };
  }

  async #write(): Promise<Written<Post>> {
    const { network } = this.#x;
    const words = `post ${Math.floor(this.#random() * 1e9)}`;
    const isPictured = this.#random() < WITH_PICTURE;
    const media = isPictured ? [network.media({ type: 'photo', url: await this.#picture(), alt: 'a slope' })] : [];
    const quoted = this.#random() < QUOTING ? network.post(this.#somebody(), `${words} quotes this`) : null;
    return { ref: network.post(this.#somebody(), words, { media, ...(quoted && { quotes: quoted }) }), quoted };
  }

  async #picture(): Promise<string> {
    const known = this.#random() < SAME_PICTURE ? this.#pictures.addresses : [];
    return known.length > 0
      ? pick(known, this.#random)
      : this.#pictures.add(await aPicture({ width: 120, height: 90 }));
  }

  #somebody(): Account {
    return pick(this.#people, this.#random);
  }

  #plan(): void {
    for (const [share, endpoint, fault] of MISHAPS) if (this.#random() < share) this.#x.faults.add(endpoint, fault());
  }

  calm(): void {
    this.#isCalm = true;
    this.#x.faults.clear();
  }

  async answers(): Promise<Map<string, string[]>> {
    const { network, agent } = this.#x;
    const found = new Map<string, string[]>();
    for (const { id, parent } of network.newest(({ author }) => author === agent)) {
      const to = parent?.id ?? 'nobody';
      found.set(to, [...(found.get(to) ?? []), id]);
    }
    return found;
  }

  mishaps(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { endpoint, fault } of this.#x.answered) {
      if (fault) counts[`${endpoint} ${fault}`] = (counts[`${endpoint} ${fault}`] ?? 0) + 1;
    }
    return counts;
  }

  async close(): Promise<void> {
    await this.#x.close();
    await this.#pictures.close();
  }
}

/** A picture server on loopback. */
class PictureHost {
  readonly host: string;
  readonly #server: Server;
  readonly #pictures: Map<string, Buffer>;

  private constructor(server: Server, pictures: Map<string, Buffer>) {
    this.#server = server;
    this.#pictures = pictures;
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(): Promise<PictureHost> {
    const pictures = new Map<string, Buffer>();
    const server = createServer(({ url = '' }, response) => {
      const bytes = pictures.get(url);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PictureHost(server, pictures);
  }

  get addresses(): string[] {
    return [...this.#pictures.keys()].map((path) => this.#addressOf(path));
  }

  add(bytes: Buffer): string {
    const path = `/${this.#pictures.size}.jpg`;
    this.#pictures.set(path, bytes);
    return this.#addressOf(path);
  }

  #addressOf(path: string): string {
    return `http://${this.host}${path}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
