import { expect, test } from '@jest/globals';
import { ConfigError, readConfig } from './config.ts';

const base = { MONGODB_URI: 'mongodb://localhost' };

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
  ['RATE_LIMITS', 'no'],
  ['JWT_SECRET', 'short'],
  ['TRUSTED_PROXIES', 'all'],
  ['LOG_LEVEL', 'loud'],
  ['SOLANA_RPC_URL', 'https://user:secret@node.example'],
  ['FEATURE_MINT', 'not an address'],
  ['FEATURE_PRICE', '1e3'],
  ['FEATURE_PRICE', '0.0'],
])('a wrong %s is refused by name: %s', (name, value) => {
  expect(() => readConfig({ ...base, [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ ...base, [name]: value })).toThrow(name);
});

test('production asks for a secret and keeps its limits', () => {
  const production = { ...base, NODE_ENV: 'production' };
  expect(() => readConfig(production)).toThrow('JWT_SECRET must be set in production');
  const secret = 'x'.repeat(32);
  expect(() => readConfig({ ...production, JWT_SECRET: secret, RATE_LIMITS: 'off' })).toThrow('RATE_LIMITS');
  expect(readConfig({ ...production, JWT_SECRET: secret }).isProduction).toBe(true);
});

test('launching needs a key in production, and is off without one', () => {
  const production = { ...base, NODE_ENV: 'production', JWT_SECRET: 's'.repeat(32) };
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
  expect(() => readConfig({ ...production, LAUNCH_PLATFORM: 'pumpfun' })).toThrow('LAUNCH_KEYPAIR must be set');
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
