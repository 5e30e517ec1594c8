import type { Request } from 'express';

const LOGGED_LENGTH = 200;

/** The part after this prefix is a secret of one person. */
const SECRET = /^((?:\/amber)?\/reports?\/).+$/;

/**
 * The path for the log, without secrets and shortened. Otherwise a few thousand long addresses would push all other
 * lines out.
 */
export function loggedPath({ path }: Pick<Request, 'path'>): string {
  if (SECRET.test(path)) return path.replace(SECRET, '$1…');
  return path.length > LOGGED_LENGTH ? `${path.slice(0, LOGGED_LENGTH)}…` : path;
}

/** Whether a request only reads; any caller may send those without limit. */
export function isRead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
