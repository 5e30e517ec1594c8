import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../src/media/bytes/s3-store.ts';

/** The package has no types. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver;

interface LocalS3 {
  settings: S3Settings;
  close(): Promise<void>;
}

/** Starts an S3 server on loopback with one empty bucket: s3rver, or the S3Proxy at TEST_S3_URL. */
export async function startS3(): Promise<LocalS3> {
  const { TEST_S3_URL: endpoint, TEST_S3_BUCKETS: buckets } = process.env;
  if (!endpoint || !buckets) return startS3rver();
  const bucket = `kept-${randomBytes(6).toString('hex')}`;
  mkdirSync(join(buckets, bucket));
  return {
    settings: { endpoint, bucket, key: 'local', secret: 'local', region: 'us-east-1' },
    close: async () => {},
  };
}

export async function startS3rver(): Promise<LocalS3> {
  const directory = mkdtempSync(join(tmpdir(), 's3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'kept' }],
  });
  const { port } = await server.run();
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'kept',
      key: 'S3RVER',
      secret: 'S3RVER',
      region: 'us-east-1',
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
