import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describeApi } from '../apps/api/src/http/openapi.ts';
import { ROUTES } from '../apps/api/src/routes.ts';

/**
 * Writes the API description to standard output. With `--check` it prints the linter's findings instead and fails on an
 * error.
 */
const text = `${JSON.stringify(describeApi(ROUTES, process.env['PUBLIC_URL'] ?? 'http://localhost:4000'), null, 2)}\n`;
if (process.argv.includes('--check')) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, config });
  for (const { severity, ruleId, message, location } of problems) {
    console.log(`${severity} ${ruleId} at ${location[0]?.pointer ?? '#/'}: ${message}`);
  }
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  console.log(`${errors} errors, ${problems.length - errors} warnings`);
  process.exitCode = errors > 0 ? 1 : 0;
} else {
  process.stdout.write(text);
}
