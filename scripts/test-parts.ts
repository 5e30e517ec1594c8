/** Workspaces for which Turbo runs the task `test`. */
export const TESTED = [
  'apps/api',
  'apps/web',
  'e2e',
  'packages/client',
  'packages/contracts',
  'packages/embedded-mongo',
  'packages/local-bluesky',
  'packages/local-search',
  'packages/local-solana',
  'packages/search',
  'packages/solana',
  'packages/x-stand-in',
  'scripts',
];

/** Parts of the Jest tests, and the projects of `jest.config.cjs` in each. */
export const PARTS = {
  unit: {
    projects: [
      'contracts',
      'client',
      'search',
      'solana',
      'local-solana',
      'local-bluesky',
      'x-stand-in',
      'embedded-mongo',
      'scripts',
    ],
  },
  api: { projects: ['api'] },
  web: { projects: ['web'] },
} as const;

export type PartName = keyof typeof PARTS;
