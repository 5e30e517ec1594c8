import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { type Config, ConfigError, readConfig, readDatabaseUri, SECRET_NAMES, SETTING_NAMES } from './config.ts';
import { newPushKeys } from './push-keys.ts';

const base = { MONGODB_URI: 'mongodb://localhost' };
const PUSH = newPushKeys();

test('every setting has a default but the database', () => {
  expect(readConfig(base)).toMatchObject({
    port: 4000,
    corsOrigins: [],
    avatarHosts: ['pbs.twimg.com', 'abs.twimg.com'],
  });
  expect(() => readConfig({})).toThrow('MONGODB_URI must be set');
});

test('an empty setting counts as absent', () => {
  expect(readConfig({ ...base, PORT: '', PUBLIC_URL: '' }).publicUrl.href).toBe('http://localhost:4000/');
});

test.each([
  ['PORT', 'many'],
  ['PORT', '70000'],
  ['MONGODB_URI', 'http://localhost'],
  ['PUBLIC_URL', 'archive.example'],
  ['CORS_ORIGINS', 'https://a.example,*'],
  ['CORS_ORIGINS', 'https://a.example/path'],
  ['AVATAR_HOSTS', "pbs.twimg.com,x; script-src 'unsafe-inline'"],
  ['AGENT_HANDLE', 'two words'],
  ['LAUNCH_INFO_ID', 'a b'],
  ['CATEGORISER_URL', 'sorts.example'],
  ['CATEGORISER_URL', 'https://user:secret@sorts.example'],
  ['CATEGORISER_KEY', 'two\nlines'],
  ['RATE_LIMITS', 'no'],
  ['ADMIN_WALLETS', 'nobody'],
  ['ADMIN_WALLETS', 'So11111111111111111111111111111111111111112,nobody'],
  ['AUDIT_KEY', 'short'],
  ['AUDIT_DAYS', '0'],
  ['JWT_SECRET', 'short'],
  ['TRUSTED_PROXIES', 'all'],
  ['LOG_LEVEL', 'loud'],
  ['SECURITY_CONTACT', 'security@example.org'],
  ['SECURITY_CONTACT', 'https://a.example\nExpires: never'],
  ['SOLANA_RPC_URL', 'https://user:secret@node.example'],
  ['FEATURE_MINT', 'not an address'],
  ['FEATURE_PRICE', '1e3'],
  ['FEATURE_PRICE', '0.0'],
  ['MEDIA_MAX_MB', '0'],
  ['MEDIA_MAX_MB', '2.5'],
  ['MEDIA_MB_PER_DAY', '0'],
  ['S3_ENDPOINT', 'store.example'],
  ['S3_BUCKET', 'A bucket'],
  ['S3_REGION', 'Europe!'],
  ['BLUESKY_JETSTREAM_URL', 'https://jetstream.example'],
  ['BLUESKY_JETSTREAM_URL', 'on'],
  ['BLUESKY_JETSTREAM_URL', 'wss://jetstream.example/subscribe'],
  ['BLUESKY_JETSTREAM_URL', 'wss://jetstream.example?cursor=1'],
  ['BLUESKY_JETSTREAM_URL', 'wss://jetstream.example/#a'],
  ['BLUESKY_JETSTREAM_URL', 'wss://user:secret@jetstream.example'],
  ['SOURCE_LOCAL_HOSTS', 'localhost'],
  ['SOURCE_LOCAL_HOSTS', 'http://localhost:2583'],
])('a wrong %s is refused by name: %s', (name, value) => {
  expect(() => readConfig({ ...base, [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ ...base, [name]: value })).toThrow(name);
});

test('media lie in the data directory unless a store is named, and that is named whole', () => {
  const limits = { MEDIA_MAX_MB: '5', MEDIA_MB_PER_DAY: '160' };
  expect(readConfig({ ...base, ...limits }).media).toEqual({ maxBytes: 5e6, dayBytes: 160e6, s3: null });
  const store = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'kept', S3_KEY: 'key', S3_SECRET: 'secret' };
  expect(readConfig({ ...base, ...store, S3_REGION: 'eu-1' }).media.s3).toEqual({
    endpoint: 'https://s3.example',
    bucket: 'kept',
    key: 'key',
    secret: 'secret',
    region: 'eu-1',
  });
  for (const name of Object.keys(store))
    expect(() => readConfig({ ...base, ...store, [name]: '' })).toThrow('must be set together');
});

