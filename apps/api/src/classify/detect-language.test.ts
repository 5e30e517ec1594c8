import { processorMsOf } from '@archive/testing/processor-time';
import { expect, test } from '@jest/globals';
import { detectLanguage } from './detect-language.ts';

test.each([
  ['en', 'The ferry leaves at seven and nobody on board is in a hurry.'],
  ['de', 'Der Zug hatte Verspätung, aber niemand hat sich darüber beschwert.'],
  ['es', 'Mañana vamos al mercado con mi hermana a comprar pescado fresco.'],
  ['fr', 'Nous avons passé la journée au bord de la rivière avec les enfants.'],
  ['pt', 'Amanhã vamos à praia com os meus irmãos e não voltamos cedo.'],
  ['tr', 'Yarın sabah erkenden yola çıkıp köye gideceğiz, hava güzel olacak.'],
  ['ru', 'Вчера вечером мы долго гуляли по набережной и говорили о книгах.'],
  ['uk', 'Учора ввечері ми довго гуляли містом і розмовляли про книжки.'],
  ['el', 'Χθες το βράδυ περπατήσαμε στην παραλία και μιλήσαμε για βιβλία.'],
  ['he', 'אתמול בערב הלכנו לאורך החוף ודיברנו על ספרים ישנים.'],
  ['ar', 'مشينا أمس على شاطئ البحر وتحدثنا طويلا عن الكتب القديمة.'],
  ['hi', 'कल शाम हम नदी के किनारे देर तक टहलते रहे और किताबों की बातें करते रहे।'],
  ['ja', '昨日の夜は友達と川のそばを歩きながら本の話をしました。'],
  ['ko', '어제 저녁에 우리는 강가를 걸으며 오래된 책에 대해 이야기했다.'],
  ['zh', '昨天晚上我们沿着河边散步，聊了很久关于旧书和电影的事情。'],
  ['th', 'เมื่อวานตอนเย็นเราเดินเล่นริมแม่น้ำและคุยกันเรื่องหนังสือเก่า'],
])('tells %s', async (tag, text) => {
  expect(await detectLanguage(text)).toBe(tag);
});

test.each([
  ['nothing', ''],
  ['one word', 'hello'],
  ['19 letters', 'I have been at home.'.replace('.', ' too').slice(0, 24)],
  [
    'links, mentions and hashtags',
    'https://example.org/the-quick-brown-fox @thequickbrownfoxjumps #TheQuickBrownFoxJumpsOverDogs',
  ],
  ['an address without a word', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['numbers and emoji', '1234567890 1234567890 🌙🌙🌙🌙🌙🌙🌙🌙🌙🌙🌙🌙'],
  ['letters without a language', 'asdf qwer zxcv hjkl uiop vbnm tyui ghjk'],
  ['a script it does not know', 'ᚠᚢᚦᚨᚱᚲᚷᚹᚺᚾᛁᛃᛇᛈᛉᛊᛏᛒᛖᛗᛚᛜᛞᛟ'],
])('says nothing of %s', async (_, text) => {
  expect(await detectLanguage(text)).toBeNull();
});

test('counts letters and not code units, and what was written beside links', async () => {
  const letters = 'Der Hund schläft auf dem';
  expect(letters.match(/\p{L}/gu)).toHaveLength(20);
  expect(await detectLanguage(letters)).toBe('de');
  expect(await detectLanguage(letters.slice(0, -1))).toBeNull();
  expect(
    await detectLanguage(
      `Der Hund schläft auf dem Sofa https://example.com/english/words/that/say/nothing @english_name`,
    ),
  ).toBe('de');
});

test('is not held up by long texts', async () => {
  await detectLanguage('The first one loads the tables of the detector.');
  for (const text of [
    'a'.repeat(1_000_000),
    'the quick '.repeat(100_000),
    '选'.repeat(500_000),
    '@#$'.repeat(300_000),
  ]) {
    expect(await processorMsOf(() => detectLanguage(text))).toBeLessThan(1_000);
  }
});
