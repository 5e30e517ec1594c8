import { StartRefusal } from './start-refusal.ts';

/** Starts a process: what keeps it from starting is told in words where an operator can mend it, else with its stack. */
export async function runProcess(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${error instanceof StartRefusal ? error.message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}

/** Does this once when the process is told to end, and ends it then; also where it has not come through by the deadline. */
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
