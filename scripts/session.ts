type Stop = () => Promise<void>;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs until it is interrupted, fails or has nothing more to do, then stops what was started, the last first, and ends the process. `begin` says
 * through `onStop` how to stop each thing it has started.
 */
export async function runSession(begin: (onStop: (stop: Stop) => void) => Promise<void>): Promise<never> {
  const stops: Stop[] = [];
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve());
  }).then(() => console.log('Stopping'));
  try {
    await Promise.race([begin((stop) => stops.push(stop)), interrupted]);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
  for (const stop of stops.reverse()) await stop();
  process.exit();
}
