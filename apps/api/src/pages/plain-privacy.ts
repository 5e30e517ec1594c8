import { KEPT_DATA, KEPT_ELSEWHERE, type KeptData } from '@archive/contracts';
import { escapeText } from '../markup/clean-text.ts';

/** What is kept, why, and for how long. */
export function plainPrivacy(): string {
  const groups = KEPT_DATA.map(({ title, text, data }) => section(title, text, data));
  const elsewhere = section('Beside the database', 'Files of this archive, and of your browser.', KEPT_ELSEWHERE);
  return ['<h1>What is kept, and for how long</h1>', ...groups, elsewhere, '<p><a href="/">All posts</a></p>'].join('');
}

function section(title: string, text: string, data: readonly Pick<KeptData, 'what' | 'why' | 'howLong'>[]): string {
  const rows = data.map(
    ({ what, why, howLong }) =>
      `<tr><td>${escapeText(what)}</td><td>${escapeText(why)}</td><td>${escapeText(howLong)}</td></tr>`,
  );
  const head = '<tr><th>What</th><th>Why</th><th>How long</th></tr>';
  return `<h2>${escapeText(title)}</h2><p>${escapeText(text)}</p><table>${head}${rows.join('')}</table>`;
}
