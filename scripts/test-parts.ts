/** Jest's tests by what one works on, with the projects of `jest.config.cjs` that hold them. */
export const PARTS = {
  unit: {
    projects: [
      'contracts',
      'client',
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

/** The part a test file belongs to. */
export function partOf(file: string): PartName {
  if (/[\\/]apps[\\/]api[\\/]/.test(file)) return 'api';
  return /[\\/]apps[\\/]web[\\/]/.test(file) ? 'web' : 'unit';
}
