import { CHECK_NAMES, type CheckName, check } from './checks.ts';

const names = process.argv.slice(2) as CheckName[];
process.exitCode = (await check(names.length > 0 ? names : CHECK_NAMES)) ? 0 : 1;
