/**
 * The rules on imports between folders, checked by `npm run walls`. Type imports count as imports. `walls.test.ts`
 * plants a violation of each rule.
 */

/** Tests and benchmarks may import everything; no other code may import them. */
const TESTS =
  '(\\.(test|spec)\\.tsx?$|/_[^/]+$|^(apps|packages)/[^/]+/(tests|trials|bench)/|/src/testing/|^packages/testing/)';

/** The layers of the API, lowest first. A folder may import from its own layer's list and from earlier lists only. */
const API_FLOORS = [
  [
    'app-error.ts',
    'clients.ts',
    'start-refusal.ts',
    'channels.ts',
    'log.ts',
    'with-timeout.ts',
    'kept-file.ts',
    'push-keys.ts',
    'secret-files.ts',
  ],
  ['question-queue.ts'],
  ['db', 'chain', 'classify', 'ledger', 'markup', 'outbound'],
  ['media-settings.ts', 'search-settings.ts'],
  ['config.ts', 'background'],
  ['audit'],
  ['base.ts'],
  ['sources'],
  ['http'],
  ['media'],
  ['posts'],
  ['authors'],
  ['accounts', 'operators', 'ingest', 'live', 'searches', 'collections'],
  ['saves'],
  ['agent'],
  ['reactions'],
  ['featuring'],
  ['launches'],
  ['removals'],
  ['feeds', 'pages'],
  ['notices', 'reports'],
  ['people'],
  ['metrics'],
  ['backup'],
  ['context.ts', 'agent.ts'],
  ['routes.ts', 'mcp'],
  ['app.ts', 'cli'],
  ['main.ts', 'agent-main.ts', 'run-process.ts'],
];
const FEATURES = [
  'media',
  'posts',
  'authors',
  'accounts',
  'operators',
  'ingest',
  'live',
  'searches',
  'collections',
  'saves',
  'agent',
  'reactions',
  'featuring',
  'launches',
  'removals',
  'notices',
  'people',
  'reports',
];
/**
 * The modules of a feature that higher features may import: its slice, its stores and documents, and modules that are
 * not use cases.
 */
const SHOWN = `/((${FEATURES.join('|')})|[a-z-]+-(store|document)|live-post|answer-posts|held-back|keep-posts|show-media-as-post|write-export|own-reply|ingest-posts|posts-of-key|csv|signed-(message|text))\\.ts$`;

const WEB_FLOORS = [['lib', 'ui'], ['wallet'], ['features'], ['app', 'boot.ts']];

/** A rule: files that match `path` but not `pathNot` import nothing that matches `to`. */
function wall(name, comment, [path, pathNot = TESTS], to) {
  return { name, comment, severity: 'error', from: { path, pathNot }, to };
}

const any = (names) => `(${names.map((name) => name.replace('.', '\\.')).join('|')})(/|$)`;