test('a categoriser has an address; key and model are optional', () => {
  expect(readConfig(base).categoriser).toBeNull();
  const url = 'http://localhost:11434/v1/chat/completions';
  expect(readConfig({ ...base, CATEGORISER_URL: url }).categoriser).toEqual({ url, key: null, model: null });
  const whole = { CATEGORISER_URL: url, CATEGORISER_KEY: 'k', CATEGORISER_MODEL: 'm' };
  expect(readConfig({ ...base, ...whole }).categoriser).toEqual({ url, key: 'k', model: 'm' });
  for (const alone of [{ CATEGORISER_KEY: 'k' }, { CATEGORISER_MODEL: 'm' }])
    expect(() => readConfig({ ...base, ...alone })).toThrow('need CATEGORISER_URL');
});

const KEYPAIR = bs58.encode(nacl.sign.keyPair().secretKey);

const production = {
  ...base,
  NODE_ENV: 'production',
  AUDIT_KEY: 'a'.repeat(32),
  JWT_SECRET: 's'.repeat(32),
  PUBLIC_URL: 'https://archive.example',
  TRUSTED_PROXIES: '1',
};

/** Settings without which the addresses are not read. */
const COMPANIONS = {
  BLUESKY_IDENTIFIER: 'keeper.example',
  BLUESKY_PASSWORD: 'app password',
  LAUNCH_METADATA: 'ipfs',
  LAUNCH_IPFS_ENDPOINT: 'https://pin.example',
  SOLANA_RPC_URL: 'https://node.example',
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'kept',
  S3_KEY: 'key',
  S3_SECRET: 'secret',
};
/** Settings whose values are shown, sent or opened, but are no addresses to fetch. */
const TEXTS = [
  'BLUESKY_IDENTIFIER',
  'BLUESKY_PASSWORD',
  'DATA_DIR',
  'LAUNCH_BLOCKED_WORDS',
  'LAUNCH_CONTRACT_ADDRESS',
  'LAUNCH_IPFS_TOKEN',
  'LAUNCH_PLATFORM_NAME',
  'S3_KEY',
  'S3_SECRET',
  'WEB_DIR',
];

function tryConfig(env: Record<string, string>): Config | null {
  try {
    return readConfig(env);
  } catch {
    return null;
  }
}

test('production says in one sentence each what is missing, all at once', () => {
  expect(readConfig(production)).toMatchObject({ isProduction: true, trustedProxies: 1 });
  expect(readConfig({ ...production, TRUSTED_PROXIES: '0' }).trustedProxies).toBe(0);
  expect(() => readConfig({ ...base, NODE_ENV: 'production' })).toThrow(
    [
      'AUDIT_KEY must be set in production, to 32 bytes or more',
      'JWT_SECRET must be set in production, to 32 bytes or more',
      'PUBLIC_URL must be set in production: sign-in texts and tokens name it for good',
      'TRUSTED_PROXIES must be set in production: the number of proxies in front, 0 where there are none',
    ].join('\n'),
  );
});

