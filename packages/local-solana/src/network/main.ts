// The network's own process, started by `openLocalSolana`. It is controlled over the IPC channel, and ends when the
// channel closes.
import { Network } from './network.ts';
import type { ControlRequest, ProcessMessage, ProcessSettings } from './protocol.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;
let network: Network | undefined;

// A terminal interrupts the whole process group. The opener then stops everything in order.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void stop());
process.on('disconnect', () => void stop());
process.on('message', (message: ControlRequest | 'stop') => {
  if (message === 'stop') void stop();
  else void control(message);
});

try {
  const started = await Network.start(settings);
  network = started.network;
  if (process.connected) await tell({ ready: started.report });
  else await stop();
} catch (error) {
  await tell({ failed: describe(error) });
  await stop(1);
}

async function control({ id, name, args }: ControlRequest): Promise<void> {
  try {
    if (!network) throw new Error('The network is not ready.');
    await tell({ id, result: await network.control(name, args) });
  } catch (error) {
    await tell({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

async function stop(code = 0): Promise<void> {
  await network?.stop();
  process.exit(code);
}

function describe(error: unknown): string {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is already in use`;
  return error instanceof Error ? error.message : String(error);
}

function tell(message: ProcessMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
}
