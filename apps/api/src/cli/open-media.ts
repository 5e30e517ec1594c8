import pino from 'pino';
import { Background } from '../background/background.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { NO_LEDGER } from '../ledger/ledger-entry.ts';
import { createMedia } from '../media/create-media.ts';
import type { Media } from '../media/media.ts';
import { Outbound } from '../outbound/outbound.ts';

/** The media of an archive for one command. Background work is left to a server. */
export function openMedia(database: Database, config: Config): Media {
  const log = pino({ level: 'silent' });
  const now = () => database.clock.now().getTime();
  return createMedia({
    background: new Background(),
    config,
    database,
    ledger: NO_LEDGER,
    log,
    now,
    outbound: new Outbound(),
  });
}
