import { runCommandLine } from './command-line.ts';
import { takeSettings } from './running-settings.ts';

// The reader of the output may close the pipe; the work goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
takeSettings(process.env);
await runCommandLine(process.argv.slice(2));
