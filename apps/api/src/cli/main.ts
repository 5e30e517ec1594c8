import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import { Command, CommanderError } from 'commander';
import { ConfigError, readConfig, readDatabaseUri } from '../config.ts';
import { connectDatabase, type Database, openDatabase } from '../db/database.ts';
import { Ledger, ledgerFolder } from '../ledger/ledger.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { LedgerFiles } from '../ledger/ledger-files.ts';
import { newPushKeys } from '../push-keys.ts';
import { backUp } from './back-up.ts';
import { changePost } from './change-post.ts';
import { checkArchive } from './check-archive.ts';
import { classifyPosts } from './classify-posts.ts';
import { exportFile, FILTER_OPTIONS } from './export-file.ts';
import { type ImportOptions, importFiles } from './import-files.ts';
import { createKey, type KeyOptions, listKeys, readExpiry, readPostsPerMinute, readScopes, revokeKey } from './keys.ts';
import { openMedia } from './open-media.ts';
import { addOptOut, listOptOuts, removeOptOut } from './opt-outs.ts';
import { refund } from './refund.ts';
import { removePostsOfKey } from './remove-posts.ts';
import { restore } from './restore.ts';
import { savePost } from './save-post.ts';

/** What a command answers: whether all went well decides the exit code. */
export type Outcome = boolean;

const YES = ['--yes', 'do it without asking'] as const;

const program = new Command(PRODUCT_SLUG)
  .description(
    `Tends an ${PRODUCT_NAME} archive. Works on the database of MONGODB_URI, or on the embedded one in DATA_DIR,\nbeside a running server or without one.`,
  )
  .showHelpAfterError('(--help lists what there is)')
  .exitOverride();

program
  .command('import')
  .argument('<files...>', 'posts in .ndjson, .json, .csv, or the tweets.js of an X archive')
  .option('--author <name>', 'whose posts these are, where the file does not say')
  .option('--handle <handle>', 'their handle, where the file does not say')
  .option(
    '--media <folder>',
    'where the bytes of their media lie; of an X archive by default tweets_media beside its file',
  )
  .description('take posts in; a broken one is refused with its line, the rest goes in')
  .action(
    run((database, [files, options]) =>
      importFiles(database, files as string[], options as ImportOptions, openMedia(database, settings())),
    ),
  );

program
  .command('save')
  .argument('<url>', 'a link to a post on X or Bluesky')
  .description('ask for a post, which a running server or agent takes from its platform, and wait a minute for it')
  .action(run((database, [url], ledger) => savePost(database, ledger, url as string, settings())));

program
  .command('classify')
  .description('give posts without a category the one their words speak for, where they speak for one; may be repeated')
  .action(run((database) => classifyPosts(database)));

const exporting = program
  .command('export')
  .argument('[file]', 'where to write; without it, standard output')
  .option('--format <format>', 'csv, json or ndjson; by default what the file ends in, or ndjson')
  .description('write posts out, newest first')
  .action(
    run((database, [file, options]) =>
      exportFile(database, file as string | undefined, options as Record<string, string>, settings().publicUrl.origin),
    ),
  );
for (const { flags, description } of FILTER_OPTIONS) exporting.option(flags, description);

const keys = program.command('keys').description('keys with which agents save posts');
keys
  .command('create')
  .argument('<name>', 'what the key is for')
  .option('--scopes <scopes>', 'what it is for: ingest, save, or both with a comma', readScopes, ['ingest'])
  .option('--expires <when>', 'when it ends: 30d, or a day such as 2027-01-31; by default never', readExpiry)
  .option('--posts-per-minute <number>', 'its own limit, which no call may exceed either', readPostsPerMinute)
  .description('make a key; it is shown this once')
  .action(run((database, [name, options]) => createKey(database, name as string, options as KeyOptions)));
keys
  .command('list')
  .description('show all keys: id, when made, state, what they may, name')
  .action(run((database) => listKeys(database)));
keys
  .command('revoke')
  .argument('<id>', 'id of the key, as listed')
  .description('end a key at once')
  .action(run((database, [id], ledger) => revokeKey(database, ledger, id as string)));
keys
  .command('undo')
  .argument('<id>', 'id of the key, as listed')
  .option(...YES)
  .description('delete what a key saved; the same may be sent again')
  .action(
    run((database, [id, options], ledger) =>
      removePostsOfKey(database, ledger, id as string, { isRefused: false, ...(options as { yes?: boolean }) }),
    ),
  );

const optOuts = program.command('optout').description('authors from whose posts nobody may launch a token');
optOuts
  .command('add')
  .argument('<handle>', "the author's handle")
  .description('launch no tokens from posts of this author')
  .action(run((database, [handle], ledger) => addOptOut(database, ledger, handle as string)));
optOuts
  .command('remove')
  .argument('<handle>', "the author's handle")
  .description('allow it again')
  .action(run((database, [handle], ledger) => removeOptOut(database, ledger, handle as string)));
optOuts
  .command('list')
  .description('show all of them')
  .action(run((database) => listOptOuts(database)));

