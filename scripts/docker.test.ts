import { existsSync, readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { SECRET_NAMES, SETTING_NAMES } from '../apps/api/src/config.ts';
import { SOCKETS } from '../apps/api/src/http/sockets.ts';

const DOCKER = join(__dirname, '../docker');
const read = (path: string) => readFileSync(join(DOCKER, path), 'utf8');

interface Service {
  image?: string;
  healthcheck?: { test: string[] };
  build?: { dockerfile: string; args?: Record<string, string> };
  command?: string | string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  logging?: { driver: string; options: Record<string, string> };
  deploy?: { resources: { limits: { cpus: string; memory: string; pids: number } } };
  security_opt?: string[];
}

interface Compose {
  services: Record<string, Service>;
  networks?: Record<string, { enable_ipv6?: boolean }>;
  volumes: Record<string, unknown>;
}

const compose = (file: string) => parse(read(file), { merge: true }) as Compose;
const production = compose('compose.yaml');
const apis = ['api-1', 'api-2'].map((name) => production.services[name] as Service);
/** A tag of one exact release, such as 8.0.20 or 24.21.0-bookworm-slim. */
const EXACT = /^[a-z/]+:v?\d+\.\d+\.\d+(-[a-z0-9-]+)?$/;

describe.each(['compose.yaml', 'mongo.compose.yaml'])('every service of %s', (file) => {
  test.each(Object.entries(compose(file).services))(
    '%s: an exact image, limits, and logs that end',
    (_name, service) => {
      if (service.build) expect(existsSync(join(DOCKER, '..', service.build.dockerfile))).toBe(true);
      else expect(service.image).toMatch(EXACT);
      expect(service.logging).toEqual({
        driver: 'json-file',
        options: { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': expect.stringMatching(/^\d+$/) },
      });
      expect(service.deploy?.resources.limits).toEqual({
        cpus: expect.stringMatching(/^[\d.]+$/),
        memory: expect.stringMatching(/^\d+[mg]$/),
        pids: expect.any(Number),
      });
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
      for (const [other] of Object.entries(service.depends_on ?? {}))
        expect(Object.keys(compose(file).services)).toContain(other);
      for (const [from = ''] of (service.volumes ?? []).map((volume) => volume.split(':'))) {
        if (!from.startsWith('.')) expect(Object.keys(compose(file).volumes)).toContain(from);
        else if (!from.startsWith('./secrets')) expect([from, existsSync(join(DOCKER, from))]).toEqual([from, true]);
      }
    },
  );
});

test('the image is built from exact tags, and fixes what must not vary', () => {
  const images = [...read('Dockerfile').matchAll(/^(?:FROM (?!api )|COPY --from=(?=\S+:))(\S+)/gm)].map(
    ([, image]) => image,
  );
  expect(images).toHaveLength(4);
  for (const image of images) expect(image).toMatch(EXACT);
});

test('the image holds what the bundle leaves outside or reads by its path, and nothing else', () => {
  const [, kept = ''] = /keep-needed\.mjs \/out ([^\\\n]+)/.exec(read('Dockerfile')) ?? [];
  const bundler = readFileSync(join(DOCKER, '../apps/api/build.mjs'), 'utf8');
  const [, external = ''] = /external: \[([^\]]+)\]/.exec(bundler) ?? [];
  const { dependencies } = JSON.parse(readFileSync(join(DOCKER, '../apps/api/package.json'), 'utf8'));
  const outside = [...external.matchAll(/'([^']+)'/g)]
    .map(([, name = '']) => name)
    .filter((name) => name in dependencies);
  const byPath = Object.keys(dependencies).filter((name) => /^@(fontsource|twemoji)\//.test(name));
  expect(kept.trim().split(' ').toSorted()).toEqual([...outside, ...byPath].toSorted());
  expect(read('Dockerfile.dockerignore')).toContain('!docker/keep-needed.mjs');
});

test('a process is healthy once it is ready, and has the time that building an index takes', () => {
  const [, options = '', command = ''] = /^HEALTHCHECK (.*) \\\n {2}CMD (.*)$/m.exec(read('Dockerfile')) ?? [];
  expect(options).toContain('--start-period=10m');
  expect((JSON.parse(command) as string[])[2]).toContain('/ready`');
});

describe('the proxy', () => {
  const caddyfile = read('Caddyfile');

  test('takes no request whose head the API would break off', () => {
    const kilobytes = Number(/^\t\tmax_header_size (\d+)KB$/m.exec(caddyfile)?.[1]);
    // Go's server allows 4 KB more than its limit, and the proxy adds headers with names and addresses.
    expect(kilobytes * 1_000 + 4_096 + 1_000).toBeLessThan(maxHeaderSize);
    // Caddy's server options apply only to the servers they name.
    expect(caddyfile).toMatch(/^http:\/\/ \{$/m);
  });

  test('goes by what a process says of itself, never by how requests end, which visitors can bring about', () => {
    expect(caddyfile).not.toMatch(/fail_duration|max_fails|unhealthy_/);
    expect([...caddyfile.matchAll(/^\t+health_uri (\S+)$/gm)].map(([, path]) => path)).toEqual(['/ready', '/health']);
    expect(/^\t+reverse_proxy (.*) \{\n\t+lb_policy least_conn$/m.exec(caddyfile)?.[1]).toBe('api-1:4000 api-2:4000');
    expect(production.services['proxy']?.depends_on).toEqual({
      'api-1': { condition: 'service_started' },
      'api-2': { condition: 'service_started' },
    });
  });

  test('says what is the matter and when to come back where no process can', () => {
    expect(/^\t+reverse_proxy (.*) \{\n\t+lb_policy first$/m.exec(caddyfile)?.[1]).toBe(
      'api-1:4000 api-2:4000 127.0.0.1:8080',
    );
    const [, away = ''] = /^\(away\) \{\n([^}]*)\}$/m.exec(caddyfile) ?? [];
    expect(away).toMatch(/^\theader Retry-After \d+$/m);
    expect(away).toMatch(/^\trespond "[^"]+\." 503$/m);
    expect(caddyfile.match(/import away$/gm)).toHaveLength(2);
  });

  test('keeps connections for less time than the API does', () => {
    const seconds = Number(/^\t\tkeepalive (\d+)s$/m.exec(caddyfile)?.[1]);
    expect(seconds * 1_000).toBeLessThan(SOCKETS.keepAliveTimeout);
  });

  test('is told the addresses of those who come by IPv6', () => {
    expect(production.networks).toEqual({ default: { enable_ipv6: true } });
  });

  test('names what it takes over before it takes it, as its format wants', () => {
    for (const { 1: name, index } of caddyfile.matchAll(/^\t+import (\w+)$/gm))
      expect(caddyfile.slice(0, index)).toContain(`\n(${name}) {`);
  });
});

test('every setting is passed to both API processes', () => {
  const [, fixed = ''] = /^ENV (NODE_ENV=production .*)$/m.exec(read('Dockerfile')) ?? [];
  const inImage = fixed.split(' ').map((setting) => setting.split('=')[0] as string);
  expect(inImage).toEqual(['NODE_ENV', 'PORT', 'DATA_DIR', 'WEB_DIR']);
  for (const { environment = {} } of apis) {
    const secrets = SECRET_NAMES as readonly string[];
    const wanted = SETTING_NAMES.filter((name) => !inImage.includes(name));
    const names = wanted.map((name) => (secrets.includes(name) ? `${name}_FILE` : name));
    expect(Object.keys(environment).toSorted()).toEqual(names.toSorted());
    for (const [name, value] of Object.entries(environment)) {
      const isFixed = [
        'AUDIT_KEY_FILE',
        'JWT_SECRET_FILE',
        'MONGODB_URI_FILE',
        'TRUSTED_PROXIES',
        'PUBLIC_URL',
      ].includes(name);
      if (!isFixed) expect(value).toMatch(new RegExp(`^\\$\\{${name}:-[^}]*\\}$`));
    }
    expect(environment).toMatchObject({
      PUBLIC_URL: `https://\${DOMAIN:?must stand in docker/.env}`,
      TRUSTED_PROXIES: '1',
      AUDIT_KEY_FILE: '/run/secrets/audit_key',
      JWT_SECRET_FILE: '/run/secrets/jwt_secret',
      MONGODB_URI_FILE: '/run/secrets/mongodb_uri',
    });
  }
});

test('every name that docker/.env may set is a setting of the server, or in the table of those of Docker', () => {
  const [, docker = ''] = readFileSync(join(DOCKER, '../docs/configuration.md'), 'utf8').split('## Docker\n');
  const named = [...docker.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
  const passed = new Set<string>([...SETTING_NAMES, ...SECRET_NAMES.map((name) => `${name}_FILE`)]);
  const asked = [...read('compose.yaml').matchAll(/\$\{([A-Z0-9_]+):/g)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual([...new Set(asked)].filter((name) => !passed.has(name)).toSorted());
});

test('the agent is healthy while a process of the API says that it reads the mentions of every account', async () => {
  const [, node, , script = ''] = production.services['agent']?.healthcheck?.test ?? [];
  expect(node).toBe('node');
  const away = [{ platform: 'bluesky', since: null }];
  const codeWhere = (...answers: (Response | Error)[]) =>
    new Promise((exit) => {
      const fetch = async (address: string) => {
        const answer = answers[['http://api-1:4000/ready', 'http://api-2:4000/ready'].indexOf(address)];
        if (answer instanceof Response) return answer;
        throw answer;
      };
      new Function('fetch', 'process', script)(fetch, { exit });
    });
  const tells = (agentsAway: object[], status = 200) => Response.json({ status: 'ready', agentsAway }, { status });
  expect(await codeWhere(tells([]), tells([]))).toBe(0);
  expect(await codeWhere(new Error('no answer'), tells([]))).toBe(0);
  expect(await codeWhere(tells(away), tells(away))).toBe(1);
  // A process that is starting does not know which agents are away, and lists none.
  expect(await codeWhere(tells([], 503), tells(away))).toBe(1);
  expect(await codeWhere(new Error('no answer'), new Error('no answer'))).toBe(1);
});

test('the page is built with the receiving wallet and the token that the server has', () => {
  for (const { build } of apis) {
    expect(build?.args).toEqual({
      VITE_FEATURE_WALLET: `\${FEATURE_WALLET:-}`,
      VITE_FEATURE_MINT: `\${FEATURE_MINT:-}`,
    });
    for (const name of Object.keys(build?.args ?? {}))
      expect(read('Dockerfile')).toMatch(new RegExp(`^ARG ${name}`, 'm'));
  }
});

test('Prometheus reads both processes where they listen, and is kept out of the proxy', () => {
  const prometheus = parse(read('prometheus.yml')) as { scrape_configs: { static_configs: { targets: string[] }[] }[] };
  const [port, host] = ['METRICS_PORT', 'METRICS_HOST'].map((name) => apis[0]?.environment?.[name]);
  expect([port, host]).toEqual([`\${METRICS_PORT:-9464}`, `\${METRICS_HOST:-0.0.0.0}`]);
  expect(prometheus.scrape_configs[0]?.static_configs[0]?.targets).toEqual(['api-1:9464', 'api-2:9464']);
  expect(read('Caddyfile')).not.toContain('9464');
});

test('the workflow brings up what is there', () => {
  const workflow = readFileSync(join(DOCKER, '../.github/workflows/ci.yml'), 'utf8');
  const { jobs } = parse(workflow) as { jobs: Record<string, { name: string }> };
  const guide = readFileSync(join(DOCKER, '../docs/operations.md'), 'utf8');
  for (const job of ['production', 'replica-set']) expect(guide).toContain(`"${jobs[job]?.name}"`);
  const named = [...workflow.matchAll(/docker\/[\w.-]+\.(?:yaml|sh)/g)].map(([path]) => path);
  expect(new Set(named)).toEqual(new Set(['docker/trial.sh', 'docker/mongo.compose.yaml']));
  for (const path of named) expect([path, existsSync(join(DOCKER, '..', path))]).toEqual([path, true]);
});

test('only the proxy can be reached, each API has an index of its own, and every member of the set asks for the key', () => {
  for (const [name, { ports }] of Object.entries(production.services))
    expect([name, ports?.every((port) => !port.startsWith('127.0.0.1:'))]).toEqual([
      name,
      { proxy: true, grafana: false }[name],
    ]);
  const indexes = apis.map(({ volumes = [] }) => volumes.find((volume) => volume.endsWith(':/data')));
  expect(new Set(indexes).size).toBe(2);
  expect(indexes).not.toContain(undefined);
  for (const name of ['mongo-1', 'mongo-2', 'mongo-3']) {
    expect([production.services[name]?.command].flat().join(' ')).toContain('--replSet rs0 --keyFile /key/file');
    expect(read('mongo/start-set.js')).toContain(`${name}:27017`);
  }
  for (const name of ['api-1', 'api-2']) expect(read('Caddyfile')).toContain(`${name}:4000`);
});
