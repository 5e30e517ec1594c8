import { StartRefusal } from './start-refusal.ts';

/** Runs a process. A failure that an operator can fix is printed as a message, any other with its stack. */
export async function runProcess(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${error instanceof StartRefusal ? error.message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}

/** Runs `end` once when the process is told to stop, and then exits; also at the deadline. */
export function onceTold(deadlineMs: number, end: () => Promise<void>): void {
  let isEnding = false;
  const stop = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), deadlineMs).unref();
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
