import { runCommandLine } from './command-line.ts';
import { takeSettings } from './running-settings.ts';

takeSettings(process.env);
await runCommandLine(process.argv.slice(2));
