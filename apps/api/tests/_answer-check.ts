import type { RequestHandler } from 'express';
import { endpointAt, problemOf } from '../trials/judge-answer.ts';

/** Replaces an answer by a 500 if its schema, its statuses or its refusals do not allow it, so that the test fails. */
export function checkAnswers(): RequestHandler {
  return (request, response, next) => {
    const { path } = request;
    const name = endpointAt(request.method, path);
    const chunks: Buffer[] = [];
    const note = (chunk: unknown, encoding: unknown) => {
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    const { write, end } = response;
    response.write = ((...given: unknown[]) => {
      note(given[0], given[1]);
      return (write as (...all: unknown[]) => boolean).apply(response, given);
    }) as typeof write;
    response.end = ((...given: unknown[]) => {
      note(given[0], given[1]);
      const problem = name && problemOf(name, response.statusCode, headersOf(response), Buffer.concat(chunks));
      if (problem) {
        const words = `${request.method} ${path} ${response.statusCode} is outside the contract: ${problem}`;
        if (response.headersSent) throw new Error(words);
        response.statusCode = 500;
        response.setHeader('Content-Length', Buffer.byteLength(words));
        return (end as (...all: unknown[]) => typeof response).apply(response, [words]);
      }
      return (end as (...all: unknown[]) => typeof response).apply(response, given);
    }) as typeof end;
    next();
  };
}

function headersOf(response: { getHeader(name: string): unknown }) {
  return {
    type: String(response.getHeader('Content-Type') ?? ''),
    encoding: String(response.getHeader('Content-Encoding') ?? 'identity'),
  };
}
