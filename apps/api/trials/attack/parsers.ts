import {
  buildLaunchMessage,
  buildProfileMessage,
  buildReactionMessage,
  cutFilterText,
  foldText,
  isCategory,
  isDay,
  readFilters,
  tokenNameProblem,
  tokenSymbolProblem,
} from '@archive/contracts';
import {
  INPUTS,
  type InputSchemas,
  newPostSchema,
  platformIdSchema,
  webAddressSchema,
} from '@archive/contracts/schemas';
import { formatAmount, InvalidPriceError, parsePrice } from '@archive/solana/price';
import { decodeAddress, decodeSignature, featureMemo, parseFeatureMemo, verifySignature } from '@archive/solana/verify';
import { TestWallet } from '@archive/testing';
import { checkSignedMessage } from '../../src/accounts/signed-message.ts';
import { Tokens } from '../../src/accounts/tokens.ts';
import { AppError } from '../../src/app-error.ts';
import { readSecretKey } from '../../src/chain/secret-key.ts';
import { classify } from '../../src/classify/classify.ts';
import { clientOf } from '../../src/clients.ts';
import { ConfigError, readConfig } from '../../src/config.ts';
import { fromPlatformPost } from '../../src/ingest/platform-post.ts';
import { findBlockedWord } from '../../src/launches/blocked-words.ts';
import { guardCell, unguardCell } from '../../src/posts/csv.ts';
import { readStreamEvent } from '../../src/sources/bluesky/jetstream-event.ts';

/** A parser of foreign data. */
export interface Parser {
  name: string;
  /** Valid texts, from which the inputs are made. */
  right: string[];
  /** Parses one text. Throws an intended error, or `Wrong` if the result is wrong. */
  read(text: string): void;
  /** Takes milliseconds, so it runs more rarely. */
  isCostly?: boolean;
  /** Whether an error is intended. */
  meant?: (error: unknown) => boolean;
}

export class Wrong extends Error {}

/** Errors that a parser throws on purpose. */
const isRefusal = (error: unknown) => error instanceof AppError && error.code !== 'internal_error';

function must(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Wrong(sentence);
}

const wallet = new TestWallet();
const HEX_ID = '65a4fbd8c2f1a0b3d4e5f607';
const reaction = { action: 'add', reactionType: 'heart', archiveId: HEX_ID, timestamp: 1_790_000_000_000 } as const;
const reactionText = buildReactionMessage({ ...reaction, walletAddress: wallet.address });
const profileText = buildProfileMessage({
  action: 'updateProfile',
  profileData: { bio: 'hello "you"' },
  walletAddress: wallet.address,
  timestamp: 1_790_000_000_000,
  domain: 'localhost:4000',
  nonce: 'abc',
});
const post = JSON.stringify({
  id: '1234567890123456789',
  content: 'words мир 😂',
  author: 'Ada',
  authorUsername: 'ada',
  category: 'tech',
  timestamp: '2026-01-15T09:30:00.000Z',
  url: 'https://x.com/ada/status/1',
  metadata: { a: [1, { b: null }] },
});
const tweet = JSON.stringify({
  tweet: {
    id_str: '1234567890123456789',
    full_text: 'one &amp; two https://t.co/x',
    created_at: 'Thu Jan 15 09:30:00 +0000 2026',
    user: { screen_name: 'ada', name: 'Ada' },
    entities: { urls: [{ url: 'https://t.co/x', expanded_url: 'https://example.org', indices: ['14', '28'] }] },
  },
});
const STREAM_EVENT = JSON.stringify({
  did: 'did:plc:ragtjsm2j2vknwkz3zp4oxrd',
  time_us: 1_795_305_600_000_000,
  kind: 'commit',
  commit: { rev: '3l3qo2vutsw2b', operation: 'delete', collection: 'app.bsky.feed.post', rkey: '3l3qo2vutsw2b' },
});
const config = readConfig({ MONGODB_URI: 'mongodb://localhost', PORT: '4000' });
const tokens = new Tokens({ secrets: ['x'.repeat(32)], issuer: 'http://localhost:4000', now: () => Date.now() });
const query = (text: string) => Object.fromEntries(new URLSearchParams(text));

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Returned as text: invalid JSON never reaches a schema.
    return text;
  }
};

/** Parsers of the bodies of all calls: any JSON is accepted or refused, and never causes an error. */
const bodyParsers: Parser[] = Object.entries(INPUTS).flatMap(([name, inputs]) => {
  const { body }: InputSchemas = inputs;
  if (!body) return [];
  const right = [post, `{"posts":[${post}]}`, profileText, reactionText, '{"amberId":"a","transaction":"b"}'];
  return [{ name: `body of ${name}`, right, read: (text: string) => void body.safeParse(json(text)) }];
});