test('wrong, missing and unreadable settings are told together, and nothing that follows from one of them', () => {
  const env = {
    NODE_ENV: 'production',
    PORT: 'many',
    JWT_SECRET: 'short',
    AUDIT_KEY_FILE: '/nowhere/audit_key',
    PUBLIC_URL: 'https://localhost',
    X_API_KEY: 'alone',
    S3_BUCKET: 'alone',
    LAUNCH_TOKEN_SUPPLY: '99999999999999999999',
  };
  expect(() => readConfig(env)).toThrow(
    new ConfigError(
      [
        'AUDIT_KEY_FILE names /nowhere/audit_key, which cannot be read (ENOENT)',
        'PORT must be a port number',
        'MONGODB_URI must be set; "npm start" brings its own database',
        'JWT_SECRET must be at least 32 bytes',
        'X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET need each other',
        'PUBLIC_URL must be an https address that others reach in production, not this machine’s own',
        'TRUSTED_PROXIES must be set in production: the number of proxies in front, 0 where there are none',
        'LAUNCH_TOKEN_SUPPLY must fit 64 bits with LAUNCH_TOKEN_DECIMALS',
        'S3_ENDPOINT, S3_BUCKET, S3_KEY, S3_SECRET must be set together; not set: S3_ENDPOINT, S3_KEY, S3_SECRET',
      ].join('\n'),
    ),
  );
});

/** Settings that accept an http address in development. */
const ADDRESSES = SETTING_NAMES.filter((name) => {
  const given = ['http://asked.example', 'http://asked.example/'].some((address) => {
    const parsed = tryConfig({ ...base, ...COMPANIONS, [name]: address });
    return parsed !== null && inspect(parsed, { depth: 9 }).includes('asked.example');
  });
  return given && !['PUBLIC_URL', 'CORS_ORIGINS', ...TEXTS].includes(name);
});

test.each(ADDRESSES)(
  'production asks %s over plain http on this machine and on a host that is named private alone',
  (name) => {
    const read = (address: string, more = {}) => readConfig({ ...production, ...COMPANIONS, [name]: address, ...more });
    const sentence = `${name} must begin with https:// in production, unless its host is this machine or stands in PRIVATE_HOSTS`;
    for (const address of [
      'http://asked.example',
      'http://10.0.0.7:8080/path',
      'HTTP://asked.example',
      'http://localhost.asked.example',
    ])
      expect(() => read(address)).toThrow(new ConfigError(sentence));
    for (const address of [
      'https://asked.example',
      'http://localhost:9000',
      'http://127.0.0.1:9000',
      'http://[::1]:9000',
    ])
      expect(() => read(address)).not.toThrow();
    expect(() => read('http://asked.internal:9200', { PRIVATE_HOSTS: 'other.internal,asked.internal' })).not.toThrow();
    expect(() => read('http://asked.internal.example', { PRIVATE_HOSTS: 'asked.internal' })).toThrow(sentence);
  },
);

test('the settings that production asks over https alone are these', () => {
  expect(ADDRESSES.toSorted()).toEqual([
    'BLUESKY_APPVIEW_URL',
    'BLUESKY_PLC_URL',
    'BLUESKY_SERVICE',
    'CATEGORISER_URL',
    'LAUNCH_IPFS_ENDPOINT',
    'LAUNCH_IPFS_GATEWAY',
    'PUBLIC_SOLANA_RPC_URL',
    'S3_ENDPOINT',
    'SOLANA_RPC_FALLBACK_URL',
    'SOLANA_RPC_URL',
    'X_BASE_URL',
  ]);
});

test.each([
  [{ PUBLIC_URL: 'http://archive.example' }, 'PUBLIC_URL must begin with https:// in production'],
  ...[
    'https://localhost',
    'https://127.0.0.1:8443',
    'https://[::1]',
    'https://amber.localhost',
    'http://localhost',
  ].map(
    (url) =>
      [
        { PUBLIC_URL: url },
        'PUBLIC_URL must be an https address that others reach in production, not this machine’s own',
      ] as const,
  ),
  ...[
    'ws://jetstream.example',
    'wss://jetstream.example:8443',
    'wss://localhost',
    'wss://192.0.2.1',
    'wss://[2001:db8::1]',
  ].map(
    (url) =>
      [
        { BLUESKY_JETSTREAM_URL: url },
        'BLUESKY_JETSTREAM_URL must be wss:// and a host’s public name in production, without a port, or off',
      ] as const,
  ),
  [{ RATE_LIMITS: 'off' }, 'RATE_LIMITS must be on in production'],
  [
    { SOURCE_LOCAL_HOSTS: 'localhost:2583' },
    'SOURCE_LOCAL_HOSTS must be empty in production: posts could have servers of your own network asked',
  ],
  [
    { LAUNCH_KEYPAIR: KEYPAIR },
    'LAUNCH_BALANCE_FLOOR must be set in production beside LAUNCH_KEYPAIR: the SOL that launches leave on the key',
  ],
  [{ LAUNCH_PLATFORM: 'pumpfun' }, 'LAUNCH_KEYPAIR must be set in production where LAUNCH_PLATFORM is'],
])('production refuses %j', (env, sentence) => {
  expect(() => readConfig({ ...production, ...env })).toThrow(new ConfigError(sentence));
  expect(() => readConfig({ ...base, ...env })).not.toThrow();
});

