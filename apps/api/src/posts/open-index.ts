import { join } from 'node:path';
import type { ArchiveIndex } from '@archive/search';
import { ClusterIndex } from '@archive/search/opensearch';
import { openIndex } from '@archive/search/sqlite';
import type { Base } from '../base.ts';
import { tell } from '../channels.ts';
import { type Asker, QuestionQueue } from '../question-queue.ts';
import { StartRefusal } from '../start-refusal.ts';
import type { PostStore } from './post-store.ts';
import type { PostsForIndex } from './posts-for-index.ts';

export { dropIndexes } from '@archive/search/opensearch';

interface Parts extends Pick<Base, 'config'> {
  log: { error(details: object, message: string): void };
  /** Epoch of the archive that the index is derived from. */
  epoch: string;
  /** Path of the built script of the index threads. */
  worker: URL | string;
  indexPath: string | undefined;
  source: Pick<PostsForIndex, 'findThreads'>;
  store: Pick<PostStore, 'findInOrder'>;
}

/**
 * Opens the index that the settings name: a file of this process, or the index of a search cluster. The cluster need
 * not answer yet.
 */
export async function openArchiveIndex(parts: Parts): Promise<ArchiveIndex<Asker>> {
  const { config, log, epoch, worker, indexPath, source, store } = parts;
  const turns = <Worker>(workers: readonly Worker[]) =>
    new QuestionQueue(workers, { onWait: (ms) => tell('wait', { ms }) });
  if (!config.search) {
    // Two processes on one machine never share a port, so they never share an index file.
    const path = indexPath ?? join(config.dataDir, 'index', `archive-${config.port}.sqlite`);
    return openIndex<Asker>({ path, worker, epoch, turns });
  }
  const index = new ClusterIndex<Asker>({
    ...config.search,
    epoch,
    turns,
    signalOf: ({ signal }) => signal,
    contentsOf: async (oids) => (await store.findInOrder(oids)).map(({ content }) => content),
    ofThreads: (roots) => source.findThreads(roots),
    onRefused: (post, reason) => log.error({ post, reason }, 'the search cluster takes a post under no circumstances'),
  });
  const refusal = await index.refusal();
  if (refusal !== null) throw new StartRefusal(refusal);
  return index;
}
