import { join } from 'node:path';
import { readDatabaseUri } from '../apps/api/src/config.ts';
import { openEmbeddedMongo } from '../packages/embedded-mongo/src/index.ts';

export interface Database {
  uri: string;
  /** Whether it is the embedded engine over a folder, not the server of MONGODB_URI. */
  embedded: boolean;
  close(): Promise<void>;
}

/** The server of MONGODB_URI, or else the embedded engine over `<dataDir>/mongo`. */
export async function openDatabase(dataDir: string, onProgress: (line: string) => void): Promise<Database> {
  const uri = readDatabaseUri(process.env);
  if (uri) return { uri, embedded: false, close: async () => {} };
  if (process.env['NODE_ENV'] === 'production') {
    throw new Error('With NODE_ENV=production the embedded database is refused: set MONGODB_URI.');
  }
  const mongo = await openEmbeddedMongo({ directory: join(dataDir, 'mongo'), onProgress });
  return { uri: mongo.uri, embedded: true, close: mongo.close };
}
