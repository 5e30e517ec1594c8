import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { Outbound } from './outbound.ts';
import type { OutboundRefusal } from './outbound-refusal.ts';

const open: { close(): void }[] = [];

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A scripted server on loopback. Returns its `host:port` and the requests it received. */
async function serve(answer: RequestListener) {
  const asked: string[] = [];
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** A server that writes any bytes, valid HTTP or not. */
async function serveBytes(write: (socket: Socket) => void) {
  const server = createSocketServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => write(socket));
    open.push({ close: () => socket.destroy() });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const LIMITS = { hosts: ['media.example'], maxBytes: 1_000 };

/** Why a fetch was refused. */
async function refusal(outbound: Outbound, url: string, more: object = {}): Promise<string> {
  return outbound.get(url, { ...LIMITS, ...more }).then(
    ({ bytes }) => `fetched ${bytes.length} bytes`,
    (error: OutboundRefusal) => `${error.reason}${error.mayRetry ? ', may retry' : ''}`,
  );
}

describe('a server that is asked', () => {
  const ask = async (answer: RequestListener, more: object = {}) => {
    const { host } = await serve(answer);
    return refusal(new Outbound({ localHosts: [host] }), `http://${host}/`, more);
  };

  it('gives the whole of its answer, which was asked for unpacked', async () => {
    const { host } = await serve((request, response) => response.end(JSON.stringify(request.headers)));
    const outbound = new Outbound({ localHosts: [host] });
    const { bytes, url } = await outbound.get(`http://${host}/a?b=c`, { ...LIMITS, headers: { Accept: 'image/*' } });
    expect(JSON.parse(bytes.toString())).toMatchObject({ 'accept-encoding': 'identity', accept: 'image/*' });
    expect(url).toBe(`http://${host}/a?b=c`);
  });

  it('is left when it sends more than it may, whatever it said before', async () => {
    expect(await ask((_, response) => response.end(Buffer.alloc(1_000)))).toBe('fetched 1000 bytes');
    expect(await ask((_, response) => response.end(Buffer.alloc(1_001)))).toBe('too_large');
    const chunked: RequestListener = (_, response) => {
      for (let at = 0; at < 20; at++) response.write(Buffer.alloc(100));
      response.end();
    };
    expect(await ask(chunked)).toBe('too_large');
  });

  it('is left at once when it never ends', async () => {
    let written = 0;
    const endless: RequestListener = (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1_024))) written += 1_024;
      };
      response.on('drain', write);
      write();
    };
    expect(await ask(endless, { maxBytes: 10_000 })).toBe('too_large');
    expect(written).toBeLessThan(10_000_000);
  });

  it('gives nothing where less came than was said, or its answer is none', async () => {
    const short = await serveBytes((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello'));
    const none = await serveBytes((socket) => socket.end('hello\r\n\r\n'));
    const gone = await serveBytes((socket) => socket.destroy());
    for (const host of [short, none, gone])
      expect(await refusal(new Outbound({ localHosts: [host] }), `http://${host}/`)).toBe('unreachable, may retry');
  });

  it('gives no more than it said, though more came', async () => {
    const host = await serveBytes((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n${'x'.repeat(90)}`),
    );
    expect(await refusal(new Outbound({ localHosts: [host] }), `http://${host}/`)).toBe('fetched 5 bytes');
  });

  it('is left when its time is up, however busily it drips', async () => {
    const drip: RequestListener = (_, response) => {
      const timer = setInterval(() => response.write('x'), 5);
      response.once('close', () => clearInterval(timer));
    };
    expect(await ask(drip, { timeoutMs: 100 })).toBe('too_slow, may retry');
    expect(await ask(() => {}, { timeoutMs: 100 })).toBe('too_slow, may retry');
    const head = await serveBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-More: 1\r\n'), 5);
      socket.once('close', () => clearInterval(timer));
    });
    const slow = refusal(new Outbound({ localHosts: [head] }), `http://${head}/`, { timeoutMs: 100 });
    expect(await slow).toBe('too_slow, may retry');
  });

  it('is left where its head never ends', async () => {
    const host = await serveBytes((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${'X-More: 1\r\n'.repeat(10_000)}`);
    });
    expect(await refusal(new Outbound({ localHosts: [host] }), `http://${host}/`)).toBe('unreachable, may retry');
  });

  it('may not send it packed, where a few bytes could be a million', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const packed: RequestListener = (_, response) => response.setHeader('Content-Encoding', 'gzip').end(bomb);
    expect(await ask(packed, { maxBytes: 100_000 })).toBe('encoded');
  });

  it('is believed when it says no, and asked again where that may pass', async () => {
    const status =
      (code: number): RequestListener =>
      (_, response) =>
        void response.writeHead(code).end('no');
    expect(await ask(status(403))).toBe('status');
    expect(await ask(status(410))).toBe('status');
    expect(await ask(status(206))).toBe('status');
    expect(await ask(status(404))).toBe('status, may retry');
    expect(await ask(status(429))).toBe('status, may retry');
    expect(await ask(status(503))).toBe('status, may retry');
  });

  it('is left when whoever asked has gone', async () => {
    const { host } = await serve(() => {});
    const gone = new AbortController();
    const asked = new Outbound({ localHosts: [host] }).get(`http://${host}/`, { ...LIMITS, signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
  });
});

describe('an address', () => {
  const named = new Outbound({ resolve: () => Promise.reject(new Error('nobody was to be looked up')) });

  it.each([
    'http://media.example/a.jpg',
    'https://media.example:8443/a.jpg',
    'https://user@media.example/a.jpg',
    'https://user:secret@media.example/a.jpg',
    'https://media.example.elsewhere.example/a.jpg',
    'https://elsewhere.example/media.example',
    'https://elsewhere.example#media.example',
    'https://media.example@elsewhere.example/',
    'https://media.example./a.jpg',
    'https://mediа.example/a.jpg',
    'ftp://media.example/a.jpg',
    'file:///etc/passwd',
    'data:text/plain,hello',
    '//media.example/a.jpg',
    'media.example',
    '',
  ])('is asked only where its host is on the list, by https: not %j', async (url) => {
    expect(await refusal(named, url)).toBe('not_allowed');
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://1.1.1.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/',
    'https://metadata/',
    'https://１２７.０.０.１/',
    'http://pds.example/',
    'https://pds.example:2583/',
    'https://user@pds.example/',
  ])('of anybody is a domain by https, and nothing else: not %j', async (url) => {
    expect(await refusal(named, url, { hosts: 'anybody' })).toBe('not_allowed');
  });

  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
    ['10.1.2.3'],
    ['100.64.0.1'],
    ['fd00::1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['1.1.1.1', '127.0.0.1'],
    ['2606:4700::1111', '::1'],
  ])('is not connected to where its name leads inside: %j, %j', async (...addresses: (string | undefined)[]) => {
    const inside = new Outbound({ resolve: async () => addresses.filter((one) => one !== undefined) });
    expect(await refusal(inside, 'https://pds.example/', { hosts: 'anybody' })).toBe('not_allowed');
    expect(await refusal(inside, 'https://media.example/')).toBe('not_allowed');
  });

  it('is looked up once, and what was looked at is connected to: a second answer is never asked for', async () => {
    const { host, asked } = await serve((_, response) => response.end());
    const port = host.split(':')[1];
    const answers = [['10.255.255.1'], ['127.0.0.1']];
    const rebinding = new Outbound({ resolve: async () => answers.shift() ?? ['127.0.0.1'] });
    expect(await refusal(rebinding, 'https://pds.example/', { hosts: 'anybody' })).toBe('not_allowed');
    expect(answers).toEqual([['127.0.0.1']]);
    expect(await refusal(rebinding, `https://pds.example:${port}/`, { hosts: 'anybody' })).toBe('not_allowed');
    expect(asked).toEqual([]);
  });

  it('whose name is not known, or is not told in time, may be tried again', async () => {
    const unknown = new Outbound({ resolve: () => Promise.reject(new Error('unknown')) });
    expect(await refusal(unknown, 'https://media.example/')).toBe('unreachable, may retry');
    const silent = new Outbound({ resolve: () => new Promise(() => {}) });
    expect(await refusal(silent, 'https://media.example/', { timeoutMs: 50 })).toBe('too_slow, may retry');
  });

  it('that is local must be named with its port', async () => {
    const { host, asked } = await serve((_, response) => response.end());
    const outbound = new Outbound({ localHosts: ['127.0.0.1:1'] });
    expect(await refusal(outbound, `http://${host}/`)).toBe('not_allowed');
    expect(asked).toEqual([]);
  });
});

describe('a redirect', () => {
  const redirect =
    (to: () => string): RequestListener =>
    (request, response) => {
      if (request.url === '/end') response.end('here');
      else response.writeHead(302, { Location: to() }).end('elsewhere');
    };

  it('is followed to a host on the list', async () => {
    const { host } = await serve(redirect(() => '/end'));
    const { bytes, url } = await new Outbound({ localHosts: [host] }).get(`http://${host}/`, LIMITS);
    expect([bytes.toString(), url]).toEqual(['here', `http://${host}/end`]);
  });

  it.each(['http://10.0.0.1/', 'http://media.example/', 'https://elsewhere.example/', 'https://[::1]/', 'file:///etc'])(
    'to %s is not followed',
    async (to) => {
      const { host } = await serve(redirect(() => to));
      expect(await refusal(new Outbound({ localHosts: [host] }), `http://${host}/`)).toBe('not_allowed');
    },
  );

  it('to another server inside is not followed', async () => {
    const inside = await serve((_, response) => response.end('secret'));
    const { host } = await serve(redirect(() => `http://${inside.host}/`));
    expect(await refusal(new Outbound({ localHosts: [host] }), `http://${host}/`)).toBe('not_allowed');
    expect(inside.asked).toEqual([]);
  });

  it('in a circle, and to no address, ends', async () => {
    const { host, asked } = await serve(redirect(() => '/again'));
    expect(await refusal(new Outbound({ localHosts: [host] }), `http://${host}/`)).toBe('redirected');
    expect(asked).toHaveLength(4);
    const nowhere = await serve(redirect(() => 'http://'));
    expect(await refusal(new Outbound({ localHosts: [nowhere.host] }), `http://${nowhere.host}/`)).toBe('redirected');
  });

  it('by anybody is none, not even to itself', async () => {
    const { host } = await serve(redirect(() => '/end'));
    const outbound = new Outbound({ localHosts: [host] });
    expect(await refusal(outbound, `http://${host}/`, { hosts: 'anybody' })).toBe('redirected');
  });
});

describe('a socket', () => {
  /** A WebSocket server on loopback that sends as many bytes as it is asked for. Returns its `host:port`. */
  async function serveSocket() {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    open.push(server);
    server.on('connection', (socket) => socket.on('message', (size) => socket.send('x'.repeat(Number(size)))));
    await once(server, 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const names = { 'inside.example': ['10.0.0.1'], 'half.example': ['1.1.1.1', '127.0.0.1'] } as Record<
    string,
    string[]
  >;
  const outbound = (localHosts: string[] = []) =>
    new Outbound({ localHosts, resolve: async (name) => names[name] ?? [] });
  /** The result of opening a socket. */
  async function outcome(from: Outbound, address: string): Promise<string> {
    try {
      const socket = from.openSocket(address, { maxBytes: 1_000 });
      open.push({ close: () => socket.terminate() });
      await once(socket, 'open');
      return 'open';
    } catch (error) {
      return (error as OutboundRefusal).reason ?? (error as Error).message;
    }
  }

  it('is opened to public hosts over TLS at the usual port alone, and to local ones that are named', async () => {
    const host = await serveSocket();
    expect(await outcome(outbound([host]), `ws://${host}/subscribe`)).toBe('open');
    for (const address of [
      `ws://${host}`,
      `wss://${host}`,
      'ws://public.example',
      'wss://public.example:8443',
      'wss://127.0.0.1',
      'wss://[::1]',
      'wss://localhost',
      'wss://user:word@public.example',
      'wss://inside.example',
      'wss://half.example',
      'ftp://public.example',
      'no address',
    ])
      expect([address, await outcome(outbound(), address)]).toEqual([address, 'not_allowed']);
  });

  it('is not led elsewhere', async () => {
    const inside = await serveSocket();
    const { host } = await serve((_, response) => response.writeHead(302, { Location: `ws://${inside}/` }).end());
    expect(await outcome(outbound([host]), `ws://${host}`)).toContain('302');
  });

  it('ends at a message that is too long', async () => {
    const host = await serveSocket();
    const socket = outbound([host]).openSocket(`ws://${host}`, { maxBytes: 1_000 });
    await once(socket, 'open');
    socket.send('1000');
    const [message] = await once(socket, 'message');
    expect(String(message)).toHaveLength(1_000);
    socket.send('1001');
    await expect(once(socket, 'message')).rejects.toThrow('Max payload size exceeded');
  });
});
