import {
  PAYMENT_LIST_STATES,
  type PaymentListState,
  PRODUCT_NAME,
  PRODUCT_SLUG,
  SWITCHES,
  type SwitchName,
} from '@archive/contracts';
import { Argument, Command, CommanderError } from 'commander';
import pino from 'pino';
import { Audit } from '../audit/audit.ts';
import { ConfigError, readConfig, readDatabaseUri } from '../config.ts';
import { connectDatabase, type Database, openDatabase } from '../db/database.ts';
import { Ledger, ledgerFolder } from '../ledger/ledger.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { LedgerFiles } from '../ledger/ledger-files.ts';
import { newPushKeys } from '../push-keys.ts';
import { StartRefusal } from '../start-refusal.ts';
import { type BackUpOptions, backUp } from './back-up.ts';
import { changePost } from './change-post.ts';
import type { PriceOptions } from './change-price.ts';
import { changeSuspension, changeSwitch, showSuspended } from './change-stops.ts';
import { checkArchive } from './check-archive.ts';
import { showLogCheck } from './check-log.ts';
import { checkMedia } from './check-media.ts';
import { classifyPosts } from './classify-posts.ts';
import { exportFile, FILTER_OPTIONS } from './export-file.ts';
import { type ImportOptions, importFiles } from './import-files.ts';
import { createKey, endKey, type KeyOptions, listKeys, readExpiry, readPostsPerMinute, readScopes } from './keys.ts';
import { exportLogFile, type LogOptions, readInstant, readLimit, showLog } from './log.ts';
import { openMedia } from './open-media.ts';
import { addModerator, removeModerator, showOperators, type Why } from './operators.ts';
import { addOptOut, listOptOuts, removeOptOut } from './opt-outs.ts';
import { showPayments } from './payments.ts';
import type { RefundOptions } from './refund.ts';
import { type RemoveOptions, readSelection, removePosts } from './remove-posts.ts';
import { type DecideOptions, decide, hide, showReports, unhide } from './reports.ts';
import { restore } from './restore.ts';
import { savePost } from './save-post.ts';
import { buildIndex, dropIndex } from './search-index.ts';

/** Whether a command succeeded; decides the exit code. */
export type Outcome = boolean;

/** Problems that do not stop a command go to standard error. */
const LOG = pino({ level: 'warn' }, pino.destination(2));

const REASON = ['--reason <words>', 'why, for the log of acts'] as const;
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
  .option('--wait', 'end when running servers find all that was taken in')
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
  .action(run((database, [url], ledger, audit) => savePost(database, ledger, audit, url as string, settings())));

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
  .action(
    run((database, [name, options], ledger, audit) =>
      createKey({ database, ledger, audit }, name as string, options as KeyOptions),
    ),
  );
keys
  .command('list')
  .description('show all keys: id, when made, state, what they may, name')
  .action(run((database) => listKeys(database)));
keys
  .command('revoke')
  .argument('<id>', 'id of the key, as listed')
  .description('end a key at once')
  .action(run((database, [id], ledger, audit) => endKey({ database, ledger, audit }, id as string)));
keys
  .command('undo')
  .argument('<id>', 'id of the key, as listed')
  .option(...YES)
  .description('delete what a key saved; the same may be sent again')
  .action(
    run((database, [id, options], ledger, audit) =>
      removePosts(
        { database, ledger, audit },
        { key: id as string },
        { ...(options as RemoveOptions), isRefused: false },
      ),
    ),
  );

const operators = program.command('operators').description('who may work off reports and tend the archive over HTTP');
operators
  .command('list')
  .description('show admins, whom ADMIN_WALLETS names, and moderators')
  .action(run((database) => showOperators(database, settings())));
operators
  .command('add')
  .argument('<wallet>', 'address of the wallet')
  .option(...REASON)
  .description('make a wallet a moderator')
  .action(
    run((database, [wallet, options], ledger, audit) =>
      addModerator({ config: settings(), database, ledger, audit }, wallet as string, options as Why),
    ),
  );
operators
  .command('remove')
  .argument('<wallet>', 'address of the wallet')
  .option(...REASON)
  .description('end what a moderator may, from the next call on')
  .action(
    run((database, [wallet, options], ledger, audit) =>
      removeModerator({ config: settings(), database, ledger, audit }, wallet as string, options as Why),
    ),
  );

for (const [name, isStopped, description] of [
  ['stop', true, 'stop launching or featuring in every process, at once; what is under way is settled'],
  ['open', false, 'open launching or featuring again'],
] as const) {
  program
    .command(name)
    .addArgument(new Argument('<what>').choices(SWITCHES))
    .option(...REASON)
    .description(description)
    .action(
      run((database, [what, options], ledger, audit) =>
        changeSwitch({ database, ledger, audit }, what as SwitchName, isStopped, options as Why),
      ),
    );
}

