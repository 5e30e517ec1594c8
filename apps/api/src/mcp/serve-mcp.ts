import { AsyncLocalStorage } from 'node:async_hooks';
import { BODY_BYTES, ERROR_STATUS } from '@archive/contracts';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, localhostAllowedHostnames } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import type { AppError } from '../app-error.ts';
import { clientOf, ownWork } from '../clients.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { untilGone } from '../http/until-gone.ts';
import type { Asker } from '../question-queue.ts';
import { createMcpServer, type McpNeeds } from './create-mcp-server.ts';

/** Most open listening streams. The server sends no messages by itself, so they only hold connections. */
const LISTENERS = 20;

/**
 * Refused, because a batch would make many calls for one point of the budget. MCP revisions since June 2025 have no
 * batches.
 */
const NO_BATCH = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_600, message: 'Send one message with each request: batches are not taken.' },
};

/**
 * Model Context Protocol over Streamable HTTP, stateless, in the current form and that of 2025. Host and origin must be
 * the archive's own or this machine's, so that pages of other sites cannot call it through a visitor's browser.
 */
export function serveMcp(
  context: McpNeeds,
  { limits, indexRefusal }: { limits: Pick<RateLimits, 'spendOf'>; indexRefusal: () => AppError | null },
): RequestHandler {
  const { config, log } = context;
  const hosts = [config.publicUrl.hostname, ...localhostAllowedHostnames()];
  const isOurHost = hostHeaderValidation(hosts);
  const isOurOrigin = originValidation([...hosts, ...config.corsOrigins.map((origin) => new URL(origin).hostname)]);
  const askers = new AsyncLocalStorage<Asker>();
  const onerror = (error: Error) => log.debug({ err: error }, 'an MCP request was refused');
  const mcp = createMcpHandler(() => createMcpServer(context, askers.getStore() ?? { client: ownWork('mcp') }), {
    onerror,
    maxSubscriptions: LISTENERS,
    maxRequestBodySize: BODY_BYTES,
  });
  const oneByOne: typeof mcp.fetch = async (request, options) =>
    (await isBatch(request)) ? Response.json(NO_BATCH, { status: 400 }) : mcp.fetch(request, options);
  const handle = toNodeHandler({ fetch: oneByOne }, { onerror, maxRequestBodySize: BODY_BYTES });
  return async (request, response) => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return;
    const client = clientOf(request.ip);
    await limits.spendOf('mcp', client, response);
    response.setHeader('Cache-Control', 'no-store');
    const refusal = indexRefusal();
    if (refusal) {
      const { code, message, headers } = refusal;
      response.status(ERROR_STATUS[code]).set(headers);
      return void response.json({ jsonrpc: '2.0', id: null, error: { code: -32_603, message } });
    }
    await askers.run({ client, signal: untilGone(response) }, () => handle(request, response));
  };
}

async function isBatch(request: Request): Promise<boolean> {
  return (
    request.method === 'POST' &&
    Array.isArray(
      await request
        .clone()
        .json()
        .catch(() => null),
    )
  );
}