/** One rule per layer: it imports nothing from a higher layer. */
function floors(name, root, lists) {
  return lists
    .slice(0, -1)
    .map((rooms, at) =>
      wall(
        `${name}-${rooms[0].replace(/\..*/, '')}`,
        `${rooms.join(', ')} in ${root} import nothing from the floors above: take it as a parameter, or move it down.`,
        [`^${root}/${any(rooms)}`],
        { path: `^${root}/${any(lists.slice(at + 1).flat())}`, pathNot: TESTS },
      ),
    );
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    wall('no-circle', 'Files need each other in a circle: move what both need into a file below them.', ['', '^$'], {
      circular: true,
    }),
    wall('nothing-unresolved', 'An import that leads nowhere cannot be guarded.', ['', '^$'], {
      couldNotResolve: true,
    }),
    wall(
      'tests-stay-outside',
      'What runs does not import what tests it: move the shared part out of the tests.',
      ['^((apps|packages)/[^/]+/src|scripts)/', `${TESTS}|^scripts/(bench|check-posts|demo-people)\\.ts$`],
      { path: TESTS },
    ),
    wall(
      'scripts-on-top',
      'Nothing but e2e imports the scripts: put what others need into a package.',
      ['^(apps|packages)/', '^$'],
      {
        path: '^scripts/',
      },
    ),
    wall(
      'contracts-alone',
      'contracts imports zod and nothing else: no input or output, no other package.',
      ['^packages/contracts/src/'],
      { pathNot: '^packages/contracts/src/|/zod/' },
    ),
    wall(
      'client-on-contracts',
      'client runs in Node and in browsers and imports contracts alone.',
      ['^packages/client/src/'],
      { pathNot: '^packages/(client|contracts)/src/' },
    ),
    wall(
      'solana-on-contracts',
      'solana runs in browsers: of ours it imports contracts, and of Node nothing.',
      ['^packages/solana/src/'],
      { path: '^(apps|packages)/|^node:', pathNot: '^packages/(solana|contracts)/src/' },
    ),
    wall(
      'heavy-behind-chain',
      'The heavy libraries stay behind the entry chain: put what needs them under src/chain.',
      ['^packages/solana/src/', `${TESTS}|^packages/solana/src/chain(/|\\.ts$)`],
      { path: '/@solana/|^packages/solana/src/chain(/|\\.ts$)' },
    ),
    wall(
      'price-alone',
      'The entry price is part of the first script of the page and depends on nothing.',
      ['^packages/solana/src/(price|amount|networks)\\.ts$', '^$'],
      { pathNot: '^packages/solana/src/(amount|networks)\\.ts$' },
    ),
    wall(
      'search-on-contracts',
      'search knows no other part of ours than contracts: callers hand it the rest.',
      ['^packages/search/src/'],
      { path: '^(apps|packages)/', pathNot: '^packages/(search|contracts)/src/' },
    ),
    wall(
      'engine-opened-once',
      'Only the place that opens the index, and amber check, name an engine: others know the interface.',
      ['^apps/api/src/', `${TESTS}|^apps/api/src/(posts/open-index|cli/check-archive)\\.ts$`],
      { path: '^packages/search/src/(sqlite|opensearch)/' },
    ),
    wall(
      'engines-alone',
      'embedded-mongo, local-solana, local-bluesky, x-stand-in, processes and tiers import nothing of ours but, for the product’s name, contracts.',
      ['^packages/(embedded-mongo|local-solana|local-bluesky|x-stand-in|processes|tiers)/src/'],
      { path: '^(apps|packages)/', pathNot: '^packages/($1|contracts)/' },
    ),
    wall(
      'engines-only-to-start',
      'Only the start script, the entry of the command line and tests know the embedded engine, the local networks and the stand-in for X.',
      [
        '^(apps|packages)/[^/]+/src/',
        `${TESTS}|^packages/(embedded-mongo|local-solana|local-bluesky|x-stand-in)/|/cli/command-line\\.ts$`,
      ],
      { path: '^packages/(embedded-mongo|local-solana|local-bluesky|x-stand-in)/' },
    ),
    wall('web-over-http', 'The web talks to the API over HTTP, through the client.', ['^apps/web/src/', '^$'], {
      path: '^apps/api/',
    }),
    wall(
      'no-zod-in-browsers',
      'zod stays out of the browser: take types and constants of contracts, not its schemas.',
      ['^apps/web/src/'],
      { path: '^packages/contracts/src/schemas/|/zod/' },
    ),
    wall('api-without-web', 'The API knows the web only as built files.', ['^apps/api/src/', '^$'], {
      path: '^apps/web/',
    }),
    ...floors('api-floor', 'apps/api/src', API_FLOORS),
    wall(
      'use-cases-at-home',
      'A feature uses another one’s slice, stores and documents, never its routes or use cases.',
      [`^apps/api/src/(${FEATURES.join('|')})/`],
      { path: `^apps/api/src/(${FEATURES.join('|')})/`, pathNot: ['^apps/api/src/$1/', SHOWN] },
    ),
    wall(
      'express-in-http',
      'Express stays in http, serve-mcp and app.ts: a route answers with a value or a reply, a store knows neither.',
      ['^apps/api/src/', `${TESTS}|^apps/api/src/(http/|mcp/serve-mcp\\.ts$|app\\.ts$)`],
      { path: '/(@types/)?express/' },
    ),
    wall(
      'http-in-routes',
      'Of a feature, only its routes and its slice know http.',
      [`^apps/api/src/(${FEATURES.join('|')})/`, `${TESTS}|/(routes|${FEATURES.join('|')})\\.ts$`],
      { path: '^apps/api/src/http/' },
    ),
    ...floors('web-floor', 'apps/web/src', WEB_FLOORS),
    wall(
      'web-features-apart',
      'Features of the web do not import each other: a page composes them.',
      ['^apps/web/src/features/([^/]+)/'],
      { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The programs in packages/local-bluesky/network use packages that are installed on demand.
    exclude: {
      path: '^packages/local-bluesky/network/|(^|/)(dist|dist\\.next|node_modules/\\.cache|\\.turbo|test-results)/|\\.(css|svg)$',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
    },
  },
};