test('launching is off in production without a key, and needs no floor while it is off', () => {
  expect(readConfig(base).launch).toMatchObject({
    platform: 'token-2022',
    dailyCap: 100,
    walletCap: 5,
    addressCap: 10,
    minTokens: null,
    balanceFloor: 50_000_000n,
    decimals: 6,
    supply: 10n ** 15n,
    pinning: null,
  });
  expect(readConfig(production).launch.platform).toBe('off');
  expect(readConfig({ ...production, LAUNCH_KEYPAIR: KEYPAIR, LAUNCH_PLATFORM: 'off' }).launch.platform).toBe('off');
  const open = { ...production, LAUNCH_KEYPAIR: KEYPAIR, LAUNCH_BALANCE_FLOOR: '0.2' };
  expect(readConfig(open).launch).toMatchObject({ platform: 'token-2022', balanceFloor: 200_000_000n });
});

test('a secret of before is as long as one, and another one', () => {
  const secret = 'p'.repeat(32);
  expect(readConfig({ ...production, JWT_SECRET_PREVIOUS: secret }).previousJwtSecret).toBe(secret);
  expect(readConfig(production).previousJwtSecret).toBeNull();
  expect(() => readConfig({ ...production, JWT_SECRET_PREVIOUS: 'short' })).toThrow('JWT_SECRET_PREVIOUS');
  expect(() => readConfig({ ...base, JWT_SECRET_PREVIOUS: secret })).toThrow(
    'JWT_SECRET_PREVIOUS needs JWT_SECRET, and differs from it',
  );
  expect(() => readConfig({ ...production, JWT_SECRET_PREVIOUS: production.JWT_SECRET })).toThrow('differs from it');
});

describe('a search cluster', () => {
  test('is named by its nodes, with an account and an authority', () => {
    const { search } = readConfig({ ...base, SEARCH_URL: 'http://127.0.0.1:9200, http://localhost:9201' });
    expect(search).toMatchObject({ name: 'amber', shards: 3, replicas: 1, account: null, ca: null });
    expect(search?.nodes.map(String)).toEqual(['http://127.0.0.1:9200/', 'http://localhost:9201/']);
    const account = { SEARCH_USERNAME: 'archive', SEARCH_PASSWORD: 'searching' };
    expect(readConfig({ ...base, SEARCH_URL: 'https://search.example', ...account }).search?.account).toEqual({
      username: 'archive',
      password: 'searching',
    });
    expect(readConfig(base).search).toBeNull();
  });

  test.each([
    [{ SEARCH_URL: 'http://search.example' }, 'SEARCH_URL must begin with https:// for search.example'],
    [{ SEARCH_URL: 'https://me:word@search.example' }, 'SEARCH_USERNAME and SEARCH_PASSWORD name them'],
    [
      { SEARCH_URL: 'https://search.example', SEARCH_USERNAME: 'archive' },
      'SEARCH_USERNAME and SEARCH_PASSWORD need each other',
    ],
    [{ SEARCH_USERNAME: 'archive', SEARCH_PASSWORD: 'word' }, 'need SEARCH_URL'],
    [{ SEARCH_URL: 'https://search.example', SEARCH_CA: '/nowhere.pem' }, 'must be a file of a certificate'],
    [{ SEARCH_URL: 'https://search.example', SEARCH_INDEX: 'Amber-1' }, 'SEARCH_INDEX'],
  ])('is refused as %j, in a sentence without the password', (given, sentence) => {
    const refused = () => readConfig({ ...base, ...given });
    expect(refused).toThrow(sentence);
    expect(refused).not.toThrow('word@');
  });

  test('is spoken to in clear where the operator names its host', () => {
    const given = { ...base, SEARCH_URL: 'http://10.0.0.5:9200', PRIVATE_HOSTS: '10.0.0.5' };
    expect(readConfig(given).search?.nodes).toHaveLength(1);
  });
});

