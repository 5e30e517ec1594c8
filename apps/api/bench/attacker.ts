import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PORT } from './archive-server.ts';

/**
 * A flood in a separate process, so that a visitor's time is that of the server alone: 2,000 request heads that never
 * end, 50 clients that request large pages and never read them, and five times a thousand slow questions at once,
 * aborted after 1.2 s.
 */
const FROM = '127.0.0.2';
const ROUNDS = 5;
const ROUND_MS = 1_200;

function open(head: string): void {
  const socket = connect({ host: '127.0.0.1', port: PORT, localAddress: FROM });
  socket.on('error', () => {});
  socket.pause();
  socket.write(head);
}

function ask(path: string, agent: Agent, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port: PORT, path, agent, signal }, (answer) => {
      answer.resume().once('close', resolve);
    });
    sent.on('error', () => resolve());
    sent.end();
  });
}

process.stdout.write('begins\n');
for (let at = 0; at < 2_000; at++) open('GET /amber/archives HTTP/1.1\r\nHost: amber\r\n');
for (let at = 1; at <= 50; at++) open(`GET /amber/archives?limit=1000&page=${at} HTTP/1.1\r\nHost: amber\r\n\r\n`);
const agent = new Agent({ keepAlive: true, localAddress: FROM });
for (let round = 0; round < ROUNDS; round++) {
  const gone = new AbortController();
  const asked = Array.from({ length: 1_000 }, (_, at) =>
    ask(`/amber/archives?author=a${round}${at}&content=e&search=o&sortBy=content`, agent, gone.signal),
  );
  await delay(ROUND_MS);
  gone.abort();
  await Promise.all(asked);
}
process.exit(0);
