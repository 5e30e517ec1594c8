/** How long the processor works on it, in milliseconds: unlike the time that passes, other work makes it hardly longer. */
export async function processorMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}
