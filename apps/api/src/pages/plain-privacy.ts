import { KEPT_DATA, KEPT_ELSEWHERE, type KeptData, REMOVED_WORDS } from '@archive/contracts';
import { escapeText } from '../markup/clean-text.ts';

/** What data are stored, why, and for how long. */
export function plainPrivacy(): string {
  const groups = KEPT_DATA.map(({ title, text, data }) => section(title, text, data));
  const elsewhere = section('Beside the database', 'Files of this archive, and of your browser.', KEPT_ELSEWHERE);
  const words = REMOVED_WORDS.map(({ where, howLong }) => [where, howLong]);
  const removed = `<h2>Words of a removed post</h2>${table(['Where', 'How long'], words)}`;
  const back = '<p><a href="/">All posts</a></p>';
  return ['<h1>What is kept, and for how long</h1>', ...groups, elsewhere, removed, back].join('');
}

function section(title: string, text: string, data: readonly Pick<KeptData, 'what' | 'why' | 'howLong'>[]): string {
  const rows = data.map(({ what, why, howLong }) => [what, why, howLong]);
  return `<h2>${escapeText(title)}</h2><p>${escapeText(text)}</p>${table(['What', 'Why', 'How long'], rows)}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeText(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${line(heads, 'th')}${rows.map((row) => line(row, 'td')).join('')}</table>`;
}
