import { createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decrypt, encodings } from '@apeleghq/rfc8188';

const CURVE = 'prime256v1';
const POINT_BYTES = 65;

export interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A push service on loopback over plain http. It accepts messages, or answers as `answer` decides. */
export class PushEndpoint {
  readonly pushed: Pushed[] = [];
  answer: RequestListener = (_request, response) => void response.writeHead(201).end();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.pushed.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
        this.answer(request, response);
      });
    });
  }

  static async open(): Promise<PushEndpoint> {
    const endpoint = new PushEndpoint();
    endpoint.#server.listen(0, '127.0.0.1');
    await once(endpoint.#server, 'listening');
    return endpoint;
  }

  /** `host:port`, for the setting that allows this host. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** The keys of a browser, which decrypt its push messages. */
export class BrowserKeys {
  readonly #pair: ECDH = createECDH(CURVE);
  readonly #secret = randomBytes(16);

  constructor() {
    this.#pair.generateKeys();
  }

  get keys(): { p256dh: string; auth: string } {
    return { p256dh: this.#pair.getPublicKey('base64url'), auth: this.#secret.toString('base64url') };
  }

  /**
   * Decrypts a message. The keying material is derived as in RFC 8291, 3.4. Another library reads the content coding
   * than the one that wrote it.
   */
  async open(body: Buffer): Promise<string> {
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        controller.enqueue(new Uint8Array(body));
        controller.close();
      },
    });
    const chunks: Buffer[] = [];
    const opened = decrypt(encodings.aes128gcm, stream, (sender) => this.#material(Buffer.from(sender)), 4_096);
    for await (const chunk of opened) chunks.push(Buffer.from(chunk as ArrayBuffer));
    return Buffer.concat(chunks).toString();
  }

  #material(sender: Buffer): ArrayBuffer {
    if (sender.length !== POINT_BYTES) throw new Error('the sender names no key');
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#pair.getPublicKey(), sender]);
    return hkdfSync('sha256', this.#pair.computeSecret(sender), this.#secret, info, 32);
  }
}