const wallets = program.command('wallets').description('wallets that may launch, react, feature and save nothing');
wallets
  .command('list')
  .description('show suspended wallets, the latest first')
  .action(run((database) => showSuspended(database)));
for (const [name, isSuspended, description] of [
  ['suspend', true, 'let a wallet launch, react, feature and save nothing; what it pays becomes a credit'],
  ['resume', false, 'end that'],
] as const) {
  wallets
    .command(name)
    .argument('<wallet>', 'address of the wallet')
    .option(...REASON)
    .description(description)
    .action(
      run((database, [wallet, options], ledger, audit) =>
        changeSuspension({ database, ledger, audit }, wallet as string, isSuspended, options as Why),
      ),
    );
}

program
  .command('price')
  .argument('[price]', 'in tokens; without it, the price that stands is shown')
  .option('--clear', 'give the price back to FEATURE_PRICE')
  .option(...REASON)
  .description('set what featuring costs; it wins over FEATURE_PRICE until it is cleared')
  .action(
    run(async (database, [price, options], _ledger, audit) => {
      // Imported here because it loads the Solana libraries.
      const { changePrice } = await import('./change-price.ts');
      return changePrice({ database, audit, config: settings() }, price as string | undefined, options as PriceOptions);
    }),
  );

const log = program
  .command('log')
  .option('--actor <who>', 'a wallet, the id of a key, or a kind such as "command line"')
  .option('--act <act>', 'what was done, such as "make moderator"')
  .option('--subject <what>', 'an id, or a kind such as post')
  .option('--since <when>', 'from this day or instant on', readInstant)
  .option('--until <when>', 'before this day or instant', readInstant)
  .option('--words <words>', 'in the reason, the act, or an id')
  .option('--limit <number>', 'at most so many, the latest', readLimit, 50)
  .description('show the log of acts, latest first')
  .action(run((database, [options]) => showLog(database, options as LogOptions)));
log
  .command('export')
  .argument('[file]', 'where to write; without it, standard output')
  .description('write the log of acts out as NDJSON, oldest first, with the marks that chain it')
  .action(run((database, [file]) => exportLogFile(database, file as string | undefined)));

const optOuts = program.command('optout').description('authors from whose posts nobody may launch a token');
optOuts
  .command('add')
  .argument('<handle>', "the author's handle")
  .description('launch no tokens from posts of this author')
  .action(run((database, [handle], ledger, audit) => addOptOut({ database, ledger, audit }, handle as string)));
optOuts
  .command('remove')
  .argument('<handle>', "the author's handle")
  .description('allow it again')
  .action(run((database, [handle], ledger, audit) => removeOptOut({ database, ledger, audit }, handle as string)));
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
    .action(run((database, [id], _ledger, audit) => changePost(database, audit, name, id as string)));
}

program
  .command('remove')
  .argument('[id]', "the post's id, ours or the platform's")
  .option('--list <file>', 'the posts whose ids stand in this file')
  .option(
    '--author <author>',
    'all of this author, by handle or by the platform’s id; @ before a handle of digits alone',
  )
  .option('--key <id>', 'all that this agent key saved')
  .option('--asker <id>', 'all that came with the requests of this wallet, key or account')
  .option(...YES)
  .option(...REASON)
  .description(
    'remove posts for good, several only once confirmed; their words leave every answer within 2 seconds; the name and symbol of a token launched from one stay',
  )
  .action(async (id: string | undefined, options: RemoveOptions) => {
    const selection = await readSelection(id, options);
    if (!selection) return program.error('error: name one of a post, --list, --author, --key and --asker');
    await run((database, _values, ledger, audit) =>
      removePosts({ database, ledger, audit }, selection, { ...options, isRefused: true }),
    )();
  });

program
  .command('reports')
  .description('show reported posts that wait for somebody, the gravest first')
  .action(run((database) => showReports(database)));
program
  .command('decide')
  .argument('<id>', 'the post’s id, as `reports` shows it')
  .addArgument(new Argument('<act>', 'to remove it for good there is `remove`').choices(['hide', 'dismiss']))
  .option('--law', 'hide it for the law, not for the rules: its page says so')
  .option('--answer <words>', 'for those who have reported it')
  .option(...REASON)
  .description('decide on what was reported of a post')
  .action(
    run((database, [id, act, options], ledger, audit) =>
      decide(
        { config: settings(), database, ledger, audit },
        id as string,
        act as 'hide' | 'dismiss',
        options as DecideOptions,
      ),
    ),
  );
