import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CATEGORIES, type Category, isCategory } from '@archive/contracts';
import bayes from 'classificator';
import { classify } from '../src/classify/classify.ts';
import { detectLanguage } from '../src/classify/detect-language.ts';
import { describeMachine } from './measure.ts';

interface Labelled {
  content: string;
  authorHandle: string;
  links: { url: string }[];
  category: Category;
}

interface Scores {
  macroF1: number;
  /** Share of correct answers among the posts with a named category. */
  precision: number;
  /** Share of posts with a named category. */
  coverage: number;
  each: { category: Category; precision: number; recall: number; f1: number; named: number; real: number }[];
  /** Rows are the real categories, columns the answers, in the order of `CATEGORIES`. The last column is no answer. */
  confusion: number[][];
}

const FOLDER = resolve(import.meta.dirname, '../trials/classify');
const FOLDS = 10;
const MUST_PRECISION = 0.8;
const MUST_POSTS_PER_SECOND = 5_000;
const TIMED_POSTS = 50_000;

/**
 * `npm run bench -- classify`: runs the classifier on the labelled posts and prints only sums, so that its developers
 * can run this without seeing the posts. `development` uses the posts of its development instead and prints each wrong
 * answer.
 */
export async function benchClassify(args: string[]): Promise<void> {
  const isDevelopment = args.includes('development');
  const file = join(FOLDER, isDevelopment ? 'development-posts.ndjson' : 'labelled-posts.ndjson');
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  const posts = readPosts(file);
  const languages = await Promise.all(posts.map(({ content }) => detectLanguage(content)));
  const ask = (post: Labelled, at: number) => classify({ ...post, language: languages[at] ?? null });
  const said = posts.map(ask);

  const ours = scoreOf(posts, said);
  const most = mostFrequent(posts);
  const rows: [string, Scores][] = [
    ['the classifier', ours],
    [
      `most frequent (${most})`,
      scoreOf(
        posts,
        posts.map(() => most),
      ),
    ],
    [`bag of words, naive Bayes, ${FOLDS} folds of the same posts`, scoreOf(posts, bagOfWords(posts))],
  ];
  console.log(`\n${describeMachine()}\n\n${posts.length} posts, ${isDevelopment ? 'development' : 'labelled'}\n`);
  console.log(['|  | macro F1 | precision where it speaks | speaks |', '| --- | --- | --- | --- |'].join('\n'));
  for (const [name, { macroF1, precision, coverage }] of rows)
    console.log(`| ${name} | ${macroF1.toFixed(3)} | ${precision.toFixed(3)} | ${percent(coverage)} |`);
  console.log(`\n${eachTable(ours)}\n\n${confusionTable(ours)}`);
  if (isDevelopment) {
    posts.forEach((post, at) => {
      if (said[at] !== post.category) console.log(`${post.category} as ${said[at]}: ${post.content.slice(0, 100)}`);
    });
  }
  const rate = postsPerSecond(posts, languages);
  console.log(`\n${Math.round(rate).toLocaleString('en')} posts/s`);
  if (ours.precision < MUST_PRECISION || rate < MUST_POSTS_PER_SECOND) process.exitCode = 1;
}

function readPosts(file: string): Labelled[] {
  const posts = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Labelled);
  const wrong = posts.findIndex(({ content, category }) => typeof content !== 'string' || !isCategory(category));
  if (wrong !== -1) throw new Error(`line ${wrong + 1} has no content or no category`);
  return posts.map((post) => ({ ...post, links: post.links ?? [], authorHandle: post.authorHandle ?? '' }));
}

function mostFrequent(posts: readonly Labelled[]): Category {
  const count = (name: Category) => posts.filter(({ category }) => category === name).length;
  return CATEGORIES.reduce((most, next) => (count(next) > count(most) ? next : most));
}

/** Classifies each post by a model of the other folds. */
function bagOfWords(posts: readonly Labelled[]): (Category | null)[] {
  const answers: (Category | null)[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const model = bayes();
    posts.forEach(({ content, category }, at) => {
      if (foldOf(at, posts.length) !== fold) model.learn(content, category);
    });
    posts.forEach(({ content }, at) => {
      if (foldOf(at, posts.length) !== fold) return;
      const { predictedCategory } = model.categorize(content);
      answers[at] = isCategory(predictedCategory) ? predictedCategory : null;
    });
  }
  return answers;
}

/**
 * Distributes the posts evenly, whether the file is sorted by category or mixed; 7 shares no factor with usual counts.
 */
function foldOf(at: number, count: number): number {
  return ((at * 7) % count) % FOLDS;
}

function scoreOf(posts: readonly Labelled[], said: readonly (Category | null)[]): Scores {
  const confusion = CATEGORIES.map(() => new Array<number>(CATEGORIES.length + 1).fill(0));
  posts.forEach(({ category }, at) => {
    const name = said[at];
    const row = confusion[CATEGORIES.indexOf(category)] as number[];
    const column = name ? CATEGORIES.indexOf(name) : CATEGORIES.length;
    row[column] = (row[column] ?? 0) + 1;
  });
  const cell = (row: number, column: number) => confusion[row]?.[column] ?? 0;
  const each = CATEGORIES.map((category, place) => {
    const right = cell(place, place);
    const named = CATEGORIES.reduce((sum, _, row) => sum + cell(row, place), 0);
    const real = posts.filter((post) => post.category === category).length;
    const precision = named === 0 ? 0 : right / named;
    const recall = real === 0 ? 0 : right / real;
    return { category, precision, recall, f1: right === 0 ? 0 : (2 * right) / (named + real), named, real };
  });
  const named = each.reduce((sum, one) => sum + one.named, 0);
  const right = CATEGORIES.reduce((sum, _, place) => sum + cell(place, place), 0);
  return {
    macroF1: each.reduce((sum, { f1 }) => sum + f1, 0) / each.length,
    precision: named === 0 ? 0 : right / named,
    coverage: named / posts.length,
    each,
    confusion,
  };
}

function postsPerSecond(posts: readonly Labelled[], languages: readonly (string | null)[]): number {
  const startedAt = performance.now();
  for (let done = 0; done < TIMED_POSTS; done++) {
    const at = done % posts.length;
    classify({ ...(posts[at] as Labelled), language: languages[at] ?? null });
  }
  return TIMED_POSTS / ((performance.now() - startedAt) / 1000);
}

function eachTable({ each }: Scores): string {
  const lines = each.map(
    ({ category, precision, recall, f1, named, real }) =>
      `| ${category} | ${precision.toFixed(2)} | ${recall.toFixed(2)} | ${f1.toFixed(2)} | ${named} | ${real} |`,
  );
  return [
    '| category | precision | recall | F1 | said | posts |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function confusionTable({ confusion }: Scores): string {
  const lines = confusion.map((row, at) => `| ${CATEGORIES[at]} | ${row.join(' | ')} |`);
  return [`| is \\ said | ${CATEGORIES.join(' | ')} | nothing |`, `| --- ${'| --- '.repeat(10)}|`, ...lines].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}
