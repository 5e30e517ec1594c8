import { ApiError, Client, HttpClient, type HttpClientRequestOptions, OAuth1 } from '@xdevplatform/xdk';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { boundedFetch } from '../bounded-fetch.ts';
import { SourceTrouble } from '../source.ts';
import type { Spending } from '../spending.ts';
import { createdAnswer } from './answers.ts';
import { PRICES } from './prices.ts';

export interface XCredentials {
  apiKey: string;
  apiSecret: string;
  accessToken: string;
  accessSecret: string;
}

export interface XNeeds {
  baseUrl: string;
  credentials: XCredentials;
  spending: Spending;
  log: Pick<Logger, 'error'>;
}

/** A call to X, and the price of each post in its answer. */
interface Question<T> {
  name: string;
  price: number;
  /** Most posts that the answer may contain. */
  most?: number;
  schema: z.ZodType<T>;
  send(client: Client, options: { raw: true; signal: AbortSignal }): Promise<Response>;
}

/** X refused a call; holds the status and X's message. */
export class XFailure extends SourceTrouble {
  readonly status: number;
  readonly detail: string;

  constructor(name: string, status: number, detail: string, until: Date | undefined) {
    // A 4xx status means that X has not done the write.
    super(`X answers ${name} with ${status} ${detail}`.trim(), { until, isUndone: status >= 400 && status < 500 });
    this.status = status;
    this.detail = detail;
  }
}

class BoundedHttpClient extends HttpClient {
  override request(url: string, options: HttpClientRequestOptions = {}): Promise<Response> {
    const { method = 'GET', headers = {}, body = null, signal = null } = options;
    return boundedFetch(url, { method, headers, body: body as string | null, signal });
  }
}

class BoundedClient extends Client {
  override readonly httpClient = new BoundedHttpClient();
}

/** Calls X through its own client: raw answers, with limits of time and size, and with each cost counted. */
export class XClient {
  readonly #needs: XNeeds;
  readonly #client: Client;
  /** Until when X wants no more calls, by kind of call. */
  readonly #waits = new Map<string, Date>();
  readonly #alarmed = new Set<string>();

  constructor(needs: XNeeds) {
    const { apiKey, apiSecret, accessToken, accessSecret } = needs.credentials;
    this.#needs = needs;
    this.#client = new BoundedClient({
      baseUrl: needs.baseUrl.replace(/\/$/, ''),
      oauth1: new OAuth1({ apiKey, apiSecret, callback: 'oob', accessToken, accessTokenSecret: accessSecret }),
    });
  }

  /** Sends a query and parses the answer by its schema. */
  async ask<T extends { data?: unknown }>(question: Question<T>, signal: AbortSignal, payer?: string): Promise<T> {
    const { name, price, schema, send, most } = question;
    await this.#needs.spending.requireReads(payer, most);
    const raw = await this.#send(name, () => send(this.#client, { raw: true, signal }));
    const parsed = schema.safeParse(readJson(name, raw));
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new SourceTrouble(`X answers ${name} in another shape: ${issue?.path.join('.')} ${issue?.message}`);
    }
    const { data } = parsed.data;
    const reads = Array.isArray(data) ? data.length : data === undefined ? 0 : 1;
    if (reads > 0) await this.#needs.spending.spend({ reads, milliCents: reads * price }, payer);
    return parsed.data;
  }

  /** Writes a reply to a post. Returns its id. */
  async reply(to: string, text: string, signal: AbortSignal): Promise<string> {
    // The client's own method takes no signal and hides the answer.
    const body = JSON.stringify({ text, reply: { in_reply_to_tweet_id: to } });
    const options = { body, raw: true, signal, security: [{ UserToken: [] }] };
    const raw = await this.#send('a reply', () => this.#client.request<Response>('POST', '/2/tweets', options));
    await this.#needs.spending.spend({ reads: 0, milliCents: PRICES.reply });
    const parsed = createdAnswer.safeParse(readJson('a reply', raw));
    if (!parsed.success) throw new SourceTrouble('X answers a reply in another shape');
    return parsed.data.data.id;
  }

  async #send(name: string, send: () => Promise<Response>): Promise<Uint8Array> {
    const wait = this.#waits.get(name);
    if (wait && wait.getTime() > Date.now()) {
      throw new SourceTrouble(`X wants no more of ${name} yet`, { until: wait, isUndone: true });
    }
    let raw: Uint8Array;
    try {
      raw = new Uint8Array(await (await send()).arrayBuffer());
    } catch (error) {
      throw this.#failureOf(name, error);
    }
    this.#waits.delete(name);
    this.#alarmed.clear();
    return raw;
  }

  #failureOf(name: string, error: unknown): SourceTrouble {
    if (!(error instanceof ApiError) || error.status === 0) {
      const cause = error instanceof ApiError ? error.data : error;
      return cause instanceof SourceTrouble ? cause : new SourceTrouble('X could not be reached', { cause });
    }
    const { status, headers, data } = error;
    const reset = Number(headers.get('x-rate-limit-reset'));
    const until = status === 429 && Number.isFinite(reset) && reset > 0 ? new Date(reset * 1_000) : undefined;
    if (until) this.#waits.set(name, until);
    const detail = detailOf(data);
    const isSpent = status === 402 || /usage-capped/.test(detail);
    if (isSpent) this.#alarm('credits', 'X is out of credits: nothing is read or answered there');
    // A duplicate text is handled by the account and raises no alarm.
    else if (status === 401 || (status === 403 && !/duplicate/i.test(detail))) {
      this.#alarm(`configuration ${name}`, `X does not let this account do this: ${status} ${detail}`);
    }
    return new XFailure(name, status, detail, until);
  }

  /** Logs an alarm once, until X answers again. */
  #alarm(alarm: string, sentence: string): void {
    if (this.#alarmed.has(alarm)) return;
    this.#alarmed.add(alarm);
    this.#needs.log.error({ platform: 'x', alarm: alarm.split(' ')[0] }, sentence);
  }
}

/** X's message of a refusal, from any of its forms. */
function detailOf(data: unknown): string {
  const { type, title, detail, message, errors } = (data ?? {}) as Record<string, unknown>;
  const first = Array.isArray(errors) ? (errors[0] as { message?: unknown } | undefined)?.message : undefined;
  const said = [type, title, detail, message, first].filter((one) => typeof one === 'string' && one !== 'about:blank');
  return [...new Set(said)].join(' ').slice(0, 300);
}

function readJson(name: string, raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (error) {
    throw new SourceTrouble(`X answers ${name} with no JSON`, { cause: error });
  }
}
