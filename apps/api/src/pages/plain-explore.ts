import { type Explore, type Post, PRODUCT_NAME, printFilters } from '@archive/contracts';
import { escapeText } from '../markup/clean-text.ts';
import { authorPath, plainNote, plainPost } from './plain-html.ts';

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });

/**
 * The Explore page as lists of links. `shown` are posts of this week and of this day in other years, in the form that
 * may be given out.
 */
export function plainExplore(
  { total, categories, activeAuthors, newAuthors, languages, onThisDay }: Explore,
  { title, shown, origin }: { title: string; shown: readonly Post[]; origin: string },
): string {
  if (total === 0) return `<h1>${escapeText(title)}</h1>${plainNote(`${PRODUCT_NAME} holds no post yet.`)}`;
  const days = onThisDay.years.map(({ day, count }) => entry(listPath({ startDate: day, endDate: day }), day, count));
  return [
    `<h1>${escapeText(title)}</h1>`,
    section(
      'Categories',
      categories.map(({ category, count }) => entry(listPath({ category }), category, count)),
    ),
    section(
      'Most active authors',
      activeAuthors.map(({ author, username, count }) => entry(authorPath(username), author, count)),
    ),
    section(
      'New here',
      newAuthors.map(({ author, username, count }) => entry(authorPath(username), author, count)),
    ),
    section(
      'Languages',
      languages.map(({ language, count }) => entry(listPath({ language }), LANGUAGES.of(language) ?? language, count)),
    ),
    section('On this day', days),
    ...shown.map((post) => plainPost(post, origin)),
    '<p><a href="/">All posts</a></p>',
  ].join('');
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `<h2>${title}</h2><ul>${entries.join('')}</ul>`;
}

function entry(path: string, name: string, count: number): string {
  return `<li><a href="${escapeText(path)}"><bdi>${escapeText(name)}</bdi></a> ${count.toLocaleString('en')}</li>`;
}

function listPath(filter: Parameters<typeof printFilters>[0]): string {
  return `/?${printFilters(filter)}`;
}
