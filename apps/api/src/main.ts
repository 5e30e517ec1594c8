import { createServer, type RequestListener, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { createContext } from './context.ts';
import { connectDatabase } from './db/database.ts';
import { closePipelined, closeUntaken, SOCKETS } from './http/sockets.ts';
import { createStartingApp } from './http/starting.ts';
import { Metrics } from './metrics/metrics.ts';
import { onceTold, runProcess } from './run-process.ts';
import { StartRefusal } from './start-refusal.ts';

const STOP_DEADLINE_MS = 8_000;
/**
 * Milliseconds in which an ending process reports that it is not ready before it closes its port, so that a proxy uses
 * another process.
 */
const ELSEWHERE_MS = 3_000;
const QUIET_MS = 1_000;

await runProcess(run);

async function run(): Promise<void> {
  const config = readConfig(process.env);
  let app: RequestListener = createStartingApp();
  const server = createServer(SOCKETS, (request, response) => app(request, response));
  closeUntaken(server);
  closePipelined(server);
  // Checked first: if another process has the port, it also owns the index file of that name.
  await requireFree(server, config);
  const context = await createContext(config, new URL('./worker.js', import.meta.url));
  app = createApp(context, fileURLToPath(new URL('./docs', import.meta.url)));
  context.log.info({ port: config.port }, 'listening');
  const metrics = config.metrics && new Metrics(context, config.metrics);
  await metrics?.start();

  onceTold(ELSEWHERE_MS + STOP_DEADLINE_MS + 2_000, async () => {
    context.background.isEnding = true;
    await sendElsewhere(server);
    await closeServer(server);
    await context.background.stop();
    await metrics?.stop();
  });

  // Without its index the process cannot answer, so it exits and its supervisor restarts it.
  context.posts.index.failure.catch((error) => {
    context.log.fatal({ err: error }, 'the archive index has failed');
    process.exit(1);
  });
  context.posts.follower.replaced.addEventListener('abort', () => {
    context.log.fatal({ err: context.posts.follower.replaced.reason }, 'the database was restored under this process');
    process.exit(1);
  });
  await context.background.start();
  context.log.info(context.posts.follower.progress, 'ready');
}

/**
 * Listens on the ports. @throws StartRefusal where a port is taken, with what else would keep this process from
 * starting.
 */
async function requireFree(server: Server, { port, metrics, mongodbUri }: Config): Promise<void> {
  const ports = [await refusalOfPort('PORT', server, port)];
  if (metrics) {
    const probe = createServer();
    ports.push(await refusalOfPort('METRICS_PORT', probe, metrics.port, metrics.host));
    await new Promise((resolve) => probe.close(resolve));
  }
  if (ports.every((refusal) => refusal === null)) return;
  const database = await connectDatabase(mongodbUri).then(
    (opened) => opened.close().then(() => null),
    (error: Error) => error.message,
  );
  throw new StartRefusal([...ports, database].filter((refusal) => refusal !== null).join('\n'));
}

/** Listens on the port. Returns a message if that fails, else null. */
function refusalOfPort(setting: string, server: Server, port: number, host?: string): Promise<string | null> {
  return new Promise((resolve) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE')
        resolve(`${setting} ${port} is taken by another program; ${setting} names another port`);
      else resolve(`${setting} ${port} cannot be listened on: ${message}`);
    });
    server.listen(port, host, () => resolve(null));
  });
}

/** Still answers, but closes each connection after its answer, until no more requests come. */
function sendElsewhere(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const until = performance.now() + ELSEWHERE_MS;
    let cameAt = performance.now();
    server.prependListener('request', (_request, response) => {
      cameAt = performance.now();
      response.setHeader('Connection', 'close');
    });
    const look = setInterval(() => {
      const now = performance.now();
      if (now - cameAt < QUIET_MS && now < until) return;
      clearInterval(look);
      resolve();
    }, QUIET_MS / 10);
  });
}

/** Waits for requests in progress. Closes connections that become idle, before they bring another request. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