program
  .command('hide')
  .argument('<id>', "the post's id, ours or the platform's")
  .option('--law', 'for the law, not for the rules: its page says so')
  .option(...REASON)
  .description('hide a post; a running server shows it no more within 2 seconds, and it can come back whole')
  .action(
    run((database, [id, options], ledger, audit) =>
      hide({ config: settings(), database, ledger, audit }, id as string, options as Why & { law?: boolean }),
    ),
  );
program
  .command('unhide')
  .argument('<id>', "the post's id, ours or the platform's")
  .option(...REASON)
  .description('show a hidden post again, whole')
  .action(
    run((database, [id, options], ledger, audit) =>
      unhide({ config: settings(), database, ledger, audit }, id as string, options as Why),
    ),
  );

program
  .command('payments')
  .addArgument(new Argument('[state]', 'of one state alone').choices(PAYMENT_LIST_STATES))
  .description('show the latest payments and credits')
  .action(run((database, [state]) => showPayments(database, state as PaymentListState | undefined)));
program
  .command('refund')
  .argument('<credit>', 'signature of the payment that is a credit')
  .argument('[transaction]', 'signature of your transaction that paid it back')
  .option('--release', 'give a held credit back to its payer instead')
  .option(...REASON)
  .description(
    'hold a credit, so that it cannot be used as well; then send the money, and name its transaction, which is looked up on the chain',
  )
  .action(
    run(async (database, [credit, transaction, options], ledger, audit) => {
      // Imported here because it loads the Solana libraries.
      const { refund } = await import('./refund.ts');
      const context = { database, ledger, audit, config: settings() };
      return refund(context, credit as string, transaction as string | undefined, options as RefundOptions);
    }),
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
  .option('--copy <command>', 'a shell command that copies the file; the backup counts only where it succeeds')
  .description('copy the whole database into a file, beside a running server or without one')
  .action(run((database, [file, options]) => backUp(database, file as string, options as BackUpOptions)));
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
      (database, [file, options], ledger, audit) =>
        restore({ database, ledger, audit }, file as string, {
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

const indexCommands = program.command('index').description('the index of the search cluster that SEARCH_URL names');
indexCommands
  .command('build')
  .description('build it beside the one in use and put it in its place')
  .action(run((database) => buildIndex(database, settings())));
indexCommands
  .command('drop')
  .description('delete it, also where it is that of another archive: a server builds it again')
  .action(run(() => dropIndex(settings())));

program
  .command('check')
  .description(
    'compare the search index of the server on PORT with the database, post by post, payments and launches with what they did and with the chain, the log of acts with itself and with the ledger, and look for the bytes of pictures and videos',
  )
  .action(
    run(async (database) => {
      // Imported here because it loads the Solana libraries, which no other command needs.
      const { checkPaymentsAndTokens } = await import('./check-payments-and-tokens.ts');
      const isIndexRight = await checkArchive(database, settings());
      const isLogRight = await showLogCheck(database, settings());
      const areMediaThere = await checkMedia(database, settings());
      return (await checkPaymentsAndTokens(database, settings())) && isIndexRight && isLogRight && areMediaThere;
    }),
  );

/** Runs the command with these arguments in this environment. The exit code tells the outcome. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const isExpected = error instanceof StartRefusal || (error as { code?: unknown }).code !== undefined;
      process.stderr.write(`${isExpected || error instanceof Error ? (error as Error).message : String(error)}\n`);
      process.exitCode = 1;
    } else {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    }
  }
}

/** Opens the database for a command and closes it afterwards. A false outcome sets the exit code to 1. */
function run(
  command: (database: Database, values: unknown[], ledger: LedgerWriter, audit: Audit) => Promise<Outcome>,
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
      const audit = new Audit({ config: settings(), database, ledger, log: LOG });
      try {
        if (!(await command(database, values, ledger, audit))) process.exitCode = 1;
      } finally {
        await audit.stop();
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

/** The configured database, or the embedded one: joined if a server runs it, else started. */
async function reachDatabase(): Promise<{ uri: string; close(): Promise<void> }> {
  const uri = readDatabaseUri(process.env);
  const { isProduction, dataDir } = settings();
  if (uri) return { uri, close: async () => {} };
  if (isProduction) throw new ConfigError('MONGODB_URI must be set in production');
  const { openEmbeddedMongo } = await import('@archive/embedded-mongo');
  return openEmbeddedMongo({ directory: `${dataDir}/mongo` });
}