export const PARSERS: Parser[] = [
  {
    name: 'addresses in base58',
    right: [wallet.address, '11111111111111111111111111111111'],
    read: (text) => must((decodeAddress(text)?.length ?? 32) === 32, 'no 32 bytes'),
  },
  {
    name: 'signatures in base58 and base64',
    right: [wallet.sign('text'), Buffer.from(wallet.signBytes(Buffer.from('text'))).toString('base64')],
    read: (text) => must((decodeSignature(text)?.length ?? 64) === 64, 'no 64 bytes'),
  },
  {
    name: 'signed texts',
    isCostly: true,
    right: [reactionText, profileText, buildLaunchMessage({ name: 'Ada', symbol: 'ADA', id: HEX_ID })],
    read: (message) => {
      const isSame = message === reactionText;
      const signature = SIGNED;
      must(verifySignature({ walletAddress: wallet.address, message, signature }) === isSame, 'another text verified');
    },
  },
  {
    name: 'signed messages in JSON',
    isCostly: true,
    right: [reactionText, profileText],
    read: (message) =>
      void checkSignedMessage(
        { config },
        { walletAddress: wallet.address, message, signature: wallet.sign(message) },
        'add',
      ),
    meant: isRefusal,
  },
  {
    name: 'queries of listings',
    right: [
      'search=мир&page=2&limit=12&sortBy=author&sortOrder=asc',
      'startDate=2026-01-01&endDate=2026-02-01&category=tech',
    ],
    read: (text) => {
      void INPUTS.listArchives.query.safeParse(query(text));
      void INPUTS.exportArchives.query.safeParse(query(text));
      void readFilters(new URLSearchParams(text));
    },
  },
  {
    name: 'pages of reactions',
    right: [`after=${wallet.address}:heart`],
    read: (text) => void INPUTS.listReactions.query.safeParse(query(text)),
  },
  {
    name: 'days',
    right: ['2026-01-15', '2024-02-29', '0001-01-01'],
    read: (text) => must(!isDay(text) || new Date(`${text}T00:00:00Z`).toISOString().startsWith(text), 'no day'),
  },
  {
    name: 'texts of filters',
    right: ['Ärger', 'e\u0301'.repeat(200), '😂'.repeat(201)],
    read: (text) => {
      must(Array.from(cutFilterText(text)).length <= 200, 'longer than a filter');
      void foldText(text);
    },
  },
  {
    name: 'posts',
    right: [post],
    read: (text) => {
      const result = newPostSchema.safeParse(json(text));
      if (!result.success) return;
      must(result.data.content.isWellFormed() && !Number.isNaN(result.data.timestamp.getTime()), 'no post');
    },
  },
  {
    name: 'what posts are about',
    right: [
      '#BitcoinForever $BTC @reuters.com https://github.com/a',
      'nobody:\nme at 3am: *laughs* 💀💀',
      '首相が選挙で\u200b',
    ],
    read: (text) => {
      const post = { content: text, links: [{ url: text }], authorHandle: text, language: text };
      const category = classify(post);
      must(category === null || isCategory(category), 'what a post is about is no category');
    },
  },
  {
    name: 'posts of X',
    right: [tweet],
    read: (text) => void newPostSchema.safeParse(fromPlatformPost(json(text), undefined)),
  },
  {
    name: 'events of Bluesky’s stream',
    right: [STREAM_EVENT, '{"did":"did:web:a.example","time_us":1,"kind":"account","account":{"active":false}}'],
    read: (text) => {
      const event = readStreamEvent(text);
      must(event === null || (event.did.startsWith('did:') && event.at >= 0), 'nobody’s event');
      must(!event?.hint?.id || platformIdSchema.safeParse(event.hint.id).success, 'no id');
    },
  },
  {
    name: 'ids',
    right: ['1234567890123456789', 'abc_DEF-1', HEX_ID],
    read: (text) => must(!platformIdSchema.safeParse(text).success || /^[\w-]{1,64}$/.test(text), 'no id'),
  },
  {
    name: 'addresses of the web',
    right: ['https://x.com/ada/status/1', 'http://[::1]:80/a?b#c'],
    read: (text) =>
      must(!webAddressSchema.safeParse(text).success || /^https?:$/.test(new URL(text).protocol), 'another protocol'),
  },
  {
    name: 'prices',
    right: ['1', '0.000001', '18446744073709551615', '1.001'],
    read: (text) => {
      const units = parsePrice(text, 6);
      must(parsePrice(formatAmount(units, 6), 6) === units, 'another price when read back');
    },
    meant: (error) => error instanceof InvalidPriceError,
  },
  {
    name: 'memos of payments',
    right: [featureMemo(HEX_ID)],
    read: (text) => {
      const id = parseFeatureMemo(text);
      must(id === null || featureMemo(id) === text, 'another memo when written again');
    },
  },
  {
    name: 'names and symbols of tokens',
    right: ['Ada Token', 'ADA', 'with symbol'],
    read: (text) => {
      void tokenNameProblem(text);
      void findBlockedWord(text, ['bad']);
      must(tokenSymbolProblem(text) !== null || /^[A-Z0-9]{1,8}$/i.test(text), 'no symbol');
    },
  },
  {
    name: 'session tokens',
    right: [tokens.sign({ walletAddress: wallet.address, id: 'session' })],
    read: (text) => {
      const claims = tokens.read(text);
      must(claims === null || claims.walletAddress === wallet.address, 'somebody else’s token');
    },
  },
  {
    name: 'cells of CSV',
    right: ['=1+1', "'=1", '@ada', 'words'],
    read: (text) => {
      must(unguardCell(guardCell(text)) === text, 'another cell when read back');
      must(!/^[=+\-@\t\r]/.test(guardCell(text)), 'a formula');
    },
  },
  {
    name: 'addresses of callers',
    right: ['127.0.0.1', '::ffff:1.2.3.4', '2001:db8::1%eth0', 'fe80::1'],
    read: (text) => {
      void clientOf(text);
    },
  },
  { name: 'secret keys', right: [`[${'1,'.repeat(63)}1]`, '1'.repeat(88)], read: (text) => void readSecretKey(text) },
  {
    name: 'settings',
    right: [
      'PUBLIC_URL=https://a.example',
      'CORS_ORIGINS=https://a.example,https://b.example',
      'LAUNCH_BALANCE_FLOOR=0.05',
    ],
    read: (text) => {
      const [name = '', ...value] = text.split('=');
      void readConfig({ MONGODB_URI: 'mongodb://localhost', [name]: value.join('=') });
    },
    meant: (error) => error instanceof ConfigError,
  },
  ...bodyParsers,
];

const SIGNED = wallet.sign(reactionText);
