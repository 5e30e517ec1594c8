import { CHUNK_TIMEOUT_MS } from '@archive/contracts';
import { withTimeout } from './with-timeout.ts';

/** A browser says that it is online a little before its requests get through. */
const PAUSE_MS = 500;

/** Loads a part of the app; one that fails or takes too long is tried once more, after a pause, before it counts as failed. */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  const late = new Error('A part of the page took too long to load.');
  const attempt = () => withTimeout(load(), CHUNK_TIMEOUT_MS, late);
  return attempt().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return attempt();
  });
}
