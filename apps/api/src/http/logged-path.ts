import type { Request } from 'express';

const LOGGED_LENGTH = 200;

/** What follows is known to one person alone. */
const SECRET = /^((?:\/amber)?\/reports?\/).+$/;

/** The path as the log keeps it, without secrets: an address may hold kilobytes, and a few thousand such lines would push all others out. */
export function loggedPath({ path }: Pick<Request, 'path'>): string {
  if (SECRET.test(path)) return path.replace(SECRET, '$1…');
  return path.length > LOGGED_LENGTH ? `${path.slice(0, LOGGED_LENGTH)}…` : path;
}

/** Whether a request only looks: anybody may ask so as often as they like. */
export function isRead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
