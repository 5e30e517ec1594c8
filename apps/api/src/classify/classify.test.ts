import { CATEGORIES, type Category } from '@archive/contracts';
import { processorMsOf } from '@archive/testing/processor-time';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classify, type PostToClassify } from './classify.ts';
import { ACCOUNTS, CASHTAGS, HOSTS, WORDS } from './evidence.ts';
import { normalise, splitWords } from './post-words.ts';

const LONGEST_MS = 1_000;

function post(content: string, rest: Partial<PostToClassify> = {}): PostToClassify {
  return { content, links: [], authorHandle: 'somebody', language: null, ...rest };
}

const EXAMPLES: Record<Category, string[]> = {
  casual: [
    'Good morning! Pancakes and coffee with my sister before the rain.',
    'Buenos días, hoy desayuno con mi abuela y mi perro',
  ],
  crypto: ['Moved my bitcoin to a hardware wallet, gas fees were fine', 'ビットコインを買った'],
  market: ['The Fed left interest rates alone and bond yields fell', 'Die Börse ist im Plus, Anleger kaufen Aktien'],
  meme: ['nobody:\nabsolutely nobody:\nme at 3am: shrek', 'POV: you are the main character 💀💀'],
  news: [
    'BREAKING: At least 12 people killed in earthquake, officials say',
    'Última hora: incendio forestal, dos heridos',
  ],
  other: ['A hat-trick in the Champions League final, what a match', 'The orchestra plays a symphony at the museum'],
  political: ['The senate votes on gun control before the midterms', 'Die Opposition im Bundestag verlangt Neuwahlen'],
  tech: ['Refactored the backend in TypeScript and the API latency halved', '程序员写了一天代码，服务器还是挂了'],
  troll: ['Cry harder, nobody asked, you absolute clown 🤡', 'ratio. stay mad. delete your account'],
};

describe('the classifier', () => {
  test.each(CATEGORIES)('knows a post that is plainly %s, in more than one language', (category) => {
    expect(EXAMPLES[category].map((content) => classify(post(content)))).toEqual(
      EXAMPLES[category].map(() => category),
    );
  });

  test.each([
    '',
    '   \n\t',
    '🌙',
    'hello',
    'asdf qwer zxcv hjkl',
    'https://example.org/a https://example.net/b',
    '@someone @someone.bsky.social',
    '1234567890',
    '\u0000\u200b\u202e',
    '\ud83d',
  ])('says nothing of %j', (content) => {
    expect(classify(post(content))).toBeNull();
  });

  test('says nothing where two categories are as likely', () => {
    expect(classify(post('bitcoin and the senate'))).toBeNull();
    expect(classify(post('bitcoin'))).toBe('crypto');
    expect(classify(post('the senate voted'))).toBe('political');
  });

  test('goes by cashtags, by where links lead and by who wrote', () => {
    expect(classify(post('$AAPL'))).toBe('market');
    expect(classify(post('$BTC'))).toBe('crypto');
    expect(classify(post('$5 for lunch'))).toBeNull();
    expect(classify(post('look', { links: [{ url: 'https://gist.github.com/one' }] }))).toBe('tech');
    expect(classify(post('look https://www.reuters.com/world/x'))).toBe('news');
    expect(classify(post('look https://reuters.com.example/x'))).toBeNull();
    expect(classify(post('look', { links: [{ url: 'not an address' }, { url: 'https://' }] }))).toBeNull();
    expect(classify(post('look', { authorHandle: 'Reuters' }))).toBe('news');
    expect(classify(post('look', { authorHandle: '@reuters.com' }))).toBe('news');
  });

  test('takes words of a language for that language alone, where it is known', () => {
    const content = 'gol gol gol museo';
    expect(classify(post(content))).toBe('other');
    expect(classify(post(content, { language: 'es-MX' }))).toBe('other');
    expect(classify(post(content, { language: 'en' }))).toBeNull();
  });

  test('sees through letters that look alike, cannot be seen or stand in hashtags', () => {
    for (const content of [
      '𝐁𝐢𝐭𝐜𝐨𝐢𝐧',
      'ＢＩＴＣＯＩＮ',
      'bit\u200bco\u00adin',
      '#Bitcoin',
      '#bitcoin_forever',
      '#BitcoinForever',
    ])
      expect([content, classify(post(content))]).toEqual([content, 'crypto']);
  });

  test('answers the same for the same post, whatever came before, and never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
        fc.webUrl(),
        (content, handle, url) => {
          const asked = post(content, { authorHandle: handle, links: [{ url }, { url: content }], language: handle });
          const answer = classify(asked);
          classify(post('bitcoin'));
          expect(classify(asked)).toBe(answer);
        },
      ),
    );
  });

  const HOSTILE: [what: string, content: string][] = [
    ['a megabyte of one letter', 'a'.repeat(1_000_000)],
    ['words', 'bitcoin senate '.repeat(70_000)],
    ['letters that cannot be seen', '\u200b'.repeat(1_000_000)],
    ['marks on one letter', `a${'\u0301'.repeat(1_000_000)}`],
    ['Chinese', '选'.repeat(500_000)],
    ['emoji', '💀'.repeat(250_000)],
    ['signs', '$@#'.repeat(300_000)],
    ['numbers and blanks', '1 '.repeat(500_000)],
    ['dots', 'a.'.repeat(500_000)],
    ['quotes', '"`*'.repeat(300_000)],
    ['commas', ', a b c said'.repeat(80_000)],
    ['beginnings of sentences', 'when you '.repeat(100_000)],
    ['addresses', 'https://a '.repeat(100_000)],
  ];

  test.each(HOSTILE)('is not held up by %s', async (_, content) => {
    const links = Array.from({ length: 1_000 }, () => ({ url: 'https://a.b.c.d.e.f.example/x/y/z' }));
    expect(await processorMsOf(() => classify(post(content, { links })))).toBeLessThan(LONGEST_MS);
  });
});

describe('the tables', () => {
  test('hold nothing that no post could match', () => {
    const unreachable = [...WORDS.keys()].filter((key) => splitWords(normalise(key)).join(' ') !== key || key === '');
    expect(unreachable).toEqual([]);
    for (const key of [...ACCOUNTS.keys(), ...CASHTAGS.keys(), ...HOSTS.keys()]) expect(key).toBe(key.toLowerCase());
    for (const key of HOSTS.keys()) expect(() => new URL(`https://${key}`)).not.toThrow();
  });

  test('say something for every category, in words and with a single voice', () => {
    for (const [place, name] of CATEGORIES.entries()) {
      const said = [...WORDS.values()].flat().filter(({ category }) => category === place);
      expect([name, said.length > 100]).toEqual([name, true]);
    }
    for (const says of WORDS.values()) {
      const voices = says.map(({ category, language }) => `${category} ${language}`);
      expect(new Set(voices).size).toBe(voices.length);
    }
  });
});