for (const [name, description] of [
  ['feature', 'feature a post, by the team'],
  ['unfeature', 'end the featuring of a post'],
] as const) {
  program
    .command(name)
    .argument('<id>', "the post's id, ours or the platform's")
    .description(description)
    .action(run((database, [id], ledger) => changePost(database, ledger, name, id as string)));
}

program
  .command('remove')
  .argument('[id]', "the post's id, ours or the platform's")
  .option('--key <id>', 'all that this agent key saved instead')
  .option(...YES)
  .description(
    'remove a post for good; its words leave every answer within 2 seconds; the name and symbol of a token launched from it stay',
  )
  .action(async (id: string | undefined, { key, yes }: { key?: string; yes?: boolean }) => {
    if ((id === undefined) === (key === undefined)) program.error('error: name a post, or a key with --key');
    await run((database, _values, ledger) =>
      key === undefined
        ? changePost(database, ledger, 'remove', id as string)
        : removePostsOfKey(database, ledger, key, { isRefused: true, yes }),
    )();
  });

program
  .command('refund')
  .argument('<credit>', 'signature of the payment that is a credit')
  .argument('<transaction>', 'signature of your transaction that pays it back')
  .description('hold a credit that is paid back by hand, so that it cannot be used as well; only then send the money')
  .action(
    run((database, [credit, transaction], ledger) => refund(database, ledger, credit as string, transaction as string)),
  );

program
  .command('push-keys')
  .description('make the pair of keys with which notices are pushed, as lines of settings; nothing of it is kept')
  .action(() => {
    const { publicKey, privateKey } = newPushKeys();
    process.stdout.write(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}\n`);
  });

program
  .command('backup')
  .argument('<file>', 'a new file')
  .description('copy the whole database into a file, beside a running server or without one')
  .action(run((database, [file]) => backUp(database, file as string)));
program
  .command('restore')
  .argument('<file>', 'what backup has written')
  .option(
    '--without-ledger',
    'although the ledger is not there, or not all of it, so that what was removed since comes back',
  )
  .description('put a backup into an empty database, and what the ledger in DATA_DIR tells over it')
  .action(
    run(
      (database, [file, options], ledger) =>
        restore(database, ledger, file as string, {
          ledgerFolder: ledgerFolder(settings().dataDir),
          ...(options as { withoutLedger?: boolean }),
        }),
      (uri) => connectDatabase(uri, undefined, { isPatient: true }),
    ),
  );

program
  .command('doctor')
  .description('look at settings, disk, node, database and what else a new archive lacks, and say what to do')
  .action(async () => {
    const config = settings();
    const { doctor } = await import('./doctor.ts');
    const { uri, close } = await reachDatabase().catch(() => ({ uri: null, close: async () => {} }));
    try {
      if (!(await doctor(config, uri))) process.exitCode = 1;
    } finally {
      await close();
    }
  });

program
  .command('check')
  .description(
    'compare the search index of the server on PORT with the database, post by post, payments and launches with what they did and with the chain',
  )
  .action(
    run(async (database) => {
      // With it comes all of the chain, which no other command waits for.
      const { checkPaymentsAndTokens } = await import('./check-payments-and-tokens.ts');
      const { dataDir, port } = settings();
      const isIndexRight = await checkArchive(database, dataDir, port);
      return (await checkPaymentsAndTokens(database, settings())) && isIndexRight;
    }),
  );

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) {
    const isExpected = error instanceof ConfigError || (error as { code?: unknown }).code !== undefined;
    process.stderr.write(`${isExpected || error instanceof Error ? (error as Error).message : String(error)}\n`);
    process.exitCode = 1;
  } else {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}

/** Opens the database for a command and closes it after; an unhappy outcome makes the exit code 1. */
function run(
  command: (database: Database, values: unknown[], ledger: LedgerWriter) => Promise<Outcome>,
  open: (uri: string) => Promise<Database> = openDatabase,
) {
  return async (...values: unknown[]): Promise<void> => {
    const { uri, close } = await reachDatabase();
    try {
      const database = await open(uri);
      const ledger = new Ledger(
        ledgerFolder(settings().dataDir),
        database.clock,
        new LedgerFiles(database.db).register,
      );
      try {
        if (!(await command(database, values, ledger))) process.exitCode = 1;
      } finally {
        await ledger.close();
        await database.close();
      }
    } finally {
      await close();
    }
  };
}

function settings() {
  const uri = readDatabaseUri(process.env) ?? 'mongodb://embedded';
  return readConfig({ ...process.env, MONGODB_URI: uri, MONGODB_URI_FILE: undefined });
}

/** The configured database, or the embedded one: joined where a server has it open, started where not. */
async function reachDatabase(): Promise<{ uri: string; close(): Promise<void> }> {
  const uri = readDatabaseUri(process.env);
  const { isProduction, dataDir } = settings();
  if (uri) return { uri, close: async () => {} };
  if (isProduction) throw new ConfigError('MONGODB_URI must be set in production');
  const { openEmbeddedMongo } = await import('@archive/embedded-mongo');
  return openEmbeddedMongo({ directory: `${dataDir}/mongo` });
}
