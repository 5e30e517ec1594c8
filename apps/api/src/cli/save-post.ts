import { SAVE_REASONS, type Save } from '@archive/contracts';
import { ObjectId } from 'mongodb';
import pino from 'pino';
import { DailySpending } from '../agent/daily-spending.ts';
import type { Audit } from '../audit/audit.ts';
import { createAuthors } from '../authors/authors.ts';
import { Background } from '../background/background.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { Outbound } from '../outbound/outbound.ts';
import { ArrivedPostStore } from '../posts/arrived-post-store.ts';
import { PostChanges } from '../posts/post-changes.ts';
import { PostStore } from '../posts/post-store.ts';
import { SealedPostStore } from '../posts/sealed-post-store.ts';
import { createSave } from '../saves/create-save.ts';
import { toSave } from '../saves/save-document.ts';
import { SaveStore } from '../saves/save-store.ts';
import { createSources } from '../sources/sources.ts';

const WAIT_MS = 60_000;
const LOOK_MS = 500;

/**
 * Requests a post as `POST saves` does, and waits for the result. A server or an agent does the work. Returns false if
 * the post is not saved.
 */
export async function savePost(
  database: Database,
  ledger: LedgerWriter,
  audit: Audit,
  link: string,
  config: Config,
): Promise<boolean> {
  const log = pino({ level: 'silent' });
  const now = () => database.clock.now().getTime();
  const outbound = new Outbound({ localHosts: config.sourceLocalHosts });
  const base = { config, log, now, database, ledger, audit, chain: null, outbound, background: new Background() };
  const store = new SaveStore(database);
  const changes = new PostChanges();
  const posts = {
    store: new PostStore(database.db, database.clock, changes, ledger),
    arrived: new ArrivedPostStore(database.db, changes),
    sealed: new SealedPostStore(database.db, database.clock, changes, ledger),
  };
  const sources = createSources(base, new DailySpending(base, 'x'));
  // The workers check for requests every second.
  const saves = { store, worker: { wake: () => {} } };
  const asked = { askedBy: { kind: 'operator' as const, id: 'cli' } };
  let { save } = await createSave({ ...base, posts, authors: createAuthors(base), sources, saves }, link, asked);
  const until = Date.now() + WAIT_MS;
  while (!isOver(save) && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const found = await store.find(new ObjectId(save._id));
    if (found) save = toSave(found);
  }
  process.stdout.write(`${save.state}: ${outcomeOf(save, config.publicUrl)}\n`);
  return save.state === 'answered' || save.state === 'stored';
}

function isOver({ state }: Save): boolean {
  return state === 'answered' || state === 'failed';
}

function outcomeOf({ archiveId, reason }: Save, publicUrl: URL): string {
  if (archiveId) return new URL(`/post/${archiveId}`, publicUrl).href;
  if (reason) return SAVE_REASONS[reason];
  return 'it is taken in; a server or an agent that runs sees to it.';
}
