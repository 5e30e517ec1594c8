/** How the search compares texts, implemented independently of the product. */

/** The first 200 code points count. */
function cut(asked: string): string {
  return asked.length <= 200 ? asked : Array.from(asked).slice(0, 200).join('');
}

export function holds(text: string, asked: string): boolean {
  return fold(text).includes(fold(cut(asked)));
}

/** Whether a text is `@` and something. */
export function asksHandle(asked: string): boolean {
  return /^@./s.test(fold(cut(asked)));
}

export function holdsPart(handle: string, asked: string): boolean {
  return fold(handle).includes(fold(cut(asked)).slice(1));
}

const folded = new Map<string, string>();

export function fold(text: string): string {
  let known = folded.get(text);
  if (known === undefined) {
    known = foldAnew(text);
    folded.set(text, known);
  }
  return known;
}

/** Character by character, as the rules state. */
function foldAnew(text: string): string {
  const SAME: Record<string, string> = { '‘': "'", '’': "'", ʼ: "'", '“': '"', '”': '"' };
  const half = Array.from(text.toLowerCase(), (sign) => {
    const point = sign.codePointAt(0) as number;
    return point >= 0xff01 && point <= 0xff5e ? String.fromCodePoint(point - 0xfee0) : sign;
  });
  const kept: string[] = [];
  let letter = '';
  for (const sign of half.join('').normalize('NFD')) {
    const isAccent = sign >= '\u0300' && sign <= '\u036f';
    if (isAccent && /[\p{Script=Latin}\p{Script=Greek}]/u.test(letter)) continue;
    if (sign === '\u0308' && kept.at(-1) === 'е') continue;
    letter = sign;
    kept.push(sign);
  }
  return Array.from(kept.join('').normalize('NFC'), (sign) => SAME[sign] ?? sign).join('');
}
