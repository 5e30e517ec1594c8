import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import { Command, CommanderError } from 'commander';
import { ConfigError, readConfig, readDatabaseUri } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { changePost } from './change-post.ts';
import { checkArchive } from './check-archive.ts';
import { checkPaymentsAndTokens } from './check-payments-and-tokens.ts';
import { exportFile, FILTER_OPTIONS } from './export-file.ts';
import { importFiles } from './import-files.ts';
import { createKey, type KeyOptions, listKeys, readExpiry, readPostsPerMinute, readScopes, revokeKey } from './keys.ts';
import { addOptOut, listOptOuts, removeOptOut } from './opt-outs.ts';
import { removePostsOfKey } from './remove-posts.ts';

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
  .description('take posts in; a broken one is refused with its line, the rest goes in')
  .action(
    run((database, [files, options]) =>
      importFiles(database, files as string[], options as { author?: string; handle?: string }),
    ),
  );

const exporting = program
  .command('export')
  .argument('[file]', 'where to write; without it, standard output')
  .option('--format <format>', 'csv, json or ndjson; by default what the file ends in, or ndjson')
  .description('write posts out, newest first')
  .action(
    run((database, [file, options]) =>
      exportFile(database, file as string | undefined, options as Record<string, string>),
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
  .action(run((database, [id]) => revokeKey(database, id as string)));
keys
  .command('undo')
  .argument('<id>', 'id of the key, as listed')
  .option(...YES)
  .description('delete what a key saved; the same may be sent again')
  .action(
    run((database, [id, options]) =>
      removePostsOfKey(database, id as string, { isRefused: false, ...(options as { yes?: boolean }) }),
    ),
  );

const optOuts = program.command('optout').description('authors from whose posts nobody may launch a token');
optOuts
  .command('add')
  .argument('<handle>', "the author's handle")
  .description('launch no tokens from posts of this author')
  .action(run((database, [handle]) => addOptOut(database, handle as string)));
optOuts
  .command('remove')
  .argument('<handle>', "the author's handle")
  .description('allow it again')
  .action(run((database, [handle]) => removeOptOut(database, handle as string)));
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
    .action(run((database, [id]) => changePost(database, name, id as string)));
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
    await run((database) =>
      key === undefined
        ? changePost(database, 'remove', id as string)
        : removePostsOfKey(database, key, { isRefused: true, yes }),
    )();
  });

program
  .command('check')
  .description(
    'compare the search index of the server on PORT with the database, post by post, payments and launches with what they did and with the chain',
  )
  .action(
    run(async (database) => {
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
function run(command: (database: Database, values: unknown[]) => Promise<Outcome>) {
  return async (...values: unknown[]): Promise<void> => {
    const { uri, close } = await reachDatabase();
    try {
      const database = await openDatabase(uri);
      try {
        if (!(await command(database, values))) process.exitCode = 1;
      } finally {
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
