type Stop = () => Promise<void>;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `begin` until it is interrupted, fails or ends. Then stops everything it started, last first, and ends the
 * process. `begin` registers each stop function through `onStop`.
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
