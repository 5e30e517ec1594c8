import { startXStandIn, type Vocabulary, type XStandIn } from '@archive/x-stand-in';
import type { Cost } from '../src/sources/spending.ts';
import { XAccount } from '../src/sources/x/x-account.ts';
import { XClient } from '../src/sources/x/x-client.ts';
import { XSource } from '../src/sources/x/x-source.ts';

export interface ReaderOfX {
  x: XStandIn;
  source: XSource;
  account: XAccount;
  /** A second account object, as after a restart of the process. */
  restarted(): XAccount;
  spent: Cost;
  /** The errors that were logged. */
  alarms: unknown[];
  close(): Promise<void>;
}

/** Starts the stand-in for X and the product's client of it. */
export async function startReaderOfX(options: { vocabulary?: Vocabulary; now?: () => Date } = {}): Promise<ReaderOfX> {
  const x = await startXStandIn(options);
  const spent: Cost = { reads: 0, milliCents: 0 };
  const alarms: unknown[] = [];
  const clientOf = () =>
    new XClient({
      baseUrl: x.url,
      credentials: x.credentials,
      spending: {
        requireReads: async () => {},
        spend: async ({ reads, milliCents }) => {
          spent.reads += reads;
          spent.milliCents += milliCents;
        },
      },
      log: { error: (about: object) => void alarms.push((about as { alarm?: string }).alarm) },
    });
  const client = clientOf();
  return {
    x,
    source: new XSource(client, { maxVideoBytes: 25_000_000 }),
    account: new XAccount(client, { handle: 'amberkeeps', pollMs: 0 }),
    restarted: () => new XAccount(clientOf(), { handle: 'amberkeeps', pollMs: 0 }),
    spent,
    alarms,
    close: () => x.close(),
  };
}
