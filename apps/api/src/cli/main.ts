import { runCommandLine } from './command-line.ts';
import { takeSettings } from './running-settings.ts';

// What reads the output may have seen enough; the work goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
takeSettings(process.env);
await runCommandLine(process.argv.slice(2));
