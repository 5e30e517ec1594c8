import type { Response } from 'express';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A complete answer as text; the cache keeps these bytes. */
export class Written {
  readonly text: string;
  readonly status: number;
  /** Null removes a header that every answer has. */
  readonly headers: Readonly<Record<string, string | null>>;

  constructor(
    type: string,
    text: string,
    { status = 200, headers = {} }: { status?: number; headers?: Record<string, string | null> } = {},
  ) {
    this.text = text;
    this.status = status;
    this.headers = { ...headers, 'Content-Type': type };
  }
}

export function sendWritten(response: Response, { text, status, headers }: Written): void {
  setHeaders(response, headers);
  response.status(status).send(text);
}

export function setHeaders(response: Response, headers: Written['headers']): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) response.removeHeader(name);
    else response.setHeader(name, value);
  }
}
