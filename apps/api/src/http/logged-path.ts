import type { Request } from 'express';

const LOGGED_LENGTH = 200;

/** The path as the log keeps it: an address may hold kilobytes, and a few thousand such lines would push all others out. */
export function loggedPath({ path }: Pick<Request, 'path'>): string {
  return path.length > LOGGED_LENGTH ? `${path.slice(0, LOGGED_LENGTH)}…` : path;
}

/** Whether a request only looks: anybody may ask so as often as they like. */
export function isRead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
