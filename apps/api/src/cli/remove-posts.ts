import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { RemovalPreview, RemovalSelection } from '@archive/contracts';
import { removalSelectionSchema } from '@archive/contracts/schemas';
import { AgentKeyStore } from '../accounts/agent-key-store.ts';
import { AppError } from '../app-error.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import { LaunchStore } from '../launches/launch-store.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { PostChanges } from '../posts/post-changes.ts';
import { PostStore } from '../posts/post-store.ts';
import { SealedPostStore } from '../posts/sealed-post-store.ts';
import { RemovalStore } from '../removals/removal-store.ts';
import { beginRemoval, previewRemoval, runRemoval } from '../removals/remove-posts.ts';
import { SelectedPostStore } from '../removals/selected-post-store.ts';
import { progressLine } from './progress-line.ts';

export interface RemoveOptions {
  key?: string;
  author?: string;
  asker?: string;
  list?: string;
  yes?: boolean;
  reason?: string;
}

/** The selection that the arguments mean; an id alone is a post. Null for no selection or for several. */
export async function readSelection(
  id: string | undefined,
  { key, author, asker, list }: RemoveOptions,
): Promise<RemovalSelection | null> {
  const lines =
    list === undefined ? undefined : (await readFile(list, 'utf8')).split(/\s+/).filter((line) => line !== '');
  const given = { posts: id === undefined ? lines : [id, ...(lines ?? [])], key, author, asker };
  const read = removalSelectionSchema.safeParse(given);
  return read.success ? read.data : null;
}

/**
 * Removes posts after a confirmation. With `isRefused` for good; otherwise as if they had never been sent. A running
 * server shows it within 2 seconds.
 */
export async function removePosts(
  { database, ledger, audit }: { database: Database; ledger: LedgerWriter; audit: Audit },
  selection: RemovalSelection,
  { isRefused, yes, reason }: { isRefused: boolean; yes?: boolean | undefined; reason?: string | undefined },
): Promise<boolean> {
  const { db, clock } = database;
  const context = {
    database,
    ledger,
    audit,
    posts: {
      store: new PostStore(db, clock, undefined, ledger),
      sealed: new SealedPostStore(db, clock, new PostChanges(), ledger),
    },
    launches: { store: new LaunchStore(db) },
    removals: { store: new RemovalStore(db), selected: new SelectedPostStore(db) },
  };
  if (selection.key !== undefined && !(await tellKey(database, selection.key))) return false;
  const preview = await previewRemoval(context, selection);
  if (preview.count === 0 && preview.aliases === 0) {
    process.stdout.write(
      selection.key === undefined ? 'There is no such post.\n' : `Key ${selection.key} saved nothing that is left.\n`,
    );
    // For a key, an empty selection is a success. For a post, it means that the named post does not exist.
    return selection.key !== undefined;
  }
  process.stdout.write(describe(preview));
  const question = isRefused
    ? 'Remove them for good, and refuse them when they are sent again?'
    : 'Delete them as if they had never been sent?';
  const isOne = selection.posts?.length === 1;
  if (!isOne && !yes && !(await isConfirmed(question))) return false;
  try {
    const by = { actor: { kind: 'command line' }, reason } as const;
    const begun = await beginRemoval(context, { selection, isRefused, count: preview.count }, by);
    const line = progressLine(process.stderr);
    const ended = await runRemoval(context, begun, (done) =>
      line.show(done / Math.max(1, begun.total), `${count(done, 'post')}`),
    ).finally(() => line.end());
    for (const { mint, uri } of ended.pinned)
      process.stdout.write(
        `The token ${mint} says words of its post at ${uri}, where only the pinning service can remove them.\n`,
      );
    process.stdout.write(`${count(ended.removal.done, 'post')} ${isRefused ? 'removed for good' : 'deleted'}.\n`);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    process.stdout.write(`${error.message}\n`);
    return false;
  }
}

/** Returns false if the key does not exist. */
async function tellKey({ db }: Database, key: string): Promise<boolean> {
  const found = (await new AgentKeyStore(db).list()).find(({ _id }) => _id === key);
  if (!found) process.stdout.write(`There is no key ${key}.\n`);
  else if (!found.revokedAt) process.stdout.write(`Key ${key} is still in use: revoke it, or it goes on saving.\n`);
  return found !== undefined;
}

function describe({ count: posts, aliases, featured, launched, sample }: RemovalPreview): string {
  const lines = sample.map(({ id, authorUsername, content }) => `  ${id}  @${authorUsername}  ${content}`);
  return [
    `${count(posts, 'post')}: ${launched} with a token, ${featured} featured for a payment.`,
    ...(aliases > 0 ? [`Also ${count(aliases, 'post')} of others that were sent under other ids; those ids go.`] : []),
    ...(lines.length > 0 ? ['The latest:', ...lines] : []),
    '',
  ].join('\n');
}

function count(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}

/** Asks on the terminal. Without a terminal, nothing is done. */
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
