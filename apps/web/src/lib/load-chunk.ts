import { CHUNK_TIMEOUT_MS } from '@archive/contracts';
import { withTimeout } from './with-timeout.ts';

/** Loads a part of the app; one that fails or takes too long is tried once more before it counts as failed. */
export async function loadChunk<Part>(load: () => Promise<Part>, timeoutMs: number = CHUNK_TIMEOUT_MS): Promise<Part> {
  const attempt = async () => withTimeout(load(), timeoutMs, new Error('A part of the page took too long to load.'));
  return attempt().catch(attempt);
}
