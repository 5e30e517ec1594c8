import { createInterface } from 'node:readline/promises';
import { AgentKeyStore } from '../accounts/agent-key-store.ts';
import type { Database } from '../db/database.ts';
import { LaunchStore } from '../launches/launch-store.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { PostStore } from '../posts/post-store.ts';
import { PostsOfKey, type SavedByKey } from '../posts/posts-of-key.ts';
import { forgetWords } from './change-post.ts';

const SAMPLE_SIZE = 5;
const SHOWN_LETTERS = 60;
/** At once; more only wait in line in the database. */
const LANES = 8;

/**
 * Takes out what an agent key saved, once confirmed. With `isRefused` for good, as a single removal; without, as if it had
 * never been sent. A running server shows it within 2 seconds.
 */
export async function removePostsOfKey(
  database: Database,
  ledger: LedgerWriter,
  key: string,
  { isRefused, yes }: { isRefused: boolean; yes?: boolean | undefined },
): Promise<boolean> {
  const found = (await new AgentKeyStore(database.db).list()).find(({ _id }) => _id === key);
  if (!found) {
    process.stdout.write(`There is no key ${key}.\n`);
    return false;
  }
  const saved = new PostsOfKey(database.db, key, ledger);
  const summary = await saved.summarise(SAMPLE_SIZE);
  if (summary.posts === 0 && summary.aliases === 0) {
    process.stdout.write(`Key ${key} saved nothing that is left.\n`);
    return true;
  }
  process.stdout.write(describe(key, summary));
  if (!found.revokedAt) process.stdout.write(`Key ${key} is still in use: revoke it, or it goes on saving.\n`);
  const question = isRefused
    ? 'Remove them for good, and refuse them when they are sent again?'
    : 'Delete them as if they had never been sent?';
  if (!yes && !(await isConfirmed(question))) return false;
  const store = new PostStore(database.db, database.clock, undefined, ledger);
  const launches = new LaunchStore(database.db);
  let done = 0;
  // One at a time each, the way a single removal goes: whatever keeps count of those sees these.
  const ids = saved.ids();
  const lane = async () => {
    for (let next = await ids.next(); !next.done; next = await ids.next())
      if (await store.remove(next.value, { isRefused })) {
        done++;
        await forgetWords(launches, next.value);
      }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await saved.dropAliases();
  process.stdout.write(`${count(done, 'post')} ${isRefused ? 'removed for good' : 'deleted'}.\n`);
  return true;
}

function describe(key: string, { posts, aliases, featured, launched, sample }: SavedByKey): string {
  const lines = sample.map(({ id, authorUsername, content }) => {
    const text = content.replace(/\s+/g, ' ');
    return `  ${id}  @${authorUsername}  ${text.length > SHOWN_LETTERS ? `${text.slice(0, SHOWN_LETTERS)}…` : text}`;
  });
  return [
    `Key ${key} saved ${count(posts, 'post')}: ${launched} with a token, ${featured} featured for a payment.`,
    ...(aliases > 0 ? [`It also sent ${count(aliases, 'post')} of others under other ids; those ids go.`] : []),
    ...(lines.length > 0 ? ['The latest:', ...lines] : []),
    '',
  ].join('\n');
}

function count(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}

/** Asks whoever sits there; where nobody does, nothing is done. */
async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write('Nothing was done: say --yes to go on.\n');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} (yes/no) `)).trim());
  } finally {
    terminal.close();
  }
}
