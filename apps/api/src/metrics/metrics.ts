import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PRODUCT_SLUG } from '@archive/contracts';
import { Registry } from 'prom-client';
import { Flows } from './flows.ts';
import { type StateNeeds, States } from './states.ts';

/** Serves `/metrics` on its own address, never on the public one. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #flows = new Flows();
  readonly #states: States;
  readonly #server: Server;
  readonly #at: { port: number; host: string };

  constructor(
    context: StateNeeds,
    at: { port: number; host: string },
    times: { keptMs?: number; partMs?: number } = {},
  ) {
    this.#at = at;
    this.#flows.register(this.#registry, PRODUCT_SLUG);
    this.#states = new States(context, this.#registry, PRODUCT_SLUG, times);
    this.#server = createServer((request, response) => {
      const isScrape = request.method === 'GET' && request.url === '/metrics';
      if (!isScrape) return void response.writeHead(404).end();
      this.text().then(
        (text) => response.writeHead(200, { 'Content-Type': this.#registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    await this.#states.read();
    return this.#registry.metrics();
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  start(): Promise<void> {
    this.#flows.start();
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#at.port, this.#at.host, resolve);
    });
  }

  stop(): Promise<void> {
    this.#flows.stop();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
