import { CHUNK_TIMEOUT_MS } from '@archive/contracts';

/** Loads a part of the app; one that fails or takes too long is tried once more before it counts as failed. */
export async function loadChunk<Part>(load: () => Promise<Part>, timeoutMs: number = CHUNK_TIMEOUT_MS): Promise<Part> {
  try {
    return await withTimeout(load(), timeoutMs);
  } catch {
    return await withTimeout(load(), timeoutMs);
  }
}

function withTimeout<Part>(part: Promise<Part>, timeoutMs: number): Promise<Part> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A part of the page took too long to load.')), timeoutMs);
    part.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
