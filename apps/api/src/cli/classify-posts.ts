import { classify } from '../classify/classify.ts';
import type { Database } from '../db/database.ts';
import { UncategorisedPosts } from '../posts/uncategorised-posts.ts';
import { progressLine } from './progress-line.ts';

/** Sets the category of kept posts that have none. A running server shows it within seconds. */
export async function classifyPosts(database: Database): Promise<boolean> {
  const posts = new UncategorisedPosts(database.db);
  const all = await posts.count();
  const line = progressLine(process.stderr);
  let done = { seen: 0, given: 0 };
  for await (done of posts.categorise(classify)) {
    line.show(done.seen / all, `${done.seen.toLocaleString('en-US')} posts`);
  }
  line.end();
  const [seen, given] = [done.seen, done.given].map((count) => count.toLocaleString('en-US'));
  process.stdout.write(`${given} of ${seen} posts without a category have one now.\n`);
  return true;
}
