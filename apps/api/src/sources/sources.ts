import type { Base } from '../base.ts';
import { BlueskySource } from './bluesky/bluesky-source.ts';
import type { Source, SourcePlatform } from './source.ts';
import type { Spending } from './spending.ts';
import { XClient } from './x/x-client.ts';
import { XSource } from './x/x-source.ts';

export interface Sources {
  /** The platforms that this server can read. */
  readonly byPlatform: ReadonlyMap<SourcePlatform, Source>;
  /** The client of X, if X can be read. Other calls to X use it too, so that they share its limits. */
  readonly xClient: XClient | null;
}

/** `spending` limits the daily cost of X, which charges for reads. */
export function createSources(
  { config, log, outbound }: Pick<Base, 'config' | 'log' | 'outbound'>,
  spending: Spending,
): Sources {
  const source = new BlueskySource({
    ...config.sources.bluesky,
    log,
    download: async (url, { maxBytes, signal }) =>
      (await outbound.get(url, { hosts: 'anybody', maxBytes, signal })).bytes,
  });
  const { baseUrl, credentials } = config.sources.x;
  const xClient = credentials && new XClient({ baseUrl, credentials, spending, log });
  const all: Source[] = [source, ...(xClient ? [new XSource(xClient, { maxVideoBytes: config.media.maxBytes })] : [])];
  return { byPlatform: new Map(all.map((one) => [one.platform, one])), xClient };
}
