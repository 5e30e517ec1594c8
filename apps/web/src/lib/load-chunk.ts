import { CHUNK_TIMEOUT_MS } from '@archive/contracts';
import { withTimeout } from './with-timeout.ts';

/** Milliseconds before the retry: a browser reports that it is online slightly before its requests succeed. */
const PAUSE_MS = 500;

/** Loads a code chunk. After a failure or a timeout it retries once. */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  const late = new Error('A part of the page took too long to load.');
  const attempt = () => withTimeout(load(), CHUNK_TIMEOUT_MS, late);
  return attempt().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return attempt();
  });
}
