import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@archive/processes';
import { resolveJars } from './jars.ts';

const START_MS = 60_000;

/**
 * Starts S3Proxy, an S3 server on loopback. Each folder in `buckets` is a bucket. Its key and its secret are `local`.
 */
export async function openS3Proxy(folder: string): Promise<{ url: string; buckets: string; close(): Promise<void> }> {
  const buckets = join(folder, 'buckets');
  mkdirSync(buckets, { recursive: true });
  const url = `http://127.0.0.1:${await freePort()}`;
  const properties = {
    's3proxy.endpoint': url,
    's3proxy.authorization': 'aws-v2-or-v4',
    's3proxy.identity': 'local',
    's3proxy.credential': 'local',
    'jclouds.provider': 'filesystem',
    'jclouds.filesystem.basedir': buckets,
  };
  const file = join(folder, 's3proxy.properties');
  writeFileSync(
    file,
    Object.entries(properties)
      .map((pair) => pair.join('='))
      .join('\n'),
  );
  const log = openSync(join(folder, 's3proxy.log'), 'a');
  const args = ['-cp', resolveJars('s3proxy', 'pom-s3.xml', []), 'org.gaul.s3proxy.Main', '--properties', file];
  const child = spawn('java', args, { stdio: ['ignore', log, log], cwd: folder });
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  for (const until = Date.now() + START_MS; !(await fetch(url).catch(() => null)); await delay(100)) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`S3Proxy did not start; its log is in ${folder}`);
  }
  return {
    url,
    buckets,
    async close() {
      process.off('exit', stop);
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    },
  };
}
