import { randomBytes } from 'node:crypto';
import { callXrpc, type XrpcRequest } from './xrpc.ts';

export interface AccountOptions {
  /** Such as `ada.test`: 3 to 18 letters, and not a reserved word (`agent`, `author`). Random by default. */
  handle?: string;
  displayName?: string;
  /** A PNG or JPEG. */
  avatar?: Uint8Array;
  /** Labels that the account sets on itself, such as `!no-unauthenticated`. */
  labels?: string[];
}

/** A reference to a post. */
export interface RecordRef {
  uri: string;
  cid: string;
}

export interface NewPost {
  /** `@handle` becomes a mention if `mentions` contains the account. */
  text: string;
  mentions?: { did: string; handle: string }[];
  images?: { bytes: Uint8Array; alt?: string; width?: number; height?: number }[];
  quote?: RecordRef;
  /** The post that is answered, and the first post of its thread if that is another one. */
  reply?: { parent: RecordRef; root?: RecordRef };
  languages?: string[];
  /** Labels on the post itself, such as `sexual`. */
  labels?: string[];
}

interface Session {
  did: string;
  handle: string;
  accessJwt: string;
}

/** An account on a local network that can post. */
export class LocalAccount {
  readonly service: string;
  readonly did: string;
  readonly handle: string;
  readonly password: string;
  /** The password for apps. */
  readonly appPassword: string;
  #accessToken: string;

  private constructor(service: string, session: Session, password: string, appPassword: string) {
    this.service = service;
    this.did = session.did;
    this.handle = session.handle;
    this.password = password;
    this.appPassword = appPassword;
    this.#accessToken = session.accessJwt;
  }

  static async create(service: string, options: AccountOptions): Promise<LocalAccount> {
    const { handle = `a${randomBytes(6).toString('hex')}.test`, ...profile } = options;
    const password = randomBytes(12).toString('base64url');
    const email = `${handle.replaceAll('.', '-')}@example.com`;
    const session = await callXrpc<Session>(service, 'com.atproto.server.createAccount', {
      input: { handle, email, password },
    });
    const { password: appPassword } = await callXrpc<{ password: string }>(
      service,
      'com.atproto.server.createAppPassword',
      { input: { name: 'app' }, token: session.accessJwt },
    );
    const account = new LocalAccount(service, session, password, appPassword);
    await account.#writeProfile(profile);
    return account;
  }

  /** Makes any call to this account's server, or through it to the AppView. */
  async call<T>(name: string, request: Omit<XrpcRequest, 'token'> = {}): Promise<T> {
    try {
      return await callXrpc<T>(this.service, name, { ...request, token: this.#accessToken });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ExpiredToken') throw error;
      const input = { identifier: this.did, password: this.password };
      const { accessJwt } = await callXrpc<Session>(this.service, 'com.atproto.server.createSession', { input });
      this.#accessToken = accessJwt;
      return callXrpc<T>(this.service, name, { ...request, token: accessJwt });
    }
  }

  async post({ text, mentions = [], images, quote, reply, languages, labels }: NewPost): Promise<RecordRef> {
    const facets = mentions.flatMap((account) => mentionFacet(text, account));
    const picture = images && { $type: 'app.bsky.embed.images', images: await this.#uploadAll(images) };
    const quoted = quote && { $type: 'app.bsky.embed.record', record: quote };
    const both = picture && quoted && { $type: 'app.bsky.embed.recordWithMedia', record: quoted, media: picture };
    const embed = both ?? picture ?? quoted;
    const record = {
      $type: 'app.bsky.feed.post',
      text,
      createdAt: new Date().toISOString(),
      ...(facets.length > 0 && { facets }),
      ...(embed && { embed }),
      ...(reply && { reply: { parent: reply.parent, root: reply.root ?? reply.parent } }),
      ...(languages && { langs: languages }),
      ...(labels && { labels: selfLabels(labels) }),
    };
    const input = { repo: this.did, collection: 'app.bsky.feed.post', record };
    const { uri, cid } = await this.call<RecordRef>('com.atproto.repo.createRecord', { input });
    return { uri, cid };
  }

  async deletePost({ uri }: Pick<RecordRef, 'uri'>): Promise<void> {
    const rkey = uri.split('/').at(-1);
    const input = { repo: this.did, collection: 'app.bsky.feed.post', rkey };
    await this.call('com.atproto.repo.deleteRecord', { input });
  }

  /** Uploads a blob and returns the reference to it for records. */
  async upload(bytes: Uint8Array): Promise<object> {
    const { blob } = await this.call<{ blob: object }>('com.atproto.repo.uploadBlob', { input: bytes });
    return blob;
  }

  #uploadAll(images: NonNullable<NewPost['images']>): Promise<object[]> {
    return Promise.all(
      images.map(async ({ bytes, alt = '', width, height }) => ({
        image: await this.upload(bytes),
        alt,
        ...(width && height && { aspectRatio: { width, height } }),
      })),
    );
  }

  async #writeProfile({ displayName, avatar, labels }: Omit<AccountOptions, 'handle'>) {
    const record = {
      $type: 'app.bsky.actor.profile',
      ...(displayName && { displayName }),
      ...(avatar && { avatar: await this.upload(avatar) }),
      ...(labels && { labels: selfLabels(labels) }),
    };
    const input = { repo: this.did, collection: 'app.bsky.actor.profile', rkey: 'self', record };
    await this.call('com.atproto.repo.putRecord', { input });
  }
}

function selfLabels(values: string[]) {
  return { $type: 'com.atproto.label.defs#selfLabels', values: values.map((val) => ({ val })) };
}

/** Facet ranges are in bytes of UTF-8. */
function mentionFacet(text: string, { did, handle }: { did: string; handle: string }) {
  const at = text.indexOf(`@${handle}`);
  if (at === -1) return [];
  const byteStart = Buffer.byteLength(text.slice(0, at));
  const index = { byteStart, byteEnd: byteStart + Buffer.byteLength(`@${handle}`) };
  return [{ index, features: [{ $type: 'app.bsky.richtext.facet#mention', did }] }];
}
