import { CATEGORIES, type MediaType } from '@archive/contracts';
import type { NewPost } from '@archive/contracts/schemas';

const COMMON =
  'the to of a and in is for on you it that with this be are at have my we was your from so not just but all me as by if out up can what they will about now get no like more do one when he how new or an has people who their our time good today there know go its been day would want think see had his why them because need only back make over here love than right then really still never some us going year us first after life were last way much game got market price great work every thing world week even before thanks look always news best next well live big been down these hope night tonight team help home please show man better off free tomorrow money feel other check keep watch play any bad long into sure someone such thought call getting real start made lot might stop'.split(
    ' ',
  );
const TAGS = '#sol #btc #news #memes #tech $AMZN $SOL $FB #gm #ai #markets #politics'.split(' ');
const EMOJI = ['😂', '🔥', '🚀', '❤️', '👀', '🙏', '💎', '😭', '🎉', '👨‍👩‍👧', '🇧🇷', '✨'];
const OTHER_SCRIPTS = [
  'сегодня хорошая погода в городе и рынок растёт',
  'これはとても面白い投稿です、明日も見てください',
  'هذه رسالة محفوظة إلى الأبد في الكهرمان',
  '今天的市场非常有趣，大家都在看',
  'Ελληνικά κείμενα για την αναζήτηση',
  'das schöne Wetter übertrifft alle Erwartungen straße',
];
// So many that trigrams are about as varied as in written language.
const ONSETS =
  'b bl br c ch cl cr d dr f fl fr g gh gl gn gr h j k kh kl kn kr l ll m mb n ny p ph pl pr ps qu r rh s sc sch sh sk sl sm sn sp spl spr squ st str sv sw t th thr tr ts tw v vl w wh wr x y z zh'.split(
    ' ',
  );
const VOWELS = 'a e i o u y aa ae ai ao au ay ea ee ei eo eu ey ia ie io iu oa oe oi oo ou oy ua ue ui uo'.split(' ');
const CODAS =
  ' b c ck ct d dge f ff ft g gg gth h k ks l lb ld lf lk ll lm lp lt m mb mp n nc nd ng nk nt p pt r rb rd rf rg rk rl rm rn rp rt sh sk sm sp ss st t tch th tt v w x xt z zz'.split(
    ' ',
  );

/** Media and languages of posts; a repeated entry is drawn more often. */
const SHOWN: MediaType[][] = [
  [],
  [],
  [],
  [],
  [],
  ['image'],
  ['image', 'image'],
  ['gif'],
  ['video'],
  ['image', 'video'],
];
const LANGUAGES = ['en', 'en', 'en', 'en-GB', 'ja', 'pt-BR', 'es', 'in', 'fil', null, null, null];
/** Days during which posts are saved. */
const SAVING_DAYS = 400;

/** A small seeded generator (mulberry32): numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A seeded stream of posts that resembles a large archive: Zipf-distributed words and authors, three years, most with a
 * category, a tenth on Bluesky, half with a known language.
 */
export function* generatePosts(count: number, seed = 1, newest = Date.UTC(2026, 10, 20)): Generator<NewPost> {
  const random = seeded(seed);
  // A separate generator, so that other properties of posts do not change their words.
  const apart = seeded(seed + 1_000_000);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const words = [...COMMON];
  for (let i = words.length; i < 50_000; i++) words.push(makeWord(pick, random));
  const zipf = (size: number, skew: number) => Math.floor(size ** (random() ** skew)) - 1;
  const authors = Array.from({ length: 40_000 }, (_, i) => {
    const first = makeWord(pick, random);
    const last = makeWord(pick, random);
    const name = `${capital(first)} ${capital(last)}`;
    return { name: i % 50 === 0 ? `${name} ${pick(EMOJI)}` : name, handle: `${first}_${last}${i}`.slice(0, 50) };
  });
  const span = 3 * 365 * 86_400_000;
  for (let i = 0; i < count; i++) {
    const author = authors[zipf(authors.length, 1)] as (typeof authors)[number];
    const length = 3 + Math.floor(random() * 38);
    const text: string[] = [];
    for (let w = 0; w < length; w++) text.push(words[zipf(words.length, 0.8)] as string);
    if (random() < 0.25) text.push(pick(TAGS));
    if (random() < 0.2) text.push(pick(EMOJI));
    if (random() < 0.2) text.push(`https://t.co/${makeToken(random)}`);
    if (random() < 0.03) text.push(pick(OTHER_SCRIPTS));
    if (random() < 0.05) text.splice(2, 0, '\n');
    const id = String(1_000_000_000_000_000_000n + BigInt(seed) * 10_000_000_000n + BigInt(i) * 7n);
    const language = LANGUAGES[Math.floor(apart() * LANGUAGES.length)];
    const bluesky = apart() < 0.1 ? blueskyPlace(apart) : null;
    yield {
      id: bluesky?.id ?? id,
      content: capital(text.join(' ')),
      author: author.name,
      authorUsername: author.handle,
      authorAvatar: null,
      category: random() < 0.9 ? pick(CATEGORIES) : null,
      timestamp: new Date(newest - Math.floor(random() * span)),
      url: bluesky?.url ?? `https://x.com/${author.handle}/status/${id}`,
      ...(language && { language }),
      metadata: random() < 0.2 ? { quotedBy: `@${makeWord(pick, random)}`, language: 'en' } : {},
    };
  }
}

/** The same posts with save times, half of them with media whose bytes are unknown and cannot be fetched. */
export function* withMedia(posts: Iterable<NewPost>, seed = 1): Generator<NewPost> {
  const random = seeded(seed + 2_000_000);
  const first = Date.UTC(2024, 0, 1);
  for (const post of posts) {
    const media = (SHOWN[Math.floor(random() * SHOWN.length)] ?? []).map((type) => ({ type, key: 'missing' }));
    const savedAt = new Date(first + Math.floor(random() * SAVING_DAYS) * 86_400_000);
    const isTold = random() < 0.5;
    yield { ...post, ...(media.length > 0 && { media }), ...(isTold && { savedAt }) };
  }
}

function blueskyPlace(random: () => number): { id: string; url: string } {
  const letters = (count: number) =>
    Array.from({ length: count }, () => 'abcdefghijklmnopqrstuvwxyz234567'[Math.floor(random() * 32)]).join('');
  const [author, key] = [letters(24), letters(13)];
  return { id: `bsky-${author}-${key}`, url: `https://bsky.app/profile/did:plc:${author}/post/${key}` };
}

function makeWord(pick: <T>(list: readonly T[]) => T, random: () => number): string {
  let word = '';
  const syllables = 1 + Math.floor(random() * 2.4);
  for (let s = 0; s < syllables; s++) word += pick(ONSETS) + pick(VOWELS) + (random() < 0.6 ? pick(CODAS) : '');
  return word;
}

function makeToken(random: () => number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  let token = '';
  for (let i = 0; i < 10; i++) token += letters[Math.floor(random() * letters.length)];
  return token;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