describe('secrets from files', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (content: string) => {
    const path = join(folder, String(Math.random()));
    writeFileSync(path, content);
    return path;
  };

  test('every secret may stand in a file; the line break at its end is not part of it', () => {
    const values: Record<string, string> = {
      AUDIT_KEY: 'a'.repeat(40),
      BLUESKY_PASSWORD: 'app password',
      CATEGORISER_KEY: 'sorting',
      JWT_SECRET: ` ${'j'.repeat(40)} `,
      JWT_SECRET_PREVIOUS: 'p'.repeat(40),
      LAUNCH_KEYPAIR: KEYPAIR,
      LAUNCH_IPFS_TOKEN: 'pinning',
      MONGODB_URI: 'mongodb://user:password@db.example',
      S3_KEY: 'key',
      S3_SECRET: 'secret',
      SEARCH_PASSWORD: 'searching',
      SOLANA_RPC_URL: 'https://one.example/?key=1',
      SOLANA_RPC_FALLBACK_URL: 'https://two.example/?key=2',
      VAPID_PRIVATE_KEY: PUSH.privateKey,
      X_API_KEY: 'an app',
      X_API_SECRET: 'its secret',
      X_ACCESS_TOKEN: 'an account',
      X_ACCESS_SECRET: 'and its secret',
    };
    expect(SECRET_NAMES.toSorted()).toEqual(Object.keys(values).toSorted());
    const rest = {
      VAPID_PUBLIC_KEY: PUSH.publicKey,
      BLUESKY_IDENTIFIER: 'keeper.example',
      CATEGORISER_URL: 'https://sorts.example/v1/chat/completions',
      LAUNCH_BALANCE_FLOOR: '1',
      LAUNCH_METADATA: 'ipfs',
      LAUNCH_IPFS_ENDPOINT: 'https://pin.example',
      PUBLIC_URL: production.PUBLIC_URL,
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'kept',
      SEARCH_URL: 'https://search.example',
      SEARCH_USERNAME: 'archive',
      TRUSTED_PROXIES: '0',
      NODE_ENV: 'production',
    };
    const [one, two, three] = ['\n', '\r\n', ''].map((end) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}_FILE`, file(value + end)])),
    );
    const given = readConfig({ ...rest, ...values });
    expect(given.jwtSecret).toBe(values['JWT_SECRET']);
    for (const files of [one, two, three]) expect(readConfig({ ...rest, ...files })).toEqual(given);
  });

  test('a secret is given once, in a file that can be read and holds something', () => {
    const both = { ...base, JWT_SECRET: 'j'.repeat(40), JWT_SECRET_FILE: file('j'.repeat(40)) };
    expect(() => readConfig(both)).toThrow(new ConfigError('JWT_SECRET and JWT_SECRET_FILE must not both be set'));
    const missing = join(folder, 'nothing');
    expect(() => readConfig({ ...base, JWT_SECRET_FILE: missing })).toThrow(
      new ConfigError(`JWT_SECRET_FILE names ${missing}, which cannot be read (ENOENT)`),
    );
    expect(() => readConfig({ ...base, JWT_SECRET_FILE: folder })).toThrow('cannot be read (EISDIR)');
    const empty = file('\n');
    expect(() => readConfig({ ...base, JWT_SECRET_FILE: empty })).toThrow(
      new ConfigError(`JWT_SECRET_FILE names ${empty}, which is empty`),
    );
    expect(readConfig({ ...base, JWT_SECRET: 'j'.repeat(40), JWT_SECRET_FILE: '' }).jwtSecret).toBe('j'.repeat(40));
  });

  test('a wrong secret is named without being told', () => {
    expect(() => readConfig({ ...base, LAUNCH_KEYPAIR_FILE: file('my-secret-words') })).toThrow(/^(?!.*my-secret)/);
  });

  test('the database may be named by a file, and need not be named at all where one is brought along', () => {
    expect(readDatabaseUri({})).toBeNull();
    expect(readDatabaseUri(base)).toBe('mongodb://localhost');
    expect(readDatabaseUri({ MONGODB_URI_FILE: file('mongodb://elsewhere\n') })).toBe('mongodb://elsewhere');
  });
});

test.each([
  ['LAUNCH_PLATFORM', 'moon'],
  ['LAUNCH_KEYPAIR', '[1,2,3]'],
  ['LAUNCH_DAILY_CAP', '-1'],
  ['LAUNCH_ADDRESS_CAP', 'none'],
  ['LAUNCH_MIN_TOKENS', '1e3'],
  ['LAUNCH_MIN_TOKENS', '-1'],
  ['LAUNCH_BALANCE_FLOOR', '1e3'],
  ['LAUNCH_TOKEN_SUPPLY', '99999999999999999999'],
  ['LAUNCH_METADATA', 'ipfs'],
])('a wrong %s is refused by name', (name, value) =>
  expect(() => readConfig({ ...base, [name]: value })).toThrow(/LAUNCH_/),
);

test('tokens that a wallet must hold are of the project’s mint', () => {
  expect(() => readConfig({ ...base, LAUNCH_MIN_TOKENS: '0.5' })).toThrow('LAUNCH_MIN_TOKENS needs FEATURE_MINT');
  expect(readConfig({ ...base, LAUNCH_MIN_TOKENS: '0.00' }).launch.minTokens).toBeNull();
  const mint = 'So11111111111111111111111111111111111111112';
  expect(readConfig({ ...base, LAUNCH_MIN_TOKENS: '0.5', FEATURE_MINT: mint }).launch.minTokens).toBe('0.5');
});

test('the public Jetstream is followed where posts are read from the public network, another one where it is named', () => {
  const jetstream = (env: object) => readConfig({ ...base, ...env }).sources.bluesky.jetstream;
  const own = { BLUESKY_APPVIEW_URL: 'https://appview.example' };
  expect(jetstream({})).toBe('wss://jetstream2.us-east.bsky.network');
  expect(jetstream({ BLUESKY_JETSTREAM_URL: 'off' })).toBeNull();
  expect(jetstream(own)).toBeNull();
  expect(jetstream({ BLUESKY_PLC_URL: 'https://plc.example' })).toBeNull();
  expect(jetstream({ ...own, BLUESKY_JETSTREAM_URL: 'wss://jetstream.example' })).toBe('wss://jetstream.example');
  expect(jetstream({ BLUESKY_JETSTREAM_URL: 'ws://localhost:6008/' })).toBe('ws://localhost:6008/');
  const named = { ...production, BLUESKY_JETSTREAM_URL: 'wss://jetstream.example:443/' };
  expect(jetstream(named)).toBe('wss://jetstream.example:443/');
  expect(jetstream({ ...production, BLUESKY_JETSTREAM_URL: 'off' })).toBeNull();
});

test('keys for pushing are a pair, or nothing is pushed', () => {
  const { publicKey, privateKey } = PUSH;
  expect(readConfig(base).push).toBeNull();
  expect(readConfig({ ...base, VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }).push).toEqual(PUSH);
  expect(() => readConfig({ ...base, VAPID_PUBLIC_KEY: publicKey })).toThrow('need each other');
  expect(() => readConfig({ ...base, VAPID_PRIVATE_KEY: privateKey })).toThrow('need each other');
  for (const wrong of [newPushKeys().privateKey, 'A', `${privateKey}=`, Buffer.alloc(32).toString('base64url')]) {
    const env = { ...base, VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: wrong };
    expect(() => readConfig(env)).toThrow('must be a pair');
  }
});
