import { type ApiProcess, startApi } from '@archive/processes';
import { say } from './measure.ts';

export const PORT = 4790;

/** The built API over the bench's folder and database. */
export function startArchive(env: NodeJS.ProcessEnv): Promise<ApiProcess> {
  const { MONGODB_URI = '', DATA_DIR = '' } = env;
  return startApi({
    port: PORT,
    mongodbUri: MONGODB_URI,
    dataDir: DATA_DIR,
    env: { ...env, LOG_LEVEL: 'error', WEB_DIR: undefined },
    onProgress: say,
  });
}

export async function totalOf(url: string): Promise<number> {
  const answer = (await (await fetch(`${url}/amber/archives?limit=1`)).json()) as { pagination: { total: number } };
  return answer.pagination.total;
}
