/** Processor time of some work, in milliseconds. Unlike elapsed time it hardly depends on other work of the machine. */
export async function processorMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}
